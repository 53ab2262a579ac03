import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { hex } from '../../test/support/ids.js'
import { runPython } from '../../test/support/program.js'
import { inspect, server, visit } from './browser.js'

const project = `flow/${hex(4)}`
const evaluations = `/${project}/weave/evaluations`
let found: Record<'class' | 'function' | 'logger', { id: string }>

// The Python SDK evaluates two models on 8 rows, two trials each, and logs a third run by hand.
beforeAll(async () => {
  found = await runPython(server, 'weave_evaluation', { PROJECT: project })
})

const rows = (page: Page) => page.getByRole('rowgroup', { name: 'Rows of Rows' }).getByRole('row')

it('an empty project says how to evaluate', async () => {
  const page = await visit(`/flow/${hex(4)}/weave/evaluations`)
  await page.getByText('No evaluation has run yet').waitFor()
  await inspect(page)
})

it('runs are found, chosen and compared', async () => {
  const page = await visit(`/${project}/weave`)
  await page.getByRole('link', { name: 'Evaluations' }).click()
  await page.getByText('3 runs').waitFor()
  await inspect(page)
  await page.getByLabel('Find a run').fill('sums')
  await page.getByText('2 runs').waitFor()
  for (const box of await page.getByRole('checkbox').all()) await box.check()
  await page.getByRole('button', { name: 'Compare 2' }).click()
  const summary = page.getByRole('table', { name: 'Summary' })
  await summary.getByRole('columnheader', { name: 'Adder' }).waitFor()
  await summary.getByRole('columnheader', { name: 'careful' }).waitFor()
  await summary
    .getByRole('row', { name: /^right/ })
    .getByText('100.0 %')
    .waitFor()
  await inspect(page)
  await page.goBack()
  await page.getByText('3 runs').waitFor()
})

it('rows that differ most come first, and regressions alone', async () => {
  const page = await visit(`${evaluations}/compare?runs=${found.function.id},${found.class.id}`)
  await rows(page).nth(7).waitFor()
  await page.getByLabel('Largest change of').selectOption('right')
  await rows(page).first().getByText('right 0 (−1)').waitFor()
  await page.getByLabel('only regressions').check()
  await rows(page).nth(3).waitFor({ state: 'detached' })
  expect(await rows(page).count()).toBe(3)
  await page.reload()
  await rows(page).nth(2).waitFor()
  expect(await rows(page).count()).toBe(3)
  await rows(page).first().getByRole('button').click()
  const row = page.getByRole('complementary', { name: 'The row' })
  await row.getByText('distance.grades.note').first().waitFor()
  await inspect(page)
  await page.getByLabel('less is better').check()
  await page.getByText('No row is worse').waitFor()
  await page.getByLabel('less is better').uncheck()
  await page.getByRole('button', { name: 'Compare with it' }).click()
  await page.getByText('No row is worse').waitFor()
  await page.getByLabel('only regressions').uncheck()
  await rows(page).first().getByRole('button').click()
  await row.getByRole('link', { name: 'Trace' }).first().click()
  await page.getByRole('region', { name: 'The call' }).waitFor()
})

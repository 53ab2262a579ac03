import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json } from '../../test/support/api.js'
import { Evaluations } from '../../test/support/evaluations.js'
import { hex } from '../../test/support/ids.js'
import { runPython } from '../../test/support/program.js'
import { Stub } from '../../test/support/stub.js'
import { inspect, server, visit } from './browser.js'

const project = `flow/${hex(4)}`
const evaluations = `/${project}/weave/evaluations`
let found: Record<'class' | 'function' | 'logger', { id: string }>

// The Python SDK evaluates two models on 8 rows, two trials each, and logs a third run by hand.
beforeAll(async () => {
  found = await runPython(server, 'weave_evaluation', { PROJECT: project })
})

let provider: Stub
beforeAll(async () => {
  provider = await Stub.start('chat-provider')
})
afterAll(() => provider?.stop())

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
    .getByText('100 %')
    .waitFor()
  await inspect(page)
  await page.goBack()
  await page.getByText('3 runs').waitFor()
})

it('rows that differ most come first, and regressions alone', async () => {
  const page = await visit(`${evaluations}/compare?runs=${found.function.id},${found.class.id}`)
  await rows(page).nth(7).waitFor()
  await page.getByLabel('Largest change of').selectOption('right')
  // A crash is the worst of all: two rows have no answer, and count as not passed.
  await rows(page).nth(1).getByText('failed').waitFor()
  await rows(page).nth(2).getByText('right 0 (−1)').waitFor()
  const summary = page.getByRole('table', { name: 'Summary' })
  await summary.getByRole('row', { name: 'Failed trials 0 4 +4' }).waitFor()
  await summary
    .getByRole('row', { name: /^right/ })
    .getByText('37.5 %')
    .waitFor()
  // Of 8 rows, 5 pass in the first run alone.
  await summary
    .getByRole('row', { name: /^right/ })
    .getByText(/−62\.5 pp \[−/)
    .waitFor()
  await page.getByRole('button', { name: 'How sure?' }).click()
  await page
    .getByRole('dialog', { name: 'How sure the numbers are' })
    .getByText('bootstrap')
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
  const show = (what: string) => page.getByLabel(/^Show/).selectOption({ label: what })
  await show('regressed')
  await rows(page).nth(5).waitFor({ state: 'detached' })
  await expect.poll(() => rows(page).count()).toBe(5)
  await page.reload()
  await rows(page).nth(4).waitFor()
  await expect.poll(() => rows(page).count()).toBe(5)
  await rows(page).first().getByRole('button').click()
  const row = page.getByRole('complementary', { name: 'The row' })
  await row.getByText('distance.grades.note').first().waitFor()
  await inspect(page)
  await page.getByLabel('less is better').check()
  await rows(page).nth(2).waitFor({ state: 'detached' })
  await expect.poll(() => rows(page).count()).toBe(2)
  await page.getByLabel('less is better').uncheck()
  await show('crashed')
  await rows(page).nth(2).waitFor({ state: 'detached' })
  await expect.poll(() => rows(page).count()).toBe(2)
  // What crashed becomes a dataset.
  await page.getByRole('button', { name: 'To a dataset…' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Rows to a dataset' })
  await dialog.getByLabel('Dataset').fill('crashed')
  await inspect(page)
  await dialog.getByRole('button', { name: 'Add the rows' }).click()
  await dialog.getByRole('link', { name: 'Open crashed' }).waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).click()
  await show('regressed')
  await page.getByRole('button', { name: 'Make baseline' }).click()
  await page.getByText('No row is worse').waitFor()
  await show('all rows')
  await rows(page).first().getByRole('button').click()
  await row.getByText('Notes').first().click()
  await row.getByLabel('Note').fill('A hard one')
  await row.getByRole('button', { name: 'Add', exact: true }).click()
  await row.getByRole('listitem').getByText('A hard one').waitFor()
  await row.getByRole('link', { name: 'Trace' }).first().click()
  await page.getByRole('region', { name: 'The call' }).waitFor()
})

it('two runs stand side by side, and every trial is in a file', async () => {
  const page = await visit(`${evaluations}/compare?runs=${found.function.id},${found.class.id}`)
  await page.getByLabel('outputs side by side').check()
  const pair = page.getByRole('article', { name: 'Row 8' })
  await pair.getByRole('region', { name: 'careful' }).waitFor()
  await pair.getByRole('region', { name: 'Adder' }).waitFor()
  await inspect(page)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ])
  const lines = readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  expect(lines[0]).toMatch(/^row_digest,row\..*run,run_name,trial,ended,/)
  // 8 rows, two trials each, in two runs.
  expect(lines.length).toBe(1 + 8 * 2 * 2)
})

it('the runs of one evaluation are seen over time', async () => {
  const page = await visit(evaluations)
  await page.getByText('3 runs').waitFor()
  const choice = page.getByLabel('Evaluation', { exact: true })
  await choice.selectOption('sums')
  const history = page.getByRole('region', { name: 'Over time' })
  await history.getByRole('figure', { name: 'Scores of each run' }).waitFor()
  await page.reload()
  await history.getByRole('figure', { name: 'Latency of each run' }).waitFor()
  await inspect(page)
  await history.getByRole('figure').first().locator('.u-over').click()
  await rows(page).nth(7).waitFor()
})

it('the server runs an evaluation on two models, which a leaderboard ranks', async () => {
  const own = new Evaluations(server.api, `flow/${hex(4)}`)
  const root = `/${own.project}/weave`
  const page = await visit(`${root}/evaluations`)
  await page.getByRole('button', { name: 'Run…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Run an evaluation' })
  await dialog.getByText('No evaluation is saved').waitFor()
  await inspect(page)

  const val = { base_url: provider.url, api_key_name: '' }
  const obj = { project_id: own.project, object_id: 'stub', builtin_object_class: 'Provider', val }
  await server.api.ok('/obj/create', { obj })
  const exact = await own.scorer('exact', 'ExactMatchScorer', { trim: true })
  const evaluation = await own.evaluation(
    ['Paris', 'Rome'].map((city) => ({ question: `say ${city}`, expected: city })),
    [exact],
  )
  await own.model('stub/good', {}, 'good')
  const paris = { messages_template: [{ role: 'user', content: 'say Paris' }] }
  await own.model('stub/bad', paris, 'bad')
  const columns: Json[] = [
    { evaluation_object_ref: evaluation, scorer_name: 'exact', summary_metric_path: 'passed.true_fraction' },
    {
      evaluation_object_ref: evaluation,
      scorer_name: 'model_latency',
      summary_metric_path: 'mean',
      should_minimize: true,
    },
  ]
  await own.publish('cities', 'Leaderboard', [], { name: 'Cities', description: 'Say it.', columns })
  await page.goto(`${root}/leaderboards/cities`)
  await page.getByText('No run of these evaluations has ended').waitFor()

  for (const model of ['bad', 'good']) {
    await page.goto(`${root}/evaluations`)
    await page.getByRole('button', { name: 'Run…' }).click()
    await dialog.getByLabel('Model').selectOption({ label: `${model} v0` })
    await dialog.getByRole('button', { name: 'Start', exact: true }).click()
    await dialog.getByText('All rows are done.').waitFor()
  }
  await inspect(page)
  await dialog.getByRole('link', { name: 'Results' }).click()
  await rows(page).nth(1).waitFor()
  await page.goto(`${root}/evaluations`)
  await page.getByRole('link', { name: 'Leaderboards' }).click()
  await page.getByRole('link', { name: 'cities' }).click()
  const ranking = page.getByRole('table', { name: 'Ranking' }).getByRole('row')
  await ranking.nth(2).waitFor()
  expect((await ranking.nth(1).textContent())?.startsWith('1good1')).toBe(true)
  expect((await ranking.nth(2).textContent())?.startsWith('2bad0.5')).toBe(true)
  await page.getByRole('button', { name: /model_latency.mean/ }).click()
  await page.reload()
  await page
    .getByRole('columnheader', { name: /model_latency.mean/ })
    .and(page.locator('[aria-sort=ascending]'))
    .waitFor()
  await inspect(page)
  await ranking.nth(1).getByRole('link').first().click()
  await rows(page).nth(1).waitFor()
})

import { beforeAll, expect, it } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import { hex } from '../../test/support/ids.js'
import { createKey } from '../../test/support/keys.js'
import { inspect, server, visit } from './browser.js'

const entity = `flow-${hex(4)}`
const project = `${entity}/cities`

beforeAll(async () => {
  const batch = ['Rome', 'Oslo', 'Bern'].map((city) => ({
    ...complete(project),
    inputs: { messages: [{ role: 'user', content: `Tell me of ${city}.` }] },
    output: { choices: [{ message: { role: 'assistant', content: `${city} is fine.` } }] },
  }))
  await server.api.ok(v2(project, 'calls/complete'), { batch })
})

it('a queue is made, filled from the traces, and worked through by keys', async () => {
  const page = await visit(`/${project}/weave`)
  await page.getByRole('link', { name: 'Annotation' }).click()
  await page.getByRole('heading', { name: 'No queue yet' }).waitFor()
  await inspect(page)
  await page.getByRole('button', { name: 'New queue' }).click()
  await page.getByLabel('New question').fill('Is it right?')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Is it right?', checked: true }).waitFor()
  await page.getByLabel('New question').fill('How good?')
  await page.getByLabel('Kind of answer').selectOption('1 to 5')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('checkbox', { name: 'How good?', checked: true }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('cities')
  await page.getByLabel('What annotators should know').fill('Only capitals.')
  await inspect(page)
  await page.getByRole('button', { name: 'Make the queue' }).click()
  await page.getByText('0 of 0').waitFor()

  await page.goto(`/${project}/weave/traces`)
  await page.getByLabel('Select all').check()
  await page.getByRole('button', { name: 'Add to queue' }).click()
  await page.getByRole('combobox', { name: 'Queue' }).selectOption('cities')
  await inspect(page)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('3 added.').waitFor()
  await page.getByRole('link', { name: 'Open the queue' }).click()

  await page.getByText('0 of 3 done').waitFor()
  await expect.poll(() => page.title()).toBe(`cities · Annotation · ${project} · Heddle`)
  await page.getByRole('region', { name: 'The call' }).getByText('is fine.').waitFor()
  await page.getByText('Only capitals.').waitFor()
  await inspect(page)
  const first = await page.getByRole('article').nth(1).textContent()
  await page.keyboard.press('1')
  await page.getByRole('button', { name: 'Yes', pressed: true }).waitFor()
  await page.keyboard.press('4')
  await page.getByRole('button', { name: '4', pressed: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('1 of 3 done').waitFor()
  await page.getByRole('article').nth(1).filter({ hasNotText: first! }).waitFor()
  await page.keyboard.press('s')
  await page.getByText('2 of 3 done').waitFor()
  await page.reload()
  await page.getByText('2 of 3 done').waitFor()
  await page.getByText('3 of 3', { exact: true }).waitFor()
  // What was answered stands with the call.
  await page.keyboard.press('k')
  await page.keyboard.press('k')
  await page.getByText('1 of 3 · completed').waitFor()
  await page.getByRole('tab', { name: 'Feedback', exact: true }).click()
  await page.getByRole('listitem').filter({ hasText: 'is-it-right: true' }).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'how-good: 4' }).waitFor()
  await inspect(page)

  // Another annotator is asked about every call, too.
  const other = await visit(page.url().replace(/\?.*/, ''), await createKey(server, entity, 'write'))
  await other.getByText('2 of 3 done').waitFor()
  await other.getByLabel('my own').check()
  await other.getByText('0 of 3 done').waitFor()
  await other.keyboard.press('2')
  await other.getByRole('button', { name: 'No', pressed: true }).waitFor()
  await other.keyboard.press('4')
  await other.getByRole('button', { name: '4', pressed: true }).waitFor()
  await other.keyboard.press('Enter')
  await other.getByText('1 of 3 done').waitFor()
  await other.reload()
  await other.getByText('1 of 3 done').waitFor()
  await other.getByRole('button', { name: 'Annotators' }).click()
  const row = (table: string, name: string) =>
    other.getByRole('table', { name: table }).getByRole('row', { name })
  await row('Progress', `user-${entity}`).getByText('1 of 3').waitFor()
  await row('Progress', 'dev').getByText('2 of 3').waitFor()
  await row('Agreement', 'is-it-right').getByText('0 %').waitFor()
  await row('Agreement', 'how-good').getByText('100 %').waitFor()
  await inspect(other)
})

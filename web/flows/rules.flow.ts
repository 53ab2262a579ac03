import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import { hex, uuid7 } from '../../test/support/ids.js'
import { Receiver } from '../../test/support/receiver.js'
import { inspect, server, visit } from './browser.js'

const project = `flow-${hex(4)}/refunds`
const rules = `/${project}/weave/rules`
const calls = [uuid7(), uuid7(), uuid7()]
let receiver: Receiver

beforeAll(async () => {
  receiver = await Receiver.start()
  const now = new Date().toISOString()
  const batch = calls.map((id, i) => ({
    ...{ ...complete(project), id, trace_id: id, op_name: 'answer' },
    ...{ started_at: now, ended_at: now, inputs: { city: i === 0 ? 'Rome' : 'Oslo' } },
  }))
  await server.api.ok(v2(project, 'calls/complete'), { batch })
  await server.api.ok('/notifications/channels/save', {
    ...{ project_id: project, name: 'hook', channel: { type: 'webhook', url: `${receiver.url}/hook` } },
  })
  await react(calls[0]!, '👎')
  await react(calls[1]!, '👍')
})
afterAll(() => receiver?.stop())

const react = (call: string, emoji: string) =>
  server.api.ok('/feedback/create', {
    ...{ project_id: project, weave_ref: `weave:///${project}/call/${call}` },
    ...{ feedback_type: 'wandb.reaction.1', payload: { emoji } },
  })

const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click()
const choose = async (page: Page, rule: string, what: string) => {
  await page.getByRole('button', { name: `Change ${rule}`, exact: true }).click()
  await page.getByRole('menuitem', { name: what }).click()
}
const matched = (page: Page, count: number) =>
  page.getByText(`It would have matched ${count} in the last 7 days.`).waitFor()

it('a rule is made from the example, does what it says, is paused and deleted', async () => {
  const page = await visit(`/${project}/weave`)
  await page.getByRole('link', { name: 'Rules' }).click()
  await page.getByRole('heading', { name: 'No rule yet' }).waitFor()
  await inspect(page)

  await page.getByRole('button', { name: 'Begin with this example' }).click()
  await matched(page, 1)
  const form = page.getByRole('form', { name: 'Rule' })
  expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('thumbs-down')
  const newest = page.getByRole('region', { name: 'What it would have matched' }).getByRole('link')
  await expect.poll(() => newest.getAttribute('href')).toBe(`/${project}/r/call/${calls[0]}`)
  await form.getByRole('button', { name: 'Add an action' }).click()
  const second = form.getByRole('group', { name: 'And then' })
  await second.getByLabel('Channel').selectOption('hook')
  await page
    .getByText('When a thumb down comes, put the call into the queue "review" and notify people by "hook".')
    .waitFor()
  await inspect(page)
  await form.getByRole('button', { name: 'Make the rule' }).click()
  const row = page.getByRole('row', { name: /^thumbs-down/ })
  await row.getByText('0 today, 0 in all').waitFor()
  await row.getByText('When a thumb down comes').waitFor()
  await inspect(page)

  receiver.answer = (response) => response.writeHead(410).end()
  await react(calls[2]!, '👎')
  await tab(page, 'Runs')
  const run = page.getByRole('row', { name: /thumbs-down/ })
  await run.getByText('failed: The receiver answered 410.').waitFor()
  await run.getByText('Put the call into a queue: done').waitFor()
  expect(await run.getByRole('link', { name: 'answer' }).getAttribute('href')).toBe(
    `/${project}/r/call/${calls[2]}`,
  )
  await inspect(page)
  receiver.answer = (response) => response.end()
  await run.getByRole('button', { name: 'Retry thumbs-down' }).click()
  await run.getByText('Notify people: done sent by hook').waitFor()
  await page.getByLabel('State').selectOption('failed')
  await page.getByRole('heading', { name: 'Nothing of this kind was done' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Nothing of this kind was done' }).waitFor()
  await page.getByLabel('State').selectOption('any state')
  await run.getByRole('link', { name: 'queue' }).click()
  await page.getByText('0 of 1 done').waitFor()

  await page.goto(rules)
  await row.getByText('1 today, 1 in all').waitFor()
  await page.getByLabel('thumbs-down acts').click()
  await row.getByText('Off', { exact: true }).waitFor()
  await choose(page, 'thumbs-down', 'Delete')
  await inspect(page)
  await page.getByRole('button', { name: 'Delete it' }).click()
  await page.getByRole('heading', { name: 'No rule yet' }).waitFor()
  await tab(page, 'Runs')
  await run.getByText('Notify people: done').waitFor()
})

it('what does not go together is not offered, a circle is refused, and a rule is changed as it was made', async () => {
  const page = await visit(rules)
  await page.getByRole('button', { name: 'New rule' }).click()
  const form = page.getByRole('form', { name: 'Rule' })
  const action = form.getByRole('group', { name: 'Then', exact: true }).getByLabel('Do this')
  const offered = () => action.getByRole('option').allTextContents()
  await matched(page, 3)
  expect(await offered()).not.toContain('Set an alias')
  await form.getByLabel(/^When/).selectOption('An alias was set')
  expect(await offered()).toEqual(['Run an evaluation', 'Train a model', 'Set an alias', 'Notify people'])
  await action.selectOption('Set an alias')
  await form.getByLabel('Alias', { exact: true }).fill('production')
  await form.getByLabel('Name', { exact: true }).fill('promote')
  await inspect(page)
  await form.getByRole('button', { name: 'Make the rule' }).click()
  await form.getByRole('alert').filter({ hasText: 'promote' }).waitFor()
  await form.getByLabel('Only the alias').fill('staging')
  await form.getByRole('button', { name: 'Make the rule' }).click()
  const row = page.getByRole('row', { name: /^promote/ })
  await row
    .getByText('When the alias "staging" of any object is set, set the alias "production" to that version.')
    .waitFor()

  await choose(page, 'promote', 'Duplicate')
  expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('promote-copy')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'promote', exact: true }).click()
  await page.getByRole('heading', { name: 'promote' }).waitFor()
  await page.reload()
  expect(await form.getByLabel('Only the alias').inputValue()).toBe('staging')
  await form.getByLabel('What it is for').fill('So that nobody forgets it.')
  await form.getByLabel('At most so often a day').fill('5')
  await form.getByRole('button', { name: 'Save the rule' }).click()
  await row.getByText('So that nobody forgets it.').waitFor()
})

it('every trigger has a preview, on a phone and in the dark', async () => {
  const page = await visit(rules, undefined, { width: 390, height: 800 })
  await page.getByRole('button', { name: 'Dark' }).click()
  await page.getByRole('row', { name: /^promote/ }).waitFor()
  await inspect(page)
  await page.keyboard.press('n')
  const form = page.getByRole('form', { name: 'Rule' })
  await matched(page, 3)
  await form.getByLabel('Only those that match').fill('city:Rome')
  await form.getByText('write inputs.city').waitFor()
  await form.getByLabel('Only those that match').fill('')
  await form.getByRole('button', { name: 'Filter', exact: true }).click()
  const builder = page.getByRole('dialog', { name: 'Add a condition' })
  await builder.getByLabel('Field').fill('inputs.city')
  await builder.getByLabel('Value').fill('Rome')
  await builder.getByRole('button', { name: 'Add', exact: true }).click()
  await matched(page, 1)
  await form.getByRole('button', { name: 'Failed calls, for a dataset' }).click()
  await matched(page, 0)
  await form.getByRole('button', { name: 'Column' }).click()
  await inspect(page)
  for (const trigger of [
    'A turn of an agent has ended',
    'An alias was set',
    'A dataset has a new version',
    'A run of an evaluation has ended',
    'A training job has ended',
  ]) {
    await form.getByLabel(/^When/).selectOption(trigger)
    await matched(page, 0)
    await inspect(page)
  }
  await form.getByLabel(/^When/).selectOption('A score or feedback has come')
  await page.getByText('Say what sets it off').waitFor()
  await form.getByLabel('Type of score or feedback').fill('wandb.reaction.1')
  await form.getByLabel('Its value is').selectOption('anything')
  await form.getByLabel('Path of its value').fill('emoji')
  await matched(page, 3)
  await form.getByRole('button', { name: 'New rows, for training' }).click()
  await inspect(page)
  await form.getByRole('button', { name: 'Good scores, for production' }).click()
  await form.getByRole('group', { name: 'Score 1' }).waitFor()
  await inspect(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

/** What people come for, and in how many clicks they have it, from the first screen of a project. The palette needs none. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import { Evaluations } from '../../test/support/evaluations.js'
import { hex, uuid7 } from '../../test/support/ids.js'
import { Receiver } from '../../test/support/receiver.js'
import { Stub } from '../../test/support/stub.js'
import { freshPage, inspect, server, visit } from './browser.js'
import { Clicks } from './clicks.js'

const project = `flow/${hex(4)}`
const first = `/${project}/weave`
const ids = { turn: uuid7(), dear: uuid7() }

const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const DAY = 24 * 60

/** What serves the models of a project of its own. */
async function withModels(): Promise<Evaluations> {
  const own = new Evaluations(server.api, `flow/${hex(4)}`)
  const val = { base_url: provider.url, api_key_name: '' }
  const obj = { project_id: own.project, object_id: 'stub', builtin_object_class: 'Provider', val }
  await server.api.ok('/obj/create', { obj })
  return own
}

let provider: Stub
let receiver: Receiver
afterAll(() => Promise.all([provider?.stop(), receiver?.stop()]))

beforeAll(async () => {
  provider = await Stub.start('chat-provider')
  receiver = await Receiver.start()
  const call = (id: string, op_name: string, minutes: number, more: object) => ({
    ...complete(project),
    ...{ id, trace_id: id, op_name, started_at: at(minutes), ended_at: at(minutes - 0.1), ...more },
  })
  const of = (user: string) => ({ attributes: { user_id: user } })
  const used = (tokens: number) => ({
    summary: { usage: { 'gpt-4o': { prompt_tokens: tokens, completion_tokens: 10, requests: 1 } } },
  })
  const made = (prompt_name: string, tokens: number, minutes: number) =>
    call(uuid7(), 'chat', minutes, {
      attributes: { prompt: { name: prompt_name } },
      ...{ prompt_name, prompt_version: '1' },
      ...used(tokens),
    })
  const turn = { thread_id: 'complaint', turn_id: ids.turn, trace_id: ids.turn }
  await server.api.ok(v2(project, 'calls/complete'), {
    batch: [
      call(ids.turn, 'support', 30, {
        ...turn,
        ...{ inputs: { question: 'Why was I charged twice?' }, output: 'I am sorry.' },
        ...of('ann@example.com'),
      }),
      call(uuid7(), 'find_charge', 29.95, {
        ...turn,
        ...{ parent_id: ids.turn, exception: 'TimeoutError: billing took 30 s', ...of('ann@example.com') },
      }),
      ...Array.from({ length: 8 }, (_, i) => {
        const id = uuid7()
        const own = { thread_id: `fine ${i}`, turn_id: id }
        return call(id, 'support', 20 - i, {
          ...own,
          ...{ inputs: { question: 'Thanks?' }, output: 'Welcome.', ...of(`user-${i}`) },
        })
      }),
      made('greeting', 900_000, 60),
      made('farewell', 1_000, 50),
      // Dearer, but not this week.
      made('history', 9_000_000, 20 * DAY),
    ],
  })
  for (const content of ['Be kind.\nBe short.', 'Be kind.\nBe exact.']) {
    const val = {
      ...{ _type: 'StringPrompt', _class_name: 'StringPrompt', _bases: ['Prompt', 'Object', 'BaseModel'] },
      ...{ name: 'greeting', content },
    }
    await server.api.ok('/obj/create', { obj: { project_id: project, object_id: 'greeting', val } })
  }
})

it("why a customer's conversation failed: three clicks", async () => {
  const page = await visit(first)
  const clicks = new Clicks(page)
  await clicks.link('End users')
  await clicks.link('ann@example.com')
  await clicks.link('Why was I charged twice?')
  await page.getByText('TimeoutError: billing took 30 s').first().waitFor()
  expect(clicks.count).toBeLessThanOrEqual(3)
})

it('the most expensive prompt of the week, and what changed in it: four clicks', async () => {
  const page = await visit(first)
  const clicks = new Clicks(page)
  await clicks.link('Prompts')
  await page.getByRole('row').nth(1).getByText('history').waitFor()
  await clicks.choose('Uses of', '7')
  await page.getByRole('row').nth(1).getByText('greeting').waitFor()
  await inspect(page)
  await clicks.link('greeting')
  await clicks.tab('Compare')
  await page.getByText('− Be short.').waitFor()
  await page.getByText('+ Be exact.').waitFor()
  expect(clicks.count).toBeLessThanOrEqual(4)
})

it('what became worse since the run before: two clicks; since any other: three', async () => {
  const own = await withModels()
  const exact = await own.scorer('exact', 'ExactMatchScorer', { trim: true })
  const rows = ['Paris', 'Rome', 'Oslo'].map((city) => ({ question: `say ${city}`, expected: city }))
  const evaluation = await own.evaluation(rows, [exact])
  const worse = { messages_template: [{ role: 'user', content: 'say Rome' }] }
  for (const model of [
    await own.model('stub/one', {}, 'good'),
    await own.model('stub/one', worse, 'bad'),
    await own.model('stub/one', worse, 'as-bad'),
  ])
    await own.ended(await own.begin(evaluation, model))
  const page = await visit(`/${own.project}/weave`)
  const clicks = new Clicks(page)
  await clicks.link('Evaluations')
  const run = (model: string) => page.getByRole('row', { name: `of ${model} ` })
  await clicks.on(run('bad').getByRole('link', { name: 'Regressions' }))
  const results = page.getByRole('rowgroup', { name: 'Rows of Rows' }).getByRole('row')
  await results.nth(1).getByText('passed 0 (−1)').waitFor()
  await expect.poll(() => results.count()).toBe(2)
  await inspect(page)
  expect(clicks.count).toBeLessThanOrEqual(3)

  // Also of two runs that are no neighbours, and by keys.
  await page.goto(`/${own.project}/weave`)
  const others = new Clicks(page)
  await others.link('Evaluations')
  await others.on(run('good').getByRole('checkbox'))
  await run('as-bad').getByRole('link', { name: 'Regressions' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('columnheader', { name: 'as-bad', exact: true }).waitFor()
  await results.nth(1).getByText('passed 0 (−1)').waitFor()
  await expect.poll(() => results.count()).toBe(2)
  expect(others.count + 1).toBeLessThanOrEqual(3)

  // Two of the rows are picked by hand, for a dataset and for people.
  await page.getByRole('checkbox', { name: 'Choose row 2' }).check()
  await page.getByRole('button', { name: 'Add to queue' }).click()
  await page.getByRole('dialog').getByText('Make a queue first').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add to dataset' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rows to a dataset' })
  await dialog.getByLabel('Dataset').fill('hard')
  await inspect(page)
  await dialog.getByRole('button', { name: 'Add the rows' }).click()
  await dialog.getByRole('link', { name: 'Open hard' }).click()
  await page.getByText('1 row').first().waitFor()
})

it("a production call's prompt is changed and run over a dataset, scored and kept: ten clicks", async () => {
  const own = await withModels()
  const rows = ['Rome', 'Oslo'].map((city) => ({ city }))
  await server.api.ok(v2(own.project, 'datasets'), { name: 'cities', rows })
  const called = {
    ...complete(own.project),
    ...{ op_name: 'greet', started_at: at(5), ended_at: at(4) },
    inputs: { model: 'stub/one', messages: [{ role: 'user', content: 'say I love Bern' }] },
  }
  await server.api.ok(v2(own.project, 'calls/complete'), { batch: [called] })
  const page = await visit(`/${own.project}/weave`)
  const clicks = new Clicks(page)
  await clicks.link('greet')
  await clicks.link('Try again with…')
  await clicks.write('Message 1', 'say I really love {city}')
  await clicks.tab('Over a dataset')
  await clicks.choose('Dataset', 'cities')
  await clicks.button('Run over rows')
  await page.getByRole('table', { name: 'Answers by row' }).getByText('I really love Oslo').waitFor()
  await clicks.on(page.getByText('Evaluate all rows'))
  await clicks.button('Start the evaluation')
  await page.getByText('All rows are done.').waitFor()
  await clicks.link('Results')
  await page.getByRole('rowgroup', { name: 'Rows of Rows' }).getByText('I really love Oslo').waitFor()
  expect(clicks.count).toBeLessThanOrEqual(10)
})

it('a colleague who may only read: four clicks, and one of theirs', async () => {
  const page = await visit(first)
  const clicks = new Clicks(page)
  await clicks.link('Settings')
  await clicks.button('Invite somebody')
  await inspect(page)
  await clicks.button('Make a link')
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' })
  const link = new URL((await dialog.getByText('/invitation#').textContent()) ?? '')
  await clicks.on(dialog.getByRole('button', { name: 'Copy' }))
  const colleague = await freshPage()
  const theirs = new Clicks(colleague)
  await colleague.goto(link.pathname + link.hash)
  await colleague.getByLabel('or a user name').fill(`ann-${hex(4)}@example.com`)
  await theirs.button('Accept the invitation')
  await colleague.getByRole('link', { name: project }).waitFor()
  await colleague.goto(`${first}/traces`)
  await colleague.getByLabel('Select all').check()
  await colleague.getByRole('button', { name: 'Export', exact: true }).waitFor()
  expect(await colleague.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0)
  expect(clicks.count + theirs.count).toBeLessThanOrEqual(5)
})

it('an alert that tells somebody: six clicks', async () => {
  const channel = { type: 'webhook', url: `${receiver.url}/hook` }
  await server.api.ok('/notifications/channels/save', { project_id: project, name: 'hook', channel })
  const page = await visit(first)
  const clicks = new Clicks(page)
  await clicks.link('Alerts')
  await clicks.button('New alert')
  await clicks.button('Cost')
  await clicks.write('Name', 'dear')
  await clicks.on(page.getByLabel('hook'))
  await clicks.button('Make the alert')
  await page.getByRole('row', { name: /^dear/ }).waitFor()
  expect(clicks.count).toBeLessThanOrEqual(6)
})

it('the palette leads to screens, things, ids and what was seen, by keys alone', async () => {
  const page = await visit(first)
  const palette = page.getByRole('dialog', { name: 'Go to anything' })
  const field = page.getByRole('combobox', { name: 'Where to, or what to do' })
  const chosen = palette.getByRole('option', { selected: true })
  const go = async (text: string, shows: string) => {
    await page.keyboard.press('Control+k')
    await field.fill(text)
    await chosen.getByText(shows).waitFor()
    await page.keyboard.press('Enter')
    await palette.waitFor({ state: 'detached' })
  }
  await page.getByRole('link', { name: 'Threads' }).waitFor()
  await page.keyboard.press('Control+k')
  await chosen.waitFor()
  await inspect(page)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => field.getAttribute('aria-activedescendant')).toBe('palette-option-0')
  await field.fill('no such thing')
  await page.getByText('Nothing fits.').waitFor()
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'detached' })

  await go('endus', 'End users')
  await page.getByText('9 end users').waitFor()
  await go('greeting', 'greeting')
  await page.getByRole('heading', { name: 'greeting' }).waitFor()
  await go(ids.turn, 'Call with this id')
  await page.getByRole('region', { name: 'The call' }).waitFor()
  await go('complaint', 'Thread with this id')
  await page.getByRole('heading', { name: 'complaint' }).waitFor()
  await go('greeting objects', 'Seen lately')
  await page.getByRole('heading', { name: 'greeting' }).waitFor()
  const theme = () => page.locator('html').getAttribute('data-theme')
  const before = await theme()
  await go('theme', 'theme')
  await expect.poll(theme).not.toBe(before)
  await page.getByRole('button', { name: 'Go to anything (Ctrl K)' }).click()
  await chosen.waitFor()
  await inspect(page)
})

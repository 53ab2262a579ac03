/** What people come for, and in how many clicks they have it, from the first screen of a project. The palette needs none. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import { hex, uuid7 } from '../../test/support/ids.js'
import { inspect, server, visit } from './browser.js'

const project = `flow/${hex(4)}`
const first = `/${project}/weave`
const ids = { turn: uuid7(), dear: uuid7() }

const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const DAY = 24 * 60

beforeAll(async () => {
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
  } as never)
  for (const content of ['Be kind.\nBe short.', 'Be kind.\nBe exact.']) {
    const val = {
      ...{ _type: 'StringPrompt', _class_name: 'StringPrompt', _bases: ['Prompt', 'Object', 'BaseModel'] },
      ...{ name: 'greeting', content },
    }
    await server.api.ok('/obj/create', { obj: { project_id: project, object_id: 'greeting', val } })
  }
})

/** Counts what a person clicks on a page; to choose from a list is a click, too. */
class Clicks {
  count = 0

  constructor(private readonly page: Page) {}

  async link(name: string | RegExp): Promise<void> {
    this.count++
    await this.page
      .getByRole('main')
      .or(this.page.getByRole('navigation'))
      .getByRole('link', { name })
      .first()
      .click()
  }

  async tab(name: string): Promise<void> {
    this.count++
    await this.page.getByRole('tab', { name }).click()
  }

  async choose(label: string, option: string): Promise<void> {
    this.count++
    await this.page.getByLabel(label).selectOption(option)
  }
}

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
  expect(await field.getAttribute('aria-activedescendant')).toBe('palette-option-0')
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

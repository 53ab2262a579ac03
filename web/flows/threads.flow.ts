import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import { hex, uuid7 } from '../../test/support/ids.js'
import { inspect, server, visit } from './browser.js'

const project = `flow/${hex(4)}`
const threads = `/${project}/weave/threads`
const LONG = 300
const script = '<img src=x onerror=alert(1)>'

const at = (seconds: number) => new Date(Date.parse('2026-06-01T12:00:00Z') + seconds * 1000).toISOString()
const turn = (thread_id: string, second: number, more: object) => {
  const id = uuid7()
  const times = { started_at: at(second), ended_at: at(second + 1) }
  return {
    ...complete(project),
    id,
    turn_id: id,
    thread_id,
    trace_id: uuid7(),
    op_name: 'assistant',
    ...times,
    ...more,
  }
}

beforeAll(async () => {
  const first = turn('order 4471/a', 0, {
    attributes: { user_id: 'ann@example.com' },
    inputs: { question: 'Where is **my** order?' },
    output: 'It is shipped.',
  })
  const chat = {
    messages: [
      { role: 'user', content: 'Where is **my** order?' },
      { role: 'assistant', content: 'It is shipped.' },
      { role: 'user', content: `And ${script}?` },
    ],
  }
  const second = turn('order 4471/a', 60, {
    inputs: chat,
    output: { role: 'assistant', content: 'On *Friday*.' },
  })
  const step = (op_name: string, more: object) => ({
    ...complete(project),
    ...{
      thread_id: 'order 4471/a',
      turn_id: first.id,
      trace_id: first.trace_id,
      parent_id: first.id,
      op_name,
    },
    ...more,
  })
  const long = Array.from({ length: LONG }, (_, i) =>
    turn('long', 100 + i, { inputs: { question: `Question ${i}` }, output: { answer: `Answer ${i}` } }),
  )
  await server.api.ok(v2(project, 'calls/complete'), {
    batch: [
      first,
      second,
      step('lookup', { inputs: { id: 4471 }, output: { status: 'shipped' } }),
      step('carrier', {
        exception: 'KeyError: 4471',
        attributes: { user_id: 'ann@example.com' },
        summary: { usage: { 'gpt-4o-mini': { prompt_tokens: 1200, completion_tokens: 80, requests: 1 } } },
      }),
      ...long,
    ],
  })
  await server.api.ok('/feedback/create', {
    project_id: project,
    weave_ref: `weave:///${project}/call/${first.id}`,
    feedback_type: 'wandb.reaction.1',
    payload: { emoji: '👎' },
  })
})

const turns = (page: Page) => page.getByRole('region', { name: /^Turn / })

/** As long as what is looked for by its name. */
const PATIENT = { timeout: 60_000 }

it('threads are found by what was said, sorted and opened', async () => {
  const page = await visit(`/${project}/weave`)
  await page.getByRole('link', { name: 'Threads' }).click()
  await page.getByText('2 threads').waitFor()
  await page.getByRole('row').nth(1).getByText('long').waitFor()
  await page.getByLabel('Sort').selectOption('Most errors')
  const row = page.getByRole('row').nth(1)
  // What was asked first, the end user, turns, errors, tokens, and what was said of it.
  for (const text of ['Where is **my** order?', 'order 4471/a', 'ann@example.com', '1,280', '👎 1'])
    await row.getByText(text, { exact: true }).waitFor()
  await row.getByText(/^\$0\.0/).waitFor()
  await inspect(page)
  await page.getByLabel('Find by what was said').fill('IS SHIPPED')
  await page.getByText('1 thread', { exact: true }).waitFor()
  await page.getByLabel('With errors').check()
  await page.reload()
  await page.getByText('1 thread', { exact: true }).waitFor()
  await page.getByLabel('Find by what was said').fill('Question 7')
  await page.getByText('No thread matches').waitFor()
  await page.getByRole('button', { name: 'Show all threads' }).click()
  await page.getByText('2 threads').waitFor()
  await page.getByRole('link', { name: 'order 4471/a' }).click()
  await page.getByText('2 turns').waitFor()
  await page.reload()
  await page.getByText('2 turns').waitFor()
  await expect.poll(() => page.title(), PATIENT).toContain('Where is **my** order?')
  await page.goBack()
  await page.getByText('2 threads').waitFor()
})

it('a thread is a chat: its turns, with what failed in sight, once each', async () => {
  const page = await visit(`${threads}/${encodeURIComponent('order 4471/a')}`)
  const messages = page.getByRole('article')
  // What formats a message is loaded with the first one.
  await expect
    .poll(() => messages.allInnerTexts(), PATIENT)
    .toEqual([
      expect.stringContaining('Where is my order?'),
      expect.stringContaining('It is shipped.'),
      expect.stringContaining(script),
      expect.stringContaining('On Friday.'),
    ])
  await page.getByText('1 error', { exact: true }).waitFor()
  await page.getByText('1 failed').waitFor()
  await page.getByText('KeyError: 4471').first().waitFor()
  const first = turns(page).first()
  for (const text of ['👎', '1,280 tokens']) await first.getByText(text, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'lookup' }).click()
  await page.getByText('4471', { exact: true }).waitFor()
  await inspect(page)
  await first.getByRole('link', { name: 'assistant' }).click()
  await page.getByRole('link', { name: 'thread order 4471/a' }).click()
  await page.getByText('2 turns').waitFor()
})

it('an end user has a page: activity, threads, and what was said of the answers', async () => {
  const page = await visit(`/${project}/weave`)
  await page.getByRole('link', { name: 'End users' }).click()
  await page.getByRole('heading', { name: 'End users' }).waitFor()
  // What it logged was long ago.
  await page.getByLabel('Time').selectOption('any time')
  await page.getByText('1 end user', { exact: true }).waitFor()
  await inspect(page)
  await page.getByLabel('Find an end user').fill('bob')
  await page.getByText('No end user matches').waitFor()
  await page.getByLabel('Find an end user').fill('ANN')
  await page.getByRole('link', { name: 'ann@example.com' }).click()
  await page.getByText('Calls by day').first().waitFor()
  await page.getByRole('region', { name: 'Reactions and scores' }).getByText('👎').waitFor()
  const last = page.getByRole('region', { name: 'Last threads' })
  await last.getByText('Where is **my** order?').waitFor()
  await inspect(page)
  await last.getByRole('link', { name: 'order 4471/a' }).click()
  await page.getByRole('link', { name: 'ann@example.com' }).click()
  await page.getByRole('region', { name: 'Altogether' }).waitFor()
})

it('of a long thread only what is seen is in the page', async () => {
  const page = await visit(`${threads}/long`)
  await page.getByText(`${LONG} turns`).waitFor()
  await page.getByText('Answer 0', { exact: true }).waitFor()
  await expect.poll(() => turns(page).count()).toBeLessThan(20)
  await page.keyboard.press('G')
  await page.getByText(`Answer ${LONG - 1}`).waitFor()
  await expect.poll(() => turns(page).count()).toBeLessThan(20)
  await inspect(page)
})

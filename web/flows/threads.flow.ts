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
      step('carrier', { exception: 'KeyError: 4471' }),
      ...long,
    ],
  } as never)
})

const turns = (page: Page) => page.getByRole('region', { name: /^Turn / })

it('threads are found, sorted and opened', async () => {
  const page = await visit(`/${project}/weave`)
  await page.getByRole('link', { name: 'Threads' }).click()
  await page.getByText('2 shown').waitFor()
  await page.getByRole('row').nth(1).getByText('long').waitFor()
  await inspect(page)
  await page.getByLabel('Find by id').fill('4471')
  await page.getByText('1 shown').waitFor()
  await page.reload()
  await page.getByText('1 shown').waitFor()
  await page.getByRole('link', { name: 'order 4471/a' }).click()
  await page.getByText('2 turns').waitFor()
  await page.reload()
  await page.getByText('2 turns').waitFor()
  await page.goBack()
  await page.getByText('1 shown').waitFor()
})

it('a thread is a chat: its turns, with their steps folded, once each', async () => {
  const page = await visit(`${threads}/${encodeURIComponent('order 4471/a')}`)
  const messages = page.getByRole('article')
  // What formats a message is loaded with the first one.
  await expect
    .poll(() => messages.allInnerTexts())
    .toEqual([
      expect.stringContaining('Where is my order?'),
      expect.stringContaining('It is shipped.'),
      expect.stringContaining(script),
      expect.stringContaining('On Friday.'),
    ])
  const lookup = page.getByRole('button', { name: 'lookup' })
  expect(await lookup.isVisible()).toBe(false)
  await page.getByText('2 steps').click()
  await page.getByText('1 failed').waitFor()
  await lookup.click()
  await page.getByText('4471', { exact: true }).waitFor()
  await inspect(page)
  await turns(page).first().getByRole('link', { name: 'assistant' }).click()
  await page.getByRole('link', { name: 'thread order 4471/a' }).click()
  await page.getByText('2 turns').waitFor()
})

it('of a long thread only what is seen is in the page', async () => {
  const page = await visit(`${threads}/long`)
  await page.getByText(`${LONG} turns`).waitFor()
  await page.getByText('Answer 0', { exact: true }).waitFor()
  expect(await turns(page).count()).toBeLessThan(20)
  await page.keyboard.press('G')
  await page.getByText(`Answer ${LONG - 1}`).waitFor()
  expect(await turns(page).count()).toBeLessThan(20)
  await inspect(page)
})

/**
 * Texts that whoever is traced can send, made to be slow to show. Each viewer takes processor time in proportion to the
 * text, and never holds the page for long. Measures the time of the page's main thread, not the clock.
 */
import type { CDPSession, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { complete, v2 } from '../../test/support/calls.js'
import { hex, uuid7 } from '../../test/support/ids.js'
import { server, visit } from './browser.js'
import { expectQuiet } from './chromium.js'

/** A page that takes less than this between two looks has nothing left to do. */
const QUIET_MS = 3
const LOOK_MS = 60

const project = `slow/${hex(4)}`

/** Below what markdown is formatted up to. */
const SIZE = 98_000
const line = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
const lines = (unit: string, size: number, each = 1_900) =>
  `${line(unit, each)}\n`.repeat(Math.ceil(size / (each + 1)))

const TEXTS: Record<string, (size: number) => string> = {
  'a table rule of blanks': (size) => `a|b\n${' '.repeat(size)}x`,
  'a table of many columns': (size) => `${lines('|a', 1_800)}${lines('|-', 1_800)}${'x\n'.repeat(size / 20)}`,
  'emphasis that opens': (size) => lines('*a _b **c __d ~~e ', size),
  'emphasis that closes': (size) => lines('a* b_ c** ', size),
  'links that open': (size) => lines('[a](', size),
  'runs of backticks': (size) => lines('`a``b```c````', size),
  'quotes in quotes': (size) => `${line('> ', 200)}a\n${'b\n'.repeat(size / 2)}`,
  'lists in lists': (size) => lines('- ', size),
  'code that is none': (size) => `\`\`\`ts\n${line('*', size)}\n\`\`\`\n`,
  'code of brackets': (size) =>
    '```ts\n([{'
      .padEnd(2_000, '([{*/')
      .concat('\n```\n')
      .repeat(Math.ceil(size / 2_000)),
  'one line': (size) => line('wide ', size * 10),
  'many lines': (size) => 'a\n'.repeat(size),
  'deep JSON': (size) => '['.repeat(size) + ']'.repeat(size),
}

interface Addresses {
  call: string
  difference: string
}

/** A call, and two versions of an object, with the text wherever one can be. */
async function seed(name: string, size: number): Promise<Addresses> {
  const text = TEXTS[name]!(size)
  const id = uuid7()
  const op = await server.api.ok(v2(project, 'ops'), { name: `op${hex(4)}`, source_code: text })
  const tool = { id: '1', type: 'function', function: { name: 'tool', arguments: text } }
  const call = {
    ...complete(project),
    ...{
      id,
      op_name: `weave:///${project}/op/${op.object_id}:${op.digest}`,
      display_name: `${name} ${size}`,
    },
    inputs: {
      messages: [
        { role: 'user', content: text },
        { role: 'assistant', tool_calls: [tool] },
      ],
    },
    output: text,
  }
  await server.api.post(v2(project, 'calls/complete'), { batch: [call] })
  const object_id = `o${hex(4)}`
  const digests: string[] = []
  for (const end of ['x', 'y z']) {
    const val = { text: `${text.replaceAll('a', end)}${end}` }
    digests.push(
      (await server.api.ok('/obj/create', { obj: { project_id: project, object_id, val } })).digest as string,
    )
  }
  return {
    call: `/${project}/r/call/${id}`,
    difference: `/${project}/weave/objects/${object_id}/versions/${digests[1]}?tab=diff&against=${digests[0]}`,
  }
}

let page: Page
let session: CDPSession
beforeAll(async () => {
  page = await visit(`/${project}/weave/traces`)
  page.setDefaultTimeout(10_000)
  session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  // What is loaded with the first text is no part of it.
  await costs('code that is none', 1_000)
})

/** Goes to another address as a link does: the page stays loaded. */
const go = (href: string) =>
  page.evaluate((to) => {
    interface Router {
      navigate: (by: { href: string }) => Promise<void>
    }
    return (window as unknown as { __TSR_ROUTER__: Router }).__TSR_ROUTER__.navigate({ href: to })
  }, href)

/** Milliseconds of the page's main thread so far. */
async function spent(): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000
}

/** What `act` takes, and all that it put off. */
async function costOf(act: () => Promise<void>): Promise<number> {
  const before = await spent()
  await act()
  for (let last = 0, now = await spent(); now - last > QUIET_MS; ) {
    await page.waitForTimeout(LOOK_MS)
    last = now
    now = await spent()
  }
  return (await spent()) - before
}

const tab = (name: string) => page.getByRole('tab', { name, exact: true })

/** What each viewer of a text takes. */
async function costs(name: string, size: number): Promise<Record<string, number>> {
  const { call, difference } = await seed(name, size)
  return {
    conversation: await costOf(async () => {
      await go(call)
      await page.getByRole('heading', { name: `${name} ${size}`, level: 2 }).waitFor()
      await page.getByRole('article').nth(1).waitFor()
    }),
    data: await costOf(async () => {
      await tab('Data').click()
      await page.locator('.detail-part').first().waitFor()
    }),
    search: await costOf(async () => {
      await page.getByRole('search').getByRole('searchbox').first().fill('a')
      await page.getByRole('search').locator('output').first().waitFor()
      // What is too large is read part by part, and is no table.
      const asTable = page.getByRole('button', { name: 'Table' }).first()
      if (!(await asTable.isVisible())) return
      await asTable.click()
      await page.locator('.content-table').waitFor()
    }),
    code: await costOf(async () => {
      await tab('Code').click()
      await page.getByRole('tabpanel').locator('.snippet').waitFor()
    }),
    table: await costOf(async () => {
      await go(`/${project}/weave/traces?all=true&cols=name,inputs,output`)
      await page.getByRole('rowgroup').getByRole('row').first().waitFor()
    }),
    difference: await costOf(async () => {
      await go(difference)
      await page.locator('.changes-lines').waitFor()
    }),
  }
}

/** Of a text that is four times as long, how many times longer a viewer may take; for what is quick, so many ms more. */
const RATIO = 6
const SLACK_MS = 150
const MOST_MS = 3_000

/** Other work on the machine makes a page slower: what is too slow is measured again, and the least counts. */
const TRIES = 3

/** By viewer, the least that was measured so far. */
const least = (known: Record<string, number> | undefined, found: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(found).map(([viewer, ms]) => [viewer, Math.min(ms, known?.[viewer] ?? ms)]),
  )

it.each(Object.keys(TEXTS))('%s is shown in time that grows with its length', async (name) => {
  let whole: Record<string, number> | undefined
  let quarter: Record<string, number> | undefined
  let slow: string[] = []
  for (let i = 0; i === 0 || (i < TRIES && slow.length > 0); i++) {
    whole = least(whole, await costs(name, SIZE))
    slow = []
    // What is quick where it is whole needs no comparison.
    if (Object.values(whole).every((ms) => ms < SLACK_MS)) break
    quarter = least(quarter, await costs(name, SIZE / 4))
    slow = Object.entries(whole)
      .filter(([viewer, ms]) => ms >= MOST_MS || ms >= RATIO * quarter![viewer]! + SLACK_MS)
      .map(([viewer, ms]) => `${viewer}: ${ms} ms, ${quarter![viewer]} ms for a quarter of it`)
  }
  expect(slow).toEqual([])
  expectQuiet(page)
})

// `make bench-web`: opens what is large in Chromium, written through the interface: traces of 30,000 and 100,000 spans, a
// call with 20 MB of JSON, a thread of 5,000 messages, a table of ten million calls (BENCH_CALLS). Measures when each can be
// used, the longest task, how long frames take while it is scrolled and zoomed, and the memory; the script of each screen,
// the memory of ten minutes of a live list (BENCH_LIVE_SECONDS), and what axe finds on each screen meanwhile (BENCH_AXE=0
// leaves it out). With BENCH_WEB_PEER, see bench-web-peer.mjs, what Phoenix can show is opened in turns with ours. A size of 0
// leaves a part out. Writes bench/results/<date>-web.md. A quarter of an hour is the ten minutes of Live and the ten million
// calls: `BENCH_CALLS=1000000 BENCH_LIVE_SECONDS=120` is quick.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { target } from '../dist/bench/ingest.js'
import { runLoad } from '../dist/bench/load/run-load.js'
import { hex } from '../dist/test/support/ids.js'
import { exportRequest } from '../dist/test/support/otlp.js'
import { Server } from '../dist/test/support/server.js'
import { chromium } from '../web/node_modules/playwright-core/index.mjs'
import { Phoenix } from './bench-web-peer.mjs'

const SPANS = Number(process.env.BENCH_SPANS ?? 30_000)
const MANY_SPANS = Number(process.env.BENCH_MANY_SPANS ?? 100_000)
const JSON_BYTES = Number(process.env.BENCH_JSON_BYTES ?? 20_000_000)
const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 5_000)
const CALLS = Number(process.env.BENCH_CALLS ?? 10_000_000)
const LIVE_SECONDS = Number(process.env.BENCH_LIVE_SECONDS ?? 600)
const AXE = Number(process.env.BENCH_AXE ?? 1)
const PEER = process.env.BENCH_WEB_PEER ?? ''
/** What both products are given: traces of four spans, besides the large one. Each case is opened so often. */
const PEER_TRACES = Number(process.env.BENCH_PEER_TRACES ?? 5_000)
const ROUNDS = 3
const PEER_COLUMNS = ['', 'Heddle', 'Phoenix', 'Phoenix to Heddle']
const DAYS = 30
const BATCH = 2_000
const FRAMES = 240
/** Pixels a frame: four screens a second, and more than thirty, as when the bar is dragged. */
const PACES = [
  ['as one looks', 47],
  ['as the bar is dragged', 397],
]
const WAIT = { timeout: 60_000 }
/** For Phoenix, which took more than a minute on a busy machine. */
const PATIENCE = { timeout: 300_000 }
const project = 'bench/web'
const SCREENS = [
  ...['traces', 'threads', 'end-users', 'agents', 'dashboards', 'sql', 'evaluations', 'datasets', 'queues'],
  ...[
    'prompts',
    'playground',
    'training',
    'training/new',
    'objects',
    'monitors',
    'alerts',
    'rules',
    'settings',
  ],
]

const server = await Server.start()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  // Phoenix's pages ask for fonts and releases of other hosts: with or without the internet, the same.
  args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
})
let peer
try {
  if (PEER !== '') peer = await Phoenix.start(PEER)
  const sections = []
  for (const [size, title, measure, columns = ['', 'measured', 'must']] of [
    [SPANS, `a trace of ${shown(SPANS)} spans`, () => measureTrace(SPANS, { usable: '1,000 ms' })],
    [
      MANY_SPANS,
      `a trace of ${shown(MANY_SPANS)} spans`,
      () => measureTrace(MANY_SPANS, { usable: '2,500 ms' }),
    ],
    [JSON_BYTES, `a call with ${shown(JSON_BYTES / 1e6)} MB of JSON`, measureJson],
    [MESSAGES, `a thread of ${shown(MESSAGES)} messages`, measureThread],
    [CALLS, `a table of ${shown(CALLS)} calls`, measureTable],
    [1, 'script before a screen is painted', measureScript],
    [peer ? 1 : 0, `${peer?.version} beside, with the same spans`, measurePeer, PEER_COLUMNS],
    [LIVE_SECONDS + AXE, `${shown(LIVE_SECONDS)} seconds of a live list, and axe`, measureLiveAndAxe],
  ]) {
    if (size === 0) continue
    const began = performance.now()
    const rows = await measure()
    const lines = [columns, columns.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`)
    sections.push(`## ${title[0].toUpperCase()}${title.slice(1)}\n\n${lines.join('\n')}\n`)
    console.log(`${sections.at(-1)}(${((performance.now() - began) / 1000).toFixed(0)} s)\n`)
  }
  const date = new Date().toISOString().slice(0, 10)
  const load = loadavg()[0].toFixed(1)
  const head = `# The pages, ${date}\n\n\`make bench-web\`: ${availableParallelism()} cores with the server and Chromium, without a GPU, on the same ones; load ${load}\nwhen it ended. A task is measured in processor time of the page's own thread: nothing else happens on the page meanwhile. Frames come\nevery 16.7 ms at best: 60 a second.\n`
  writeFileSync(`bench/results/${date}-web.md`, [head, ...sections].join('\n'))
} finally {
  await browser.close()
  await peer?.stop()
  await server.dispose()
}

/** A page that has visited `warm`, so that its files are in the browser's cache. */
async function freshPage(warm) {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.request.post('/session', { data: { key: server.key } })
  await page.goto(warm)
  await page.getByRole('main').waitFor(WAIT)
  return page
}

/** Opens `path`; `isThere` waits until it can be used, `isWhole` until all of it is there. */
async function opened(page, path, isThere, isWhole = () => undefined) {
  let [usable, whole] = [0, 0]
  const pause = await pauseOf(page, async () => {
    const began = performance.now()
    await page.goto(path, { waitUntil: 'commit' })
    await isThere()
    usable = performance.now() - began
    await isWhole()
    whole = performance.now() - began
  })
  return { usable, whole, pause }
}

/** Waits for so many elements that have a text. Looks at each frame: `waitFor` looks half a second apart after the fifth time. */
function shownIn(page, selector, { many = 1, text = '', without } = {}, wait = WAIT) {
  return page.waitForFunction(
    ([selector, many, text, without]) =>
      [...document.querySelectorAll(selector)].filter(
        ({ textContent }) =>
          textContent.includes(text) && (without === undefined || !textContent.includes(without)),
      ).length >= many,
    [selector, many, text, without],
    wait,
  )
}

/** ms of processor time of the longest task of the page's thread while `work` runs. */
async function pauseOf(page, work) {
  return Math.max(0, ...(await tasksOf(page, work)))
}

/** ms of processor time of each task of the page's thread while `work` runs: others on the machine don't count. */
async function tasksOf(page, work) {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  await work()
  const { traceEvents: events } = JSON.parse((await browser.stopTracing()).toString())
  const mains = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = events.filter(({ pid, tid, tdur }) => tdur !== undefined && mains.has(`${pid} ${tid}`))
  return tasks.map(({ tdur }) => tdur / 1000)
}

/** Rows of the table: the heap of the page's thread, and its whole process with its workers. */
async function memoryOf(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { processInfo } = await (await browser.newBrowserCDPSession()).send('SystemInfo.getProcessInfo')
  const resident = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(
      ({ id }) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1000,
    )
  return [
    ['heap of the page', `${(usedSize / 1e6).toFixed(0)} MB`, '300 MB'],
    ['its process, with workers and what all pages share', `${Math.max(...resident).toFixed(0)} MB`, ''],
  ]
}

async function measureTrace(spans, must) {
  const root = await writeTrace(spans)
  const page = await freshPage(`/${project}/r/call/${await writeOne()}`)
  await page.getByRole('treeitem').first().waitFor(WAIT)
  const { usable, whole, pause } = await opened(
    page,
    `/${project}/r/call/${root}`,
    () => shownIn(page, '[role=treeitem]', { many: 11 }),
    () => shownIn(page, '.trace-sums', { without: 'Reading' }),
  )
  const firstByte = await page.evaluate(() => performance.getEntriesByType('navigation')[0].responseStart)
  const scrolled = await scrollRows(page, '[role=tree]')
  const zoomed = []
  const box = await page.getByRole('img', { name: 'All spans over time' }).boundingBox()
  for (let i = 0; i < 8; i++) {
    await page.mouse.move(box.x + 40 + i * 20, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + 240 + i * 20, box.y + 20, { steps: 4 })
    zoomed.push(...(await framesOf(page, () => undefined, 10)))
    await page.mouse.up()
  }
  const memory = await memoryOf(page)
  await page.context().close()
  return [
    ['usable after', `${usable.toFixed(0)} ms`, must.usable ?? ''],
    ['of that, first byte of the page', `${firstByte.toFixed(0)} ms`, ''],
    ['all its spans after', `${whole.toFixed(0)} ms`, ''],
    ['longest task until then', `${pause.toFixed(0)} ms`, ''],
    ...scrolled,
    ['zooming, frame p50 / p95', frameText(zoomed), '16 ms'],
    ...memory,
  ]
}

async function measureJson() {
  const call = complete()
  const record = (i) => ({
    id: i,
    name: `record ${i}`,
    tags: ['a', 'b'],
    text: 'x'.repeat(200),
    score: i / 7,
  })
  const records = Array.from({ length: Math.ceil(JSON_BYTES / JSON.stringify(record(1)).length) }, (_, i) =>
    record(i),
  )
  await write([{ ...call, inputs: { records } }])
  const page = await freshPage(`/${project}/r/call/${await writeOne()}`)
  await page.getByRole('treeitem').first().waitFor(WAIT)
  const detail = page.getByRole('region', { name: 'The call' })
  const { usable, pause } = await opened(page, `/${project}/r/call/${call.id}`, () =>
    shownIn(page, '[aria-label="The call"]', { text: 'records' }),
  )
  const rowOf = (text) => detail.locator('.json-row').filter({ hasText: text }).last()
  const inside = await pauseOf(page, async () => {
    const records = rowOf('records').locator('.json-toggle')
    if ((await records.getAttribute('aria-expanded')) === 'false') await records.click()
    const group = page.getByText('1000 … 1999', { exact: true })
    await detail.locator('.json-row').filter({ has: group }).locator('.json-toggle').click()
    await detail
      .locator('.json-key')
      .filter({ hasText: /^1000$/ })
      .waitFor(WAIT)
  })
  const scrolled = await scrollRows(page, '.json-scroll')
  const memory = await memoryOf(page)
  await page.context().close()
  return [
    ['usable after', `${usable.toFixed(0)} ms`, ''],
    ['longest task until then', `${pause.toFixed(0)} ms`, '100 ms'],
    [
      `longest task while its list of ${shown(records.length)} is opened`,
      `${inside.toFixed(0)} ms`,
      '100 ms',
    ],
    ...scrolled,
    ...memory,
  ]
}

async function measureThread() {
  const thread = 'long'
  const turns = Array.from({ length: MESSAGES / 2 }, (_, i) => {
    const call = complete()
    const at = new Date(Date.now() - 3_600_000 + i * 100).toISOString()
    const inputs = { messages: [{ role: 'user', content: `Question ${i}, in **some** words.` }] }
    const output = { choices: [{ message: { role: 'assistant', content: `Answer ${i}.\n\n- one\n- two` } }] }
    return { ...call, started_at: at, ended_at: at, thread_id: thread, turn_id: call.id, inputs, output }
  })
  for (let from = 0; from < turns.length; from += BATCH) await write(turns.slice(from, from + BATCH))
  const page = await freshPage(`/${project}/weave/threads`)
  const { usable, pause } = await opened(page, `/${project}/weave/threads/${thread}`, () =>
    shownIn(page, 'main', { text: 'Answer 0.' }),
  )
  const scroller = await page.evaluate(() => {
    const all = [...document.querySelectorAll('main *')]
    const found = all.filter(
      (one) => one.scrollHeight > one.clientHeight + 1000 && getComputedStyle(one).overflowY !== 'visible',
    )
    found.at(-1).id = 'bench-scroller'
    return found.length
  })
  if (scroller === 0) throw new Error('nothing scrolls')
  const scrolled = await scrollRows(page, '#bench-scroller')
  const memory = await memoryOf(page)
  await page.context().close()
  return [
    ['usable after', `${usable.toFixed(0)} ms`, ''],
    ['longest task until then', `${pause.toFixed(0)} ms`, ''],
    ...scrolled,
    ...memory,
  ]
}

/** A table of many calls: when its rows stand, from the beginning and after the server's answer. */
async function measureTable() {
  const many = 'bench/many'
  const [start, step] = [Date.now() * 1000 - DAYS * 86_400e6, Math.floor((DAYS * 86_400e6) / CALLS)]
  await runLoad({
    ...{ ...target(server, many), spans: 1_000, encoding: 'identity', connections: 48 },
    ...{ warmSeconds: 0, seconds: 3_600, total: CALLS, firstSerial: 1e8, seed: 7, clock: { start, step } },
  })
  const page = await freshPage(`/${project}/r/call/${await writeOne()}`)
  await page.addInitScript(recordRows)
  const path = `/${many}/weave/traces`
  const first = await rowsAfter(page, () => page.goto(path))
  const next = await rowsAfter(page, () =>
    page.locator('.traces-scroll').evaluate((table) => table.scrollTo(0, table.scrollHeight)),
  )
  const query = encodeURIComponent('op_name~step_7')
  const filtered = await rowsAfter(page, () => page.goto(`${path}?all=true&q=${query}`))
  const scrolled = await scrollRows(page, '.traces-scroll')
  const memory = await memoryOf(page)
  await page.context().close()
  const shownAs = ({ whole, after }) => `${whole.toFixed(0)} ms; ${after.toFixed(0)} ms`
  return [
    ['first rows: in all; after the answer', shownAs(first), '500 ms; –'],
    ['next page: in all; after the answer', shownAs(next), '–; 100 ms'],
    ['those whose name has a text: in all; after the answer', shownAs(filtered), ''],
    ...scrolled,
    ...memory,
  ]
}

/** Compressed bytes of the scripts that had come when a screen showed its first content, without a cache. */
async function measureScript() {
  const call = await writeOne()
  const paths = [
    ...SCREENS.map((one) => `/${project}/weave/${one}`),
    `/${project}/r/call/${call}`,
    '/',
    '/settings',
  ]
  const sizes = []
  for (const path of paths) {
    const cold = await browser.newContext({ baseURL: server.url })
    await cold.request.post('/session', { data: { key: server.key } })
    const first = await cold.newPage()
    await first.goto(path, { waitUntil: 'commit' })
    await first.waitForFunction(
      () => (document.querySelector('main')?.textContent ?? '').trim().length > 12,
      undefined,
      WAIT,
    )
    sizes.push([path.replace(`/${project}/`, ''), await scriptBytes(first)])
    await cold.close()
  }
  const largest = sizes.toSorted(([, a], [, b]) => b - a).slice(0, 3)
  return largest.map(([path, bytes]) => [path, `${(bytes / 1000).toFixed(0)} kB`, '220 kB'])
}

/** Compressed bytes of the scripts that a page has loaded. */
function scriptBytes(page) {
  return page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  )
}

/** Neither measures time, so they may go on at once. */
async function measureLiveAndAxe() {
  const rows = await Promise.all([LIVE_SECONDS > 0 ? measureLive() : [], AXE > 0 ? measureAxe() : []])
  return rows.flat()
}

/** MB in use on the heap of a page. */
async function heapOf(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1e6
}

/** The heap of the traces while new ones come, beside what it was after the first minute; here, and in Phoenix. */
async function measureLive() {
  const lists = [{ page: await freshPage(`/${project}/weave/traces?live=true`), heaps: [] }]
  if (peer) {
    await peer.send(Buffer.from(exportRequest({ spans: spansOf(4, Date.now()) })), 4)
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
    await page.goto(`${await peer.stored()}/traces`)
    lists.push({ page, heaps: [] })
  }
  const look = async () => {
    for (const { page, heaps } of lists) heaps.push(await heapOf(page))
  }
  const until = Date.now() + LIVE_SECONDS * 1000
  const settled = Date.now() + Math.min(60, LIVE_SECONDS / 5) * 1000
  let calls = 0
  while (Date.now() < until) {
    await write(Array.from({ length: 5 }, complete))
    const roots = Array.from({ length: 5 }, () => spansOf(1, Date.now())[0])
    await peer?.send(Buffer.from(exportRequest({ spans: roots })), roots.length)
    calls += 5
    await new Promise((done) => setTimeout(done, 1_000))
    if (Date.now() >= settled && calls % 100 === 0) await look()
  }
  await look()
  for (const { page } of lists) await page.context().close()
  const rows = lists.flatMap(({ heaps }, i) => {
    const [of, must] = i === 0 ? ['', '20 MB'] : [', Phoenix', '']
    const shownHeaps = [heaps[0], Math.max(...heaps), heaps.at(-1)].map((mb) => `${mb.toFixed(1)} MB`)
    return [
      [`heap at first; at most; at last${of}`, shownHeaps.join('; '), ''],
      [`it grew by${of}`, `${(heaps.at(-1) - heaps[0]).toFixed(1)} MB`, must],
    ]
  })
  return [['calls that came', shown(calls), ''], ...rows]
}

/** A list of traces and a large trace, in Phoenix and here in turns: the same spans over OTLP, the same code, medians. */
async function measurePeer() {
  const beside = 'bench/beside'
  const headers = { 'content-type': 'application/x-protobuf', project_id: beside }
  const give = async (spans) => {
    const body = Buffer.from(exportRequest({ spans }))
    await peer.send(body, spans.length)
    await server.api.send('POST', '/otel/v1/traces', body, headers)
  }
  const now = Date.now()
  for (let at = 0; at < PEER_TRACES; at += 500)
    await give(
      Array.from({ length: Math.min(500, PEER_TRACES - at) }, (_, i) =>
        spansOf(4, now - 7_200_000 + (at + i) * 100),
      ).flat(),
    )
  const large = spansOf(SPANS, now - 120_000)
  for (let at = 0; at < SPANS; at += BATCH) await give(large.slice(at, at + BATCH))
  const theirs = await peer.stored()
  const { traceId, spanId } = large[0]
  const list = (page) => shownIn(page, '.traces-rows [role=row]')
  const tree = (page) => shownIn(page, '[role=treeitem]', { many: 11 })
  const sides = [
    {
      list: [`${server.url}/${beside}/weave/traces`, list],
      trace: [`${server.url}/${beside}/r/call/${spanId}`, tree],
    },
    {
      list: [`${theirs}/traces`, (page) => shownIn(page, 'main tbody tr', {}, PATIENCE)],
      trace: [
        `${theirs}/traces/${traceId}`,
        (page) => shownIn(page, '#trace-tree .span-controls', { many: 11 }, PATIENCE),
      ],
    },
  ]
  const figures = []
  for (const side of sides) {
    const cold = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await cold.request.post(`${server.url}/session`, { data: { key: server.key } })
    const page = await cold.newPage()
    page.setDefaultTimeout(PATIENCE.timeout)
    const [path, isThere] = side.list
    await page.goto(path, { waitUntil: 'commit' })
    await isThere(page)
    figures.push({ page, script: await scriptBytes(page), list: [], trace: [], pause: [], heap: [] })
  }
  for (let round = 0; round <= ROUNDS; round++)
    for (const [i, side] of sides.entries())
      for (const part of ['list', 'trace']) {
        const [path, isThere] = side[part]
        const { page, ...kept } = figures[i]
        const { usable, pause } = await opened(page, path, () => isThere(page))
        // The first has no compiled scripts.
        if (round > 0) kept[part].push(usable)
        if (round > 0 && part === 'trace') {
          kept.pause.push(pause)
          kept.heap.push(await heapOf(page))
        }
        // What it does then is no part of the other's.
        await page.goto('about:blank')
      }
  for (const { page } of figures) await page.context().close()
  const row = (name, of, unit) => {
    const [own, other] = figures.map(of)
    return [name, `${own.toFixed(0)} ${unit}`, `${other.toFixed(0)} ${unit}`, (other / own).toFixed(1)]
  }
  const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
  return [
    row(`first rows of ${shown(PEER_TRACES)} traces`, ({ list }) => middle(list), 'ms'),
    row('script until then, nothing cached', ({ script }) => script / 1000, 'kB'),
    row(`a trace of ${shown(SPANS)} spans, usable`, ({ trace }) => middle(trace), 'ms'),
    row('longest task until then', ({ pause }) => middle(pause), 'ms'),
    row('heap of the page then', ({ heap }) => middle(heap), 'MB'),
  ]
}

/** The spans of a trace, each with six below it. @param start ms since the epoch */
function spansOf(many, start) {
  const [traceId, ids] = [hex(16), Array.from({ length: many }, () => hex(8))]
  const at = (ms) => BigInt(start + ms) * 1_000_000n
  return ids.map((spanId, i) => ({
    ...{ traceId, spanId, name: `step ${i % 40}` },
    ...(i > 0 && { parentId: ids[Math.floor((i - 1) / 6)] }),
    ...{ start: at(i * 3), end: at(i === 0 ? many * 3 + 100 : i * 3 + 40 + (i % 50)) },
    attributes: {
      'input.value': 'what came in, in a few words',
      'output.value': 'what came out',
      'openinference.span.kind': 'CHAIN',
    },
  }))
}

/** What axe finds serious, by the flow that visits all screens. */
async function measureAxe() {
  const flow = [
    'vitest',
    'run',
    '--project',
    'web',
    'web/flows/circumstances.flow.ts',
    '-t',
    'axe finds nothing serious',
  ]
  const child = spawn('npx', flow, {
    env: { ...process.env, AXE_ALL: 'true' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (some) => {
    said = (said + some).slice(-4000)
  })
  const [status] = await once(child, 'close')
  if (status !== 0) console.error(said)
  return [['serious findings', status === 0 ? 'none' : 'some: see above', 'none']]
}

/** In the page: notes when the table becomes longer. */
function recordRows() {
  window.rowsGrew = []
  let height = 0
  const look = () => {
    const now = document.querySelector('.traces-rows')?.clientHeight ?? 0
    if (now > height) window.rowsGrew.push(performance.now())
    height = now
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** ms from `act` until the table became longer, and of these the ones after the server's answer. */
async function rowsAfter(page, act) {
  const before = Date.now()
  const grown = await page.evaluate(() => window.rowsGrew?.length ?? 0).catch(() => 0)
  await act()
  const wanted = (await page.evaluate(() => performance.timeOrigin)) > before ? 1 : grown + 1
  await page.waitForFunction((many) => window.rowsGrew.length >= many, wanted, WAIT)
  const { grew, answered, origin } = await page.evaluate((many) => {
    const grew = window.rowsGrew[many - 1]
    const answers = performance
      .getEntriesByType('resource')
      .filter(({ name, responseEnd }) => name.endsWith('/calls/stream_query') && responseEnd <= grew)
    return { grew, answered: answers.at(-1).responseEnd, origin: performance.timeOrigin }
  }, wanted)
  return { whole: origin + grew - before, after: grew - answered }
}

/** A whole call with current times. */
function complete() {
  const now = new Date().toISOString()
  const [id, trace] = [crypto.randomUUID(), crypto.randomUUID()]
  const content = {
    attributes: {},
    inputs: { text: 'what came in, in a few words' },
    output: { text: 'what came out' },
    summary: {},
  }
  return {
    project_id: project,
    id,
    trace_id: trace,
    op_name: 'step',
    started_at: now,
    ended_at: now,
    ...content,
  }
}

async function writeOne() {
  const call = complete()
  await write([call])
  return call.id
}

async function writeTrace(spans) {
  const trace = crypto.randomUUID()
  const ids = Array.from({ length: spans }, () => crypto.randomUUID())
  const start = Date.now() - 120_000
  const at = (ms) => new Date(start + ms).toISOString()
  for (let from = 0; from < spans; from += BATCH) {
    const calls = ids.slice(from, from + BATCH).map((id, k) => {
      const i = from + k
      const parent = i === 0 ? undefined : ids[Math.floor((i - 1) / 6)]
      const times = { started_at: at(i * 3), ended_at: at(i === 0 ? 100_000 : i * 3 + 40 + (i % 50)) }
      const failed = i % 997 === 1 && { exception: 'ValueError: no' }
      return {
        ...complete(),
        id,
        trace_id: trace,
        parent_id: parent,
        op_name: `step ${i % 40}`,
        ...times,
        ...failed,
      }
    })
    await write(calls)
  }
  return ids[0]
}

async function write(batch) {
  const answer = await server.api.post(`/v2/${project}/calls/complete`, { batch })
  if (answer.status !== 200) throw new Error(answer.text)
}

function shown(number) {
  return number.toLocaleString('en')
}

function frameText(frames) {
  return `${percentile(frames, 50)} / ${percentile(frames, 95)} ms`
}

/** Rows of the table, of the element of `selector` scrolled far at every frame. */
async function scrollRows(page, selector) {
  const rows = []
  for (const [pace, step] of PACES) {
    const scroll = () =>
      framesOf(
        page,
        (i, [chosen, step]) => {
          const list = document.querySelector(chosen)
          list.scrollTop = (i * step) % Math.max(1, list.scrollHeight - list.clientHeight)
        },
        FRAMES,
        [selector, step],
      )
    // Frames are counted by themselves: a trace that is taken meanwhile slows them.
    rows.push([`scrolling ${pace}, frame p50 / p95`, frameText(await scroll()), '16 ms'])
    const tasks = await tasksOf(page, scroll)
    const busy = tasks.reduce((sum, ms) => sum + ms, 0) / FRAMES
    rows.push(["of the page's thread for a frame of it, mean", `${busy.toFixed(1)} ms`, '8 ms'])
  }
  return rows
}

/** ms between frames while `move` is called before each. */
function framesOf(page, move, frames = FRAMES, argument = '') {
  return page.evaluate(
    ([source, most, given]) =>
      new Promise((resolve) => {
        const moving = new Function(`return ${source}`)()
        const took = []
        let last
        const frame = (now) => {
          if (last !== undefined) took.push(now - last)
          last = now
          if (took.length >= most) return resolve(took)
          moving(took.length, given)
          requestAnimationFrame(frame)
        }
        requestAnimationFrame(frame)
      }),
    [String(move), frames, argument],
  )
}

function percentile(values, percent) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))].toFixed(1)
}

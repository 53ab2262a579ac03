// `make bench-web`: opens a trace of 30,000 spans in Chromium, written through the interface, and measures when it can be
// used, how long frames take while it is scrolled and zoomed, and the memory. Writes bench/results/<date>-web.md.
import { writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { Server } from '../dist/test/support/server.js'
import { chromium } from '../web/node_modules/playwright-core/index.mjs'

const SPANS = Number(process.env.BENCH_SPANS ?? 30_000)
const BATCH = 2_000
const FRAMES = 240
const project = 'bench/web'

const server = await Server.start()
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
try {
  const root = await writeTrace()
  const page = await (
    await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } })
  ).newPage()
  await page.request.post('/session', { data: { key: server.key } })
  // The pages' files are in the browser's cache, as after an earlier visit.
  await page.goto(`/${project}/r/call/${await writeOne()}`)
  await page.getByRole('treeitem').first().waitFor()

  const link = `/${project}/r/call/${root}`
  const began = performance.now()
  await page.goto(link)
  await page.getByRole('treeitem').nth(10).waitFor()
  const usable = performance.now() - began
  const answer = await page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation')
    return entry.responseStart
  })
  const scrolled = await framesOf(page, (i) => {
    const list = document.querySelector('[role=tree]')
    list.scrollTop = (i * 397) % (list.scrollHeight - list.clientHeight)
  })
  const zoomed = []
  const box = await page.getByRole('img', { name: 'All spans over time' }).boundingBox()
  for (let i = 0; i < 8; i++) {
    await page.mouse.move(box.x + 40 + i * 20, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + 240 + i * 20, box.y + 20, { steps: 4 })
    zoomed.push(...(await framesOf(page, () => undefined, 10)))
    await page.mouse.up()
  }
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const rows = [
    ['usable after', `${usable.toFixed(0)} ms`, '1,000 ms'],
    ['of that, first byte of the page', `${answer.toFixed(0)} ms`, ''],
    ['scrolling, frame p50 / p95', `${percentile(scrolled, 50)} / ${percentile(scrolled, 95)} ms`, '16 ms'],
    ['zooming, frame p50 / p95', `${percentile(zoomed, 50)} / ${percentile(zoomed, 95)} ms`, '16 ms'],
    ['heap of the page', `${(usedSize / 1e6).toFixed(0)} MB`, '300 MB'],
  ]
  const date = new Date().toISOString().slice(0, 10)
  const text = `# The pages, ${date}\n\n\`make bench-web\`: a trace of ${SPANS.toLocaleString('en')} spans, ${availableParallelism()} cores with the server and\nChromium without a GPU on the same ones, load ${loadavg()[0].toFixed(1)} when it ended.\n\n| | measured | must |\n|---|---|---|\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`
  console.log(text)
  writeFileSync(`bench/results/${date}-web.md`, text)
} finally {
  await browser.close()
  await server.dispose()
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

async function writeTrace() {
  const trace = crypto.randomUUID()
  const ids = Array.from({ length: SPANS }, () => crypto.randomUUID())
  const start = Date.now() - 120_000
  const at = (ms) => new Date(start + ms).toISOString()
  for (let from = 0; from < SPANS; from += BATCH) {
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

/** ms between frames while `move` is called before each. */
function framesOf(page, move, frames = FRAMES) {
  return page.evaluate(
    ([source, most]) =>
      new Promise((resolve) => {
        const moving = new Function(`return ${source}`)()
        const took = []
        let last
        const frame = (now) => {
          if (last !== undefined) took.push(now - last)
          last = now
          if (took.length >= most) return resolve(took)
          moving(took.length)
          requestAnimationFrame(frame)
        }
        requestAnimationFrame(frame)
      }),
    [String(move), frames],
  )
}

function percentile(values, percent) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))].toFixed(1)
}

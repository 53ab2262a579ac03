/**
 * No body holds the main thread: every route of a running service that takes one, on both ports and as the served
 * documents describe it, is sent long, wide, deep and wrong bodies up to its limit. What the thread uses of a processor
 * between two turns of its event loop is measured, not how long an answer takes. A new route is in it without being named.
 * One run sends to every route that takes more than {@link LARGE}, and to one in five of the others, whose bodies
 * `platform/http/main-thread.test.ts` reads in every run; which ones is in the test's name, and HEDDLE_TURNS_PART asks
 * for a part again. `make soak` sends to all.
 *
 * Nor does what a body costs grow faster than the body: lists of items of one id or in a ring of parents, and long
 * expressions, are sent whole and by half.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { HostileBodies, type Schema } from '../support/hostile-bodies.js'
import { freshProject } from '../support/ids.js'
import { exportRequest, inProject } from '../support/otlp.js'
import { freePorts } from '../support/ports.js'
import { RedisProcess } from '../support/redis.js'
import { root } from '../support/root.js'
import { rounds } from '../support/rounds.js'
import { Server } from '../support/server.js'
import { SECRETS } from './table/alerts.js'

/** What a turn may use, in milliseconds of a processor as fast as where this was set: see {@link slowness}. */
const TURN_MS = 50
/**
 * A body that took too long is sent again, and its shortest time counts: code was cold, memory was collected, or another
 * thread had the same core, and that is not its doing. It counts where all that was sent is stored, which makes reads
 * long, and where none is, which makes writes long.
 */
const TRIES = 6
/** What twice as much may cost, as a multiple of what half of it does, */
const MOST_GROWTH = 3
/** where it costs more than this: less is lost in what else the thread does. In milliseconds of a processor. */
const COUNTS_MS = 30
/** Most values of a body that grows: in a list that is read on the main thread, they cost milliseconds. */
const GROWING = { bytes: 1 << 20, values: 40_000 }
/** Most bytes of a body: routes that accept more read it in pieces. */
const LARGEST = 128 << 20
/** Most bytes of a body of many values, and of bodies that are sent together. */
const LARGE = 4 << 20
/** Most JSON values of a body that is parsed here: more are refused at once. */
const VALUES = 60_000
/** Into how many parts the routes of small bodies fall, of which a run takes one: */
const PARTS = rounds(1) > 1 ? 1 : 5
const PART = Number(process.env.HEDDLE_TURNS_PART ?? Date.now()) % PARTS
/** Bodies that are on their way at once: while one waits for the store, the next is sent. */
const TOGETHER = 4

const folder = mkdtempSync(join(tmpdir(), 'heddle-turns-'))
let redis: RedisProcess
let server: Server
let trainingUrl: string
beforeAll(async () => {
  redis = await RedisProcess.start()
  const [port = 0] = await freePorts(1)
  trainingUrl = `http://127.0.0.1:${port}`
  const preload = pathToFileURL(join(root, 'test/support/turns.mjs')).href
  server = await Server.start({
    env: {
      ...{ REDIS_URL: redis.url, ...SECRETS, HEDDLE_CHAT: 'true', HEDDLE_TRAINING_PORT: `${port}` },
      // Nobody listens there: what this test sends has no answer of a model.
      ...{ HEDDLE_NODES: '127.0.0.1:9', HEDDLE_CHAT_SECONDS: '1' },
      ...{ NODE_OPTIONS: `--import ${preload}`, HEDDLE_TEST_TURNS: folder },
    },
  })
  writeFileSync(join(folder, String(server.pid)), '', { flag: 'a' })
})
afterAll(async () => {
  await server?.dispose()
  await redis?.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface Operation {
  requestBody?: { 'x-max-bytes': number; content: Record<string, { schema: Schema }> }
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}
interface Route {
  method: string
  /** as the document names it */
  path: string
  url: string
  project: string
  sent: Iterable<Sent>
  growing: Iterable<{ name: string; whole: Sent; half: Sent }>
  /** What to send again: the same, and where it names a project, the same for one that holds none of it. */
  again: (sent: Sent) => (() => Promise<Sent>)[]
}
interface Sent {
  name: string
  type: string
  body: string | Uint8Array<ArrayBuffer>
}

/** Every route with a body that is one of JSON, of protobuf or of a form, and what it is sent. */
async function* everything(base: string): AsyncGenerator<Route> {
  const document = (await (await fetch(`${base}/openapi.json`)).json()) as Document
  const project = freshProject()
  const [entity = '', name = ''] = project.split('/')
  const there = base === trainingUrl ? await aModel(entity, name) : await aTable(project)
  const named = { project_id: project, entity, project: name, ...there }
  const inEvents = { ...named, type: 'trace-create', timestamp: '2026-01-01T00:00:00Z' }
  let small = 0
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, { requestBody }] of Object.entries(operations)) {
      if (!requestBody) continue
      if (requestBody['x-max-bytes'] <= LARGE && small++ % PARTS !== PART) continue
      const filled = path
        .replace('{entity}', entity)
        .replace('{project}', name)
        .replaceAll(/\{\w+\}/g, 'x')
      const { content, 'x-max-bytes': most } = requestBody
      const isEvents = path === '/api/public/ingestion'
      const bodies = new HostileBodies(document.components.schemas, isEvents ? inEvents : named)
      yield {
        method: method.toUpperCase(),
        path,
        url: `${base}${filled}?project_id=${project}`,
        project,
        sent: sentTo(bodies, content, most, project),
        growing: growingAt(bodies, content),
        again: (sent) => {
          const { body } = sent
          const same = async () => sent
          if (base === trainingUrl || typeof body !== 'string') return [same]
          const anew = async () => {
            const other = freshProject()
            await aTable(other)
            return { ...sent, body: body.replaceAll(project, other) }
          }
          return [same, anew]
        },
      }
    }
  }
}

/** A model that a job can be for. */
async function aModel(entity: string, project: string): Promise<Record<string, string>> {
  const asked = { entity, project, name: 'swept', base_model: 'demo' }
  const { id } = await post<{ id: string }>(`${trainingUrl}/v1/preview/models`, asked)
  return { model_id: id, model: `${entity}/${project}/swept` }
}

/** A table that can be changed. */
async function aTable(project: string): Promise<Record<string, string>> {
  const rows = Array.from({ length: 1_000 }, (_, n) => ({ n }))
  const asked = { table: { project_id: project, rows } }
  const { digest } = await post<{ digest: string }>(`${server.url}/table/create`, asked)
  return { base_digest: digest }
}

async function post<T>(url: string, body: unknown): Promise<T> {
  const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

function* sentTo(
  bodies: HostileBodies,
  content: Record<string, { schema: Schema }>,
  limit: number,
  project: string,
): Generator<Sent> {
  const most = Math.min(limit, LARGEST)
  for (const [type, { schema }] of Object.entries(content)) {
    if (/json$/.test(type)) {
      const wide = { bytes: Math.min(most, LARGE) - 2_000, values: most > LARGE ? LARGE : VALUES }
      for (const one of bodies.worst(schema, wide, most - 2_000)) yield { ...one, type }
    } else if (/protobuf$/.test(type)) {
      const spans = Array.from({ length: 800 }, () => ({
        ...{ traceId: crypto.randomUUID().replaceAll('-', ''), spanId: 'aaaaaaaaaaaaaaaa' },
        attributes: { text: 'x'.repeat(5_000) },
      }))
      const body = exportRequest({ attributes: inProject(project), spans })
      yield { name: 'wide spans', type, body: new Uint8Array(body) }
      yield { name: 'zeros', type, body: new Uint8Array(most - 1) }
    } else {
      const form = (content: string) =>
        `--b\r\nContent-Disposition: form-data; name="project_id"\r\n\r\n${project}\r\n${content}--b--\r\n`
      const file = (content: string) =>
        `--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n${content}\r\n`
      const boundary = `${type}; boundary=b`
      yield { name: 'a large file', type: boundary, body: form(file('x'.repeat(most - 2_000))) }
      yield { name: 'many parts', type: boundary, body: form(file('x').repeat(20_000)) }
      yield { name: 'many boundaries', type: boundary, body: form(file('\r\n--b'.repeat(500_000))) }
    }
  }
}

function* growingAt(
  bodies: HostileBodies,
  content: Record<string, { schema: Schema }>,
): Generator<{ name: string; whole: Sent; half: Sent }> {
  for (const [type, { schema }] of Object.entries(content)) {
    if (!/json$/.test(type)) continue
    for (const { name, whole, half } of bodies.growing(schema, GROWING))
      yield { name, whole: { name, type, body: whole }, half: { name, type, body: half } }
  }
}

/** What the server's main thread has used of a processor, in milliseconds. */
function used(): number {
  const { pid } = server
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
}

/** What the main thread uses for a request, in milliseconds of a processor. */
async function costOf(route: Route, sent: Sent): Promise<number> {
  const before = used()
  await answered(route, sent)
  return used() - before
}

/** How much more the whole costs than its half, at best; 1 where it costs next to nothing. */
async function growthOf(route: Route, whole: Sent, half: Sent): Promise<number> {
  let [most, least] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let i = 0; i < TRIES; i++) {
    most = Math.min(most, await costOf(route, whole))
    if (most < COUNTS_MS) return 1
    least = Math.min(least, await costOf(route, half))
    if (i > 0 && most / least <= MOST_GROWTH) break
  }
  return most / least
}

/** Sends these at once, and returns the longest turn since then, as it would be on a processor of the usual speed. */
async function longestTurn(route: Route, some: readonly Sent[]): Promise<number> {
  const before = notes().length
  const slowBefore = slowness()
  await Promise.all(some.map((one) => answered(route, one)))
  // One more turn, so that these requests' last one is noted.
  await (await fetch(`${server.url}/health`)).arrayBuffer()
  return Math.max(0, ...notes().slice(before)) / Math.max(slowBefore, slowness())
}

async function answered({ method, url, project }: Route, { type, body }: Sent): Promise<void> {
  const headers = {
    authorization: `Bearer ${server.key}`,
    'content-type': type,
    // Some clients name it here.
    project_id: project,
  }
  try {
    await (await fetch(url, { method, headers, body })).arrayBuffer()
  } catch {
    // A stream that can't go on is cut off; what matters here is what it took.
  }
}

/** Turns that were noted so far. */
function notes(): number[] {
  return readFileSync(join(folder, String(server.pid)), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(Number)
}

it(`no route holds the main thread, whatever its body is, part ${PART} of ${PARTS}`, {
  timeout: 2_400_000,
}, async () => {
  const slow: string[] = []
  let routes = 0
  let grown = 0
  for (const base of [server.url, trainingUrl]) {
    for await (const route of everything(base)) {
      routes++
      for (const { name, whole, half } of route.growing) {
        grown++
        if ((await costOf(route, whole)) < COUNTS_MS) continue
        const growth = await growthOf(route, whole, half)
        if (growth > MOST_GROWTH)
          slow.push(`${route.method} ${route.path}: ${growth.toFixed(1)} times the cost of its half, ${name}`)
        const ms = await shortest(route, async () => whole)
        if (ms > TURN_MS) slow.push(`${route.method} ${route.path}: ${ms} ms, ${name}`)
      }
      for (const some of batches(route.sent)) {
        if ((await longestTurn(route, some)) <= TURN_MS) continue
        for (const one of some) {
          for (const next of route.again(one)) {
            const ms = await shortest(route, next)
            if (ms > TURN_MS)
              slow.push(`${route.method} ${route.path}: ${ms} ms, ${one.name}, ${one.body.length} bytes`)
          }
        }
      }
    }
  }
  expect(slow.join('\n')).toBe('')
  expect(routes).toBeGreaterThan(150 / PARTS)
  expect(grown).toBeGreaterThan(150 / PARTS)
  // Its start alone has long turns: none means that nothing was noted.
  expect(notes().length).toBeGreaterThan(0)
})

/** The longest turn of what is sent, at best. */
async function shortest(route: Route, next: () => Promise<Sent>): Promise<number> {
  let ms = Number.POSITIVE_INFINITY
  for (let i = 0; i < TRIES && ms > TURN_MS; i++) ms = Math.min(ms, await longestTurn(route, [await next()]))
  return Math.round(ms)
}

/** JSON that takes as long to read as it takes here where nothing else runs. */
const KNOWN = { text: JSON.stringify(Array.from({ length: 40_000 }, (_, n) => ({ n, text: 'x' }))), ms: 16 }

/** How many times longer than usual this machine takes at this moment, which others use too; 1 or more. */
function slowness(): number {
  const before = process.cpuUsage()
  JSON.parse(KNOWN.text)
  const { user, system } = process.cpuUsage(before)
  return Math.max(1, (user + system) / 1000 / KNOWN.ms)
}

it('a batch of Langfuse that is sent again costs about as much', { timeout: 120_000 }, async () => {
  const project = freshProject()
  const timestamp = '2026-06-01T12:00:00Z'
  const batch = Array.from({ length: 1_000 }, (_, i) => ({
    ...{ id: `e${i}`, type: 'span-create', timestamp },
    body: { id: `s${i}`, traceId: 't', startTime: timestamp, input: 'x'.repeat(50) },
  }))
  const headers = {
    'content-type': 'application/json',
    authorization: `Basic ${Buffer.from(`${project}:${server.key}`).toString('base64')}`,
  }
  const cost = async () => {
    const before = cpuOf(server)
    const sent = { method: 'POST', headers, body: JSON.stringify({ batch }) }
    const answer = await fetch(`${server.url}/api/public/ingestion`, sent)
    expect(answer.status).toBe(207)
    await answer.text()
    return cpuOf(server) - before
  }
  const first = await cost()
  // Eight times, when each twenty of its spans were replaced alone.
  expect(Math.min(await cost(), await cost()) / first).toBeLessThan(4)
})

/** Seconds of a processor that the server and its children have used. */
function cpuOf(some: Server): number {
  return [some.pid, ...some.children()].reduce((sum, pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return sum + (Number(fields[11]) + Number(fields[12])) / 100
  }, 0)
}

function* batches(all: Iterable<Sent>): Generator<Sent[]> {
  let some: Sent[] = []
  for (const one of all) {
    if (one.body.length > LARGE) {
      yield [one]
      continue
    }
    some.push(one)
    if (some.length < TOGETHER) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

/**
 * No body holds the main thread: every route of a running service that takes one, on both ports and as the served
 * documents describe it, is sent long, wide, deep and wrong bodies up to its limit. What the thread uses of a processor
 * between two turns of its event loop is measured, not how long an answer takes. A new route is in it without being named.
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
import { Server } from '../support/server.js'

/** What a turn may use, in milliseconds of a processor. */
const TURN_MS = 50
/**
 * A body that took too long is sent again, and its shortest time counts: code was cold, memory was collected, or another
 * thread had the same core, and that is not its doing. It counts where all that was sent is stored, which makes reads
 * long, and where none is, which makes writes long.
 */
const TRIES = 6
/** Most bytes of a body: routes that accept more read it in pieces. */
const LARGEST = 128 << 20
/** Most bytes of a body of many values, and of bodies that are sent together. */
const LARGE = 4 << 20
/** Most JSON values of a body that is parsed here: more are refused at once. */
const VALUES = 60_000
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
      ...{ REDIS_URL: redis.url, HEDDLE_CHAT: 'true', HEDDLE_TRAINING_PORT: `${port}` },
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
  sent: Iterable<Sent>
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
  const bodies = new HostileBodies(document.components.schemas, named)
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, { requestBody }] of Object.entries(operations)) {
      if (!requestBody) continue
      const filled = path
        .replace('{entity}', entity)
        .replace('{project}', name)
        .replaceAll(/\{\w+\}/g, 'x')
      const { content, 'x-max-bytes': most } = requestBody
      yield {
        method: method.toUpperCase(),
        path,
        url: `${base}${filled}?project_id=${project}`,
        sent: sentTo(bodies, content, most, project),
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

/** Sends these at once, and returns the longest turn since then. */
async function longestTurn({ method, url }: Route, some: readonly Sent[]): Promise<number> {
  const before = notes().length
  await Promise.all(some.map((one) => answered(method, url, one)))
  // One more turn, so that these requests' last one is noted.
  await (await fetch(`${server.url}/health`)).arrayBuffer()
  return Math.max(0, ...notes().slice(before))
}

async function answered(method: string, url: string, { type, body }: Sent): Promise<void> {
  const headers = { authorization: `Bearer ${server.key}`, 'content-type': type }
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

it('no route holds the main thread, whatever its body is', { timeout: 600_000 }, async () => {
  const slow: string[] = []
  let routes = 0
  for (const base of [server.url, trainingUrl]) {
    for await (const route of everything(base)) {
      routes++
      for (const some of batches(route.sent)) {
        if ((await longestTurn(route, some)) <= TURN_MS) continue
        for (const one of some) {
          for (const next of route.again(one)) {
            let ms = Number.POSITIVE_INFINITY
            for (let i = 0; i < TRIES && ms > TURN_MS; i++)
              ms = Math.min(ms, await longestTurn(route, [await next()]))
            if (ms > TURN_MS)
              slow.push(`${route.method} ${route.path}: ${ms} ms, ${one.name}, ${one.body.length} bytes`)
          }
        }
      }
    }
  }
  expect(slow).toEqual([])
  expect(routes).toBeGreaterThan(80)
  // Its start alone has long turns: none means that nothing was noted.
  expect(notes().length).toBeGreaterThan(0)
})

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

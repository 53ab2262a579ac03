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
import { HostileBodies, LARGE, type Schema } from '../../platform/testing/hostile-bodies.js'
import { freshProject } from '../support/ids.js'
import { exportRequest, inProject } from '../support/otlp.js'
import { freePorts } from '../support/ports.js'
import { RedisProcess } from '../support/redis.js'
import { root } from '../support/root.js'
import { Server } from '../support/server.js'

/** What a turn may use, in milliseconds of a processor. */
const TURN_MS = 50
/** Processors that others use as well, and whose threads share their cores, take so much longer for the same. */
const SHARED = 2
/** A body that took too long is sent again: code was cold, or memory was collected, and that is not its doing. */
const TRIES = 3
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
  url: string
  sent: Iterable<Sent>
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
  const named = { project_id: project, entity, project: name, ...(await modelOf(base, entity, name)) }
  const bodies = new HostileBodies(document.components.schemas, named)
  let turn = 0
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
        url: `${base}${filled}?project_id=${project}`,
        sent: sentTo(bodies, content, most, turn++, project),
      }
    }
  }
}

/** A model that a job can be for, where this is the training interface. */
async function modelOf(base: string, entity: string, project: string): Promise<Record<string, string>> {
  if (base !== trainingUrl) return {}
  const answer = await fetch(`${base}/v1/preview/models`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ entity, project, name: 'swept', base_model: 'demo' }),
  })
  const { id } = (await answer.json()) as { id: string }
  return { model_id: id, model: `${entity}/${project}/swept` }
}

function* sentTo(
  bodies: HostileBodies,
  content: Record<string, { schema: Schema }>,
  most: number,
  turn: number,
  project: string,
): Generator<Sent> {
  for (const [type, { schema }] of Object.entries(content)) {
    if (/json$/.test(type)) {
      for (const one of bodies.fitting(schema, LARGE, turn)) yield { ...one, type }
      if (most > LARGE.bytes * 2)
        for (const one of bodies.largest(schema, { bytes: most - 2 ** 20, values: 2 ** 18 }, turn))
          yield { ...one, type }
    } else if (/protobuf$/.test(type)) {
      const spans = Array.from({ length: 2_000 }, () => ({
        ...{ traceId: crypto.randomUUID().replaceAll('-', ''), spanId: 'aaaaaaaaaaaaaaaa' },
        attributes: { text: 'x'.repeat(5_000) },
      }))
      yield {
        name: 'wide spans',
        type,
        body: new Uint8Array(exportRequest({ attributes: inProject(project), spans })),
      }
      yield { name: 'zeros', type, body: new Uint8Array(most - 1) }
    } else {
      const form = (content: string) =>
        `--b\r\nContent-Disposition: form-data; name="project_id"\r\n\r\n${project}\r\n${content}--b--\r\n`
      const file = (length: number) =>
        `--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n${'x'.repeat(length)}\r\n`
      const boundary = `${type}; boundary=b`
      yield { name: 'a large file', type: boundary, body: form(file(most - 2_000)) }
      yield { name: 'many parts', type: boundary, body: form(file(1).repeat(20_000)) }
      yield {
        name: 'many boundaries',
        type: boundary,
        body: form(file(1).replace('x', '\r\n--b'.repeat(500_000))),
      }
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
        if ((await longestTurn(route, some)) <= TURN_MS * SHARED) continue
        for (const one of some) {
          let ms = Number.POSITIVE_INFINITY
          for (let i = 0; i < TRIES && ms > TURN_MS * SHARED; i++)
            ms = Math.min(ms, await longestTurn(route, [one]))
          if (ms > TURN_MS * SHARED)
            slow.push(`${route.method} ${route.url}: ${ms} ms, ${one.name}, ${one.body.length} bytes`)
        }
      }
    }
  }
  expect(routes).toBeGreaterThan(90)
  expect(slow).toEqual([])
})

function* batches(all: Iterable<Sent>): Generator<Sent[]> {
  let some: Sent[] = []
  for (const one of all) {
    some.push(one)
    if (some.length < TOGETHER) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

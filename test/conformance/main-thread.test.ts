/**
 * No body holds the main thread: every route that takes one, on both ports and as the served documents describe it, is
 * sent long, wide, deep and wrong bodies up to its limit. What the thread uses of a processor between two turns of
 * its event loop is measured, not how long an answer takes.
 */
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { HostileBodies, type Schema } from '../../platform/testing/hostile-bodies.js'
import { freshProject } from '../support/ids.js'
import { freePorts } from '../support/ports.js'
import { RedisProcess } from '../support/redis.js'
import { root } from '../support/root.js'
import { Server } from '../support/server.js'

/** What a turn may use, in milliseconds of a processor. */
const TURN_MS = 50
/** Shared and slow processors, garbage collection and cold code: the same turn differs by so much. */
const MARGIN = 2

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
}, 180_000)
afterAll(async () => {
  await server?.dispose()
  await redis?.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface Document {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>
  components: { schemas: Record<string, Schema> }
}

/** Turns of the server's main thread that were noted so far. */
function turns(): number[] {
  const file = join(folder, String(server.pid))
  if (!readdirSync(folder).includes(String(server.pid))) return []
  return readFileSync(file, 'utf8').trim().split('\n').map(Number)
}

it('no route holds the main thread, whatever its body is', { timeout: 1_200_000 }, async () => {
  const slow: string[] = []
  const only = process.env.HEDDLE_TEST_ROUTE
  for (const base of [server.url, trainingUrl]) {
    const document = (await (await fetch(`${base}/openapi.json`)).json()) as Document
    const project = freshProject()
    const [entity, name] = project.split('/') as [string, string]
    const bodies = new HostileBodies(document.components.schemas, {
      project_id: project,
      entity,
      project: name,
    })
    let routes = 0
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, { requestBody }] of Object.entries(operations)) {
        const schema = requestBody?.content['application/json']?.schema
        if (!schema || (only !== undefined && !path.includes(only))) continue
        routes++
        const url =
          base +
          path
            .replace('{entity}', entity)
            .replace('{project}', name)
            .replaceAll(/\{\w+\}/g, 'x')
        for (const { name: what, body } of bodies.of(schema)) {
          const before = turns().length
          const answer = await fetch(`${url}?project_id=${project}`, {
            method: method.toUpperCase(),
            headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
            body,
          })
          await answer.arrayBuffer()
          // One more turn, so that this request's last one is noted.
          await (await fetch(`${base}/health`)).arrayBuffer()
          const worst = Math.max(0, ...turns().slice(before))
          const told = `${method} ${path}: ${worst} ms, ${answer.status}, ${what}, ${body.length} bytes`
          if (process.env.HEDDLE_TEST_TELL && worst > 0)
            appendFileSync(process.env.HEDDLE_TEST_TELL, `${told}\n`)
          if (worst > TURN_MS * MARGIN) slow.push(told)
        }
      }
    }
    expect(routes).toBeGreaterThan(only === undefined ? 3 : -1)
  }
  expect(slow).toEqual([])
})

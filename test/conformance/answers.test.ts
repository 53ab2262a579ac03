/**
 * Answers have the shape that the contract gives them, in the variants of a request that change it. Every operation
 * once, with its effect, is in `operations.test.ts`.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { jsonLines } from '../support/api.js'
import { at, complete, halves, v2 } from '../support/calls.js'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject, uuid7 } from '../support/ids.js'
import { sharedServer } from '../support/shared-server.js'
import { faultsOf, faultsOfAnswer, fieldsOf } from './contract.js'

let server: Endpoint
const project = freshProject()
const trace = uuid7()
const turn = uuid7()
const usage = { usage: { m: { prompt_tokens: 3, completion_tokens: 4, requests: 1 } } }
const call = complete(project, { id: turn, turn_id: turn, thread_id: 't', trace_id: trace, summary: usage })
const open = complete(project, { trace_id: trace, parent_id: turn, started_at: at(2) })

beforeAll(async () => {
  server = await sharedServer()
  await server.api.ok(v2(project, 'calls/complete'), { batch: [call] })
  await server.api.ok('/call/start', { start: halves(open).start })
})

const body = { project_id: project }
const requests: [string, string, () => object][] = [
  ['POST /call/start', '/call/start', () => ({ start: halves(complete(project)).start })],
  ['POST /call/end', '/call/end', () => ({ end: halves(complete(project)).end })],
  [
    'POST /call/upsert_batch',
    '/call/upsert_batch',
    () => ({ batch: [{ mode: 'start', req: { start: halves(complete(project)).start } }] }),
  ],
  ['POST /call/read', '/call/read', () => ({ ...body, id: turn })],
  ['POST /call/read', '/call/read', () => ({ ...body, id: uuid7() })],
  ['POST /call/update', '/call/update', () => ({ ...body, call_id: turn, display_name: 'shown' })],
  ['POST /calls/delete', '/calls/delete', () => ({ ...body, call_ids: [uuid7()] })],
  ['POST /calls/query_stats', '/calls/query_stats', () => body],
  [
    'POST /calls/query_stats',
    '/calls/query_stats',
    () => ({ ...body, include_total_storage_size: true, limit: 1 }),
  ],
  [
    'POST /calls/stats',
    '/calls/stats',
    () => ({
      ...body,
      start: at(-60),
      end: at(60),
      call_metrics: [{ metric: 'call_count' }],
      usage_metrics: [{ metric: 'total_tokens' }],
    }),
  ],
  ['POST /calls/usage', '/calls/usage', () => ({ ...body, call_ids: [turn] })],
  ['POST /trace/usage', '/trace/usage', () => body],
  ['POST /v2/{entity}/{project}/calls/complete', v2(project, 'calls/complete'), () => ({ batch: [call] })],
  [
    'POST /v2/{entity}/{project}/call/start',
    v2(project, 'call/start'),
    () => ({ start: halves(complete(project)).start }),
  ],
  ['POST /obj/create', '/obj/create', () => ({ obj: { ...body, object_id: 'thing', val: { a: 1 } } })],
  ['POST /obj/read', '/obj/read', () => ({ ...body, object_id: 'thing', digest: 'latest' })],
  ['POST /service/projects_info', '/service/projects_info', () => ({ project_ids: [project] })],
]

describe('answers', () => {
  it.each(requests)('%s', async (key, path, make) => {
    expect(faultsOfAnswer(key, await server.api.ok(path, make()))).toEqual([])
  })

  it.each(['/server_info', '/geolocate'] as const)('GET %s', async (path) => {
    expect(faultsOfAnswer(`GET ${path}`, JSON.parse((await server.api.get(path)).text))).toEqual([])
  })

  it.each([
    ['POST /calls/stream_query', '/calls/stream_query', 'CallSchema'],
    ['POST /threads/stream_query', '/threads/stream_query', 'ThreadSchema'],
  ] as const)('%s, each line, with every key', async (key, path, schema) => {
    const { text } = await server.api.post(path, body)
    const lines = jsonLines(text)
    expect(lines.length).toBeGreaterThan(0)
    const keys = fieldsOf(schema)
    for (const line of lines) {
      expect(faultsOfAnswer(key, line)).toEqual([])
      // Left out where nobody asked for it.
      expect(keys.filter((name) => !(name in line) && name !== 'platform_username')).toEqual([])
    }
  })

  it.each([
    ['/calls/stream_query', {}],
    ['/call/start', { start: 5 }],
    ['/obj/create', { obj: {} }],
    ['/threads/stream_query', { project_id: 7 }],
  ])('a validation error of %s', async (path, wrong) => {
    const answer = await server.api.post(path, wrong)
    expect(answer.status).toBe(422)
    expect(faultsOf('HTTPValidationError', JSON.parse(answer.text))).toEqual([])
  })
})

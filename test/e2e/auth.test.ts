/** Keys: who may come in, what a key may do, how soon a revoked one stops, and that tenants are apart. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, Api } from '../support/api.js'
import { complete, v2 } from '../support/calls.js'
import { freshProject, hex, uuid7 } from '../support/ids.js'
import { createKey, keyIds } from '../support/keys.js'
import { exportRequest } from '../support/otlp.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'

let server: Server
beforeAll(async () => {
  server = await Server.start()
})
afterAll(() => server?.dispose())

const reason = (answer: Answer) => JSON.parse(answer.text).reason as unknown

/** Every route of the tracing interface that touches a project, as the given project would be asked. */
function routes(project: string): [string, string, object | Uint8Array, Record<string, string>?][] {
  const call = complete(project)
  const body = { project_id: project }
  return [
    ['POST', '/call/start', { start: { ...call, ended_at: undefined } }],
    ['POST', '/call/end', { end: { ...body, id: call.id, ended_at: call.ended_at, summary: {} } }],
    ['POST', '/call/upsert_batch', { batch: [{ mode: 'start', req: { start: call } }] }],
    ['POST', '/call/read', { ...body, id: call.id }],
    ['POST', '/call/update', { ...body, call_id: call.id, display_name: 'x' }],
    ['POST', '/calls/delete', { ...body, call_ids: [call.id] }],
    ['POST', '/calls/stream_query', body],
    ['POST', '/calls/query_stats', body],
    ['POST', '/calls/stats', { ...body, start: '2026-06-01T00:00:00Z', end: '2026-06-02T00:00:00Z' }],
    ['POST', '/calls/usage', { ...body, call_ids: [call.id] }],
    ['POST', '/trace/usage', body],
    ['POST', '/threads/stream_query', body],
    ['POST', v2(project, 'calls/complete'), { batch: [call] }],
    ['POST', v2(project, 'call/start'), { start: { ...call, ended_at: undefined } }],
    [
      'POST',
      v2(project, 'call/end'),
      { end: { ...body, id: call.id, ended_at: call.ended_at, summary: {} } },
    ],
    ['POST', '/obj/create', { obj: { ...body, object_id: 'o', val: { a: 1 } } }],
    ['POST', '/obj/read', { ...body, object_id: 'o', digest: 'latest' }],
    ['POST', '/file/content', { ...body, digest: 'd' }],
    ['POST', '/refs/read_batch', { refs: [`weave:///${project}/object/o:abc`] }],
    ['POST', '/service/projects_info', { project_ids: [project] }],
    [
      'POST',
      '/otel/v1/traces',
      exportRequest({ spans: [{ traceId: hex(16), spanId: hex(8) }] }),
      { 'content-type': 'application/x-protobuf', project_id: project },
    ],
  ]
}

describe('credentials', () => {
  it('none, wrong or malformed ones are 401 with a reason on every route', async () => {
    for (const [method, path, body, headers] of routes(freshProject())) {
      for (const authorization of [
        undefined,
        'Basic',
        'Basic !!!',
        'Bearer wrong',
        `Basic ${Buffer.from('api:wrong').toString('base64')}`,
      ]) {
        const answer = await server.api
          .as(null)
          .send(method, path, body, { ...headers, ...(authorization ? { authorization } : {}) })
        expect([path, authorization, answer.status]).toEqual([path, authorization, 401])
        expect(typeof reason(answer)).toBe('string')
      }
    }
  })

  it.each([
    [
      'Basic with any user name',
      () => ({ authorization: `Basic ${Buffer.from(`anyone:${server.key}`).toString('base64')}` }),
    ],
    [
      'Basic with an empty user name',
      () => ({ authorization: `Basic ${Buffer.from(`:${server.key}`).toString('base64')}` }),
    ],
    ['Bearer', () => ({ authorization: `Bearer ${server.key}` })],
  ])('%s is accepted', async (_name, headers) => {
    const answer = await server.api
      .as(null, headers())
      .post('/calls/query_stats', { project_id: freshProject() })
    expect([answer.status, answer.text]).toEqual([200, answer.text])
  })

  it.each(['wandb-api-key', 'platform-api-key'])('%s is accepted on the OTLP route only', async (header) => {
    const project = freshProject()
    const api = server.api.as(null, { [header]: server.key })
    const body = exportRequest({ spans: [{ traceId: hex(16), spanId: hex(8) }] })
    const otlp = await api.post('/otel/v1/traces', body, {
      'content-type': 'application/x-protobuf',
      project_id: project,
    })
    expect(otlp.status).toBe(200)
    expect((await api.post('/calls/query_stats', { project_id: project })).status).toBe(401)
  })

  it.each(['/health', '/version', '/server_info'])('%s needs none', async (path) => {
    expect((await server.api.as(null).get(path)).status).toBe(200)
  })
})

describe('a key for one entity', () => {
  it('reaches its own projects and no other, on every route', async () => {
    const [mine, theirs] = [freshProject('mine'), freshProject('theirs')]
    const [myKey, theirKey] = await Promise.all([
      createKey(server, 'mine', 'write'),
      createKey(server, 'theirs', 'write'),
    ])
    const me = new Api(server.url, myKey)
    const them = new Api(server.url, theirKey)
    const call = complete(theirs, { inputs: { text: 'only theirs' } })
    await them.ok(v2(theirs, 'calls/complete'), { batch: [call] })
    for (const [method, path, body, headers] of routes(theirs)) {
      const answer = await me.send(method, path, body, headers)
      expect([path, answer.status, answer.text]).toEqual([path, 403, answer.text])
      expect(typeof reason(answer)).toBe('string')
      expect(answer.text).not.toContain('only theirs')
    }
    expect(await them.count(theirs)).toBe(1)
    for (const [method, path, body, headers] of routes(mine)) {
      const answer = await me.send(method, path, body, headers)
      expect([path, answer.status]).not.toEqual([path, 401])
      expect([path, answer.status]).not.toEqual([path, 403])
    }
  })

  it('cannot smuggle another project into a body, a batch, a path or a resource', async () => {
    const [mine, theirs] = [freshProject('mine'), freshProject('theirs')]
    const me = new Api(server.url, await createKey(server, 'mine', 'write'))
    const call = complete(theirs)
    const entity = { 'wandb.entity': 'theirs', 'wandb.project': theirs.split('/')[1]! }
    const spans = [{ traceId: hex(16), spanId: hex(8) }]
    const attempts: [string, object, Record<string, string>?][] = [
      [v2(mine, 'calls/complete'), { batch: [call] }],
      [v2(mine, 'call/start'), { start: call }],
      [
        '/call/upsert_batch',
        {
          batch: [
            { mode: 'start', req: { start: complete(mine) } },
            { mode: 'start', req: { start: call } },
          ],
        },
      ],
      [
        '/otel/v1/traces',
        exportRequest({ attributes: entity, spans }),
        { 'content-type': 'application/x-protobuf', project_id: mine },
      ],
    ]
    for (const [path, body, headers] of attempts) {
      const answer = await me.post(path, body, headers)
      expect([path, answer.status >= 400 || answer.bytes.length > 0]).toEqual([path, true])
    }
    expect(await server.api.count(theirs)).toBe(0)
  })

  it('that may only read cannot write', async () => {
    const project = freshProject('mine')
    const reader = new Api(server.url, await createKey(server, 'mine', 'read'))
    const call = complete(project)
    expect((await reader.post(v2(project, 'calls/complete'), { batch: [call] })).status).toBe(403)
    expect((await reader.post('/calls/delete', { project_id: project, call_ids: [uuid7()] })).status).toBe(
      403,
    )
    expect(await reader.count(project)).toBe(0)
  })
})

describe('a revoked key', () => {
  it('stops working within ten seconds, without a restart', async () => {
    const project = freshProject('brief')
    const api = new Api(server.url, await createKey(server, 'brief', 'write'))
    expect(await api.count(project)).toBe(0)
    const [id = ''] = await keyIds(server, 'brief')
    await server.cli('keys', 'revoke', id)
    await until(
      'the key to stop working',
      async () => (await api.post('/calls/query_stats', { project_id: project })).status === 401,
      10,
    )
  })
})

describe('what is written down', () => {
  it('holds no key', async () => {
    const key = await createKey(server, 'mine', 'write')
    await new Api(server.url, key).post('/calls/query_stats', { project_id: freshProject('mine') })
    await server.api.as(null, { authorization: 'Bearer not-a-key-but-secret' }).post('/calls/query_stats', {})
    const listed = await server.cli('keys', 'list')
    expect(listed).not.toContain(key)
    expect(server.output).not.toContain(key)
    expect(server.output).not.toContain('not-a-key-but-secret')
  })
})

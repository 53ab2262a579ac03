/** Contract §11: what is refused, with which status and body, and that nothing falls over or takes others along. */
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { deflate, gzip, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../support/api.js'
import { complete, v2 } from '../support/calls.js'
import { freshProject, hex, uuid7 } from '../support/ids.js'
import { exportRequest } from '../support/otlp.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'

let server: Server
beforeAll(async () => {
  server = await Server.start()
})
afterAll(() => server?.dispose())

const PROTOBUF = { 'content-type': 'application/x-protobuf' }
const MIB = 1024 * 1024

/** The server still answers, and a good write still lands. */
async function stillWell() {
  const project = freshProject()
  await server.api.ok(v2(project, 'calls/complete'), { batch: [complete(project)] })
  expect(await server.api.count(project)).toBe(1)
  expect(server.ended).toBe(false)
}

function detail(answer: Answer): { loc: unknown[]; msg: string; type: string }[] {
  const { detail: list } = JSON.parse(answer.text)
  expect(Array.isArray(list)).toBe(true)
  for (const item of list) {
    expect(item.loc.every((part: unknown) => typeof part === 'string')).toBe(true)
    expect(typeof item.msg).toBe('string')
    expect(typeof item.type).toBe('string')
  }
  return list
}

describe('wrong types', () => {
  const project = freshProject()
  const call = complete(project)
  const cases: [string, string, unknown, string[]][] = [
    ['no project', '/calls/stream_query', {}, ['body', 'project_id']],
    ['project is a number', '/calls/stream_query', { project_id: 5 }, ['body', 'project_id']],
    ['filter is a list', '/calls/stream_query', { project_id: project, filter: [] }, ['body', 'filter']],
    [
      'op_names is a text',
      '/calls/stream_query',
      { project_id: project, filter: { op_names: 'x' } },
      ['body', 'filter', 'op_names'],
    ],
    [
      'an op name is a number',
      '/calls/query_stats',
      { project_id: project, filter: { op_names: ['x', 5] } },
      ['body', 'filter', 'op_names', '1'],
    ],
    ['limit is a text', '/calls/stream_query', { project_id: project, limit: 'ten' }, ['body', 'limit']],
    [
      'sort without a field',
      '/calls/stream_query',
      { project_id: project, sort_by: [{}] },
      ['body', 'sort_by', '0', 'field'],
    ],
    [
      'columns hold a number',
      '/calls/stream_query',
      { project_id: project, columns: ['id', 1] },
      ['body', 'columns', '1'],
    ],
    ['no start', '/call/start', {}, ['body', 'start']],
    [
      'a start without op_name',
      '/call/start',
      { start: { project_id: project, started_at: call.started_at, attributes: {}, inputs: {} } },
      ['body', 'start', 'op_name'],
    ],
    [
      'started_at is not a time',
      '/call/start',
      { start: { ...call, started_at: 'today' } },
      ['body', 'start', 'started_at'],
    ],
    ['inputs is a list', '/call/start', { start: { ...call, inputs: [] } }, ['body', 'start', 'inputs']],
    [
      'an end without summary',
      '/call/end',
      { end: { project_id: project, id: uuid7(), ended_at: call.ended_at } },
      ['body', 'end', 'summary'],
    ],
    ['batch is an object', '/call/upsert_batch', { batch: {} }, ['body', 'batch']],
    [
      'an unknown mode',
      '/call/upsert_batch',
      { batch: [{ mode: 'middle', req: {} }] },
      ['body', 'batch', '0'],
    ],
    [
      'a bad call in a batch',
      v2(project, 'calls/complete'),
      { batch: [call, { ...call, op_name: 7 }] },
      ['body', 'batch', '1', 'op_name'],
    ],
    ['call_ids is a text', '/calls/delete', { project_id: project, call_ids: 'x' }, ['body', 'call_ids']],
    ['stats without start', '/calls/stats', { project_id: project }, ['body', 'start']],
  ]
  it.each(cases)('%s: 422 naming the place', async (_name, path, body, loc) => {
    const answer = await server.api.post(path, body as object)
    expect([answer.status, answer.text]).toEqual([422, answer.text])
    const found = detail(answer).map((item) => item.loc.slice(0, loc.length).join('.'))
    expect(found).toContain(loc.join('.'))
  })

  it.each([
    ['no slash', 'noslash'],
    ['two slashes', 'a/b/c'],
    ['empty entity', '/b'],
    ['empty', ''],
    ['very long', `a/${'b'.repeat(5_000)}`],
  ])('a project id with %s is 4xx', async (_name, project_id) => {
    for (const path of ['/calls/stream_query', '/calls/query_stats', '/threads/stream_query']) {
      const { status } = await server.api.post(path, { project_id })
      expect([400, 403, 422]).toContain(status)
    }
  })

  it.each(['', '{', 'null', '[]', '"text"', '5', '{"project_id":"a/b"}}', '{"project_id":"a/b",}', '\u0000'])(
    'the body %j is 4xx',
    async (body) => {
      for (const path of [
        '/calls/stream_query',
        '/call/start',
        v2(project, 'calls/complete'),
        '/call/upsert_batch',
      ]) {
        const { status, text } = await server.api.post(path, body)
        expect([path, status >= 400 && status < 500, text]).toEqual([path, true, text])
      }
    },
  )

  it('text that is not UTF-8 is 4xx, or what reads back is UTF-8', async () => {
    const target = freshProject()
    const [before = '', after = ''] = JSON.stringify({
      batch: [complete(target, { inputs: { text: '@' } })],
    }).split('@')
    const body = Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xfe, 0xc0]), Buffer.from(after)])
    const { status } = await server.api.post(v2(target, 'calls/complete'), body)
    expect([200, 400, 422]).toContain(status)
    const { bytes } = await server.api.post('/calls/stream_query', { project_id: target })
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  })

  it('a bad row in a batch is named, and its neighbours land when they are sent again', async () => {
    const target = freshProject()
    const batch = [complete(target), complete(target, { started_at: 5.5e300 }), complete(target)]
    const answer = await server.api.post(v2(target, 'calls/complete'), { batch })
    expect(answer.status).toBe(422)
    expect(detail(answer)[0]?.loc.join('.')).toContain('batch.1')
    // What the SDK does on 422: halves, each by itself.
    await server.api.post(v2(target, 'calls/complete'), { batch: batch.slice(0, 1) })
    await server.api.post(v2(target, 'calls/complete'), { batch: batch.slice(1, 2) })
    await server.api.post(v2(target, 'calls/complete'), { batch: batch.slice(2) })
    const ids = (await server.api.calls(target)).map((call) => call.id)
    expect(ids.sort()).toEqual([batch[0]!.id, batch[2]!.id].sort())
  })
})

describe('depth and size', () => {
  it.each([
    ['inputs', 200, [200]],
    ['inputs', 100_000, [200, 400, 413, 422]],
    ['query', 100_000, [400, 422]],
  ])('%s nested %i deep', async (where, depth, statuses) => {
    const project = freshProject()
    const nested = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    const body =
      where === 'inputs'
        ? JSON.stringify({ batch: [complete(project, { inputs: { deep: '@' } })] }).replace('"@"', nested)
        : `{"project_id":"${project}","query":{"$expr":${'{"$not":['.repeat(depth)}1${']}'.repeat(depth)}}}`
    const answer = await server.api.post(
      where === 'inputs' ? v2(project, 'calls/complete') : '/calls/stream_query',
      body,
    )
    expect(statuses).toContain(answer.status)
    if (answer.status === 200 && depth < 1000) {
      const [call] = await server.api.calls(project)
      expect(JSON.stringify(call?.inputs)).toContain('{"a":1}')
    }
    await stillWell()
  })

  it('a body of 32 MiB is accepted and reads back', async () => {
    const project = freshProject()
    const call = complete(project, { inputs: { text: '' } })
    const empty = JSON.stringify({ batch: [call] }).length
    const body = JSON.stringify({ batch: [{ ...call, inputs: { text: 'x'.repeat(32 * MIB - empty) } }] })
    expect(body.length).toBe(32 * MIB)
    await server.api.ok(v2(project, 'calls/complete'), body)
    expect(await server.api.count(project)).toBe(1)
    const { call: read } = await server.api.ok('/call/read', { project_id: project, id: call.id as string })
    expect(((read as Record<string, Record<string, string>>).inputs?.text ?? '').length).toBe(
      32 * MIB - empty,
    )
  })

  it.each([
    ['/calls/stream_query', {}],
    ['/otel/v1/traces', PROTOBUF],
    [v2('acme/any', 'calls/complete'), {}],
  ])('a larger one is 413 on %s', async (path, headers) => {
    const body = Buffer.alloc(40 * MIB, 0x20)
    const answer = await server.api
      .post(path, body, { project_id: 'acme/any', ...headers })
      .catch((error: unknown) => error)
    // The server may close while the body is still on its way; then the client sees no answer.
    if (answer instanceof Error) expect(String(answer)).toMatch(/socket|closed|reset|EPIPE/i)
    else expect((answer as Answer).status).toBe(413)
    await stillWell()
  })

  it.each([
    ['gzip', promisify(gzip)],
    ['deflate', promisify(deflate)],
  ])('a %s bomb is 413', async (encoding, encode) => {
    // Not in one turn: this process must see that the server closes a connection that was idle meanwhile.
    const bomb = await encode(Buffer.alloc(512 * MIB))
    expect(bomb.length).toBeLessThan(MIB)
    const project = freshProject()
    const answer = await server.api.post('/otel/v1/traces', bomb, {
      ...PROTOBUF,
      project_id: project,
      'content-encoding': encoding,
    })
    expect([400, 413]).toContain(answer.status)
    expect(JSON.parse(answer.text)).toHaveProperty('reason')
    await stillWell()
  })

  it('more bodies than memory allows are turned away or stored, never lost or fatal', async () => {
    const project = freshProject()
    const bodies = Array.from({ length: 24 }, () =>
      JSON.stringify({ batch: [complete(project, { inputs: { text: 'x'.repeat(20 * MIB) } })] }),
    )
    const answers = await Promise.all(
      bodies.map((body) => server.api.post(v2(project, 'calls/complete'), body).catch(() => undefined)),
    )
    const stored = answers.filter((answer) => answer?.status === 200).length
    for (const answer of answers)
      if (answer && answer.status !== 200) expect([429, 503]).toContain(answer.status)
    expect(await server.api.count(project)).toBe(stored)
    await stillWell()
  })
})

describe('OTLP', () => {
  const good = (count: number) =>
    exportRequest({ spans: Array.from({ length: count }, () => ({ traceId: hex(16), spanId: hex(8) })) })

  it('truncated protobuf is 400, its neighbours in other requests are stored', async () => {
    const project = freshProject()
    const whole = good(20)
    const headers = { ...PROTOBUF, project_id: project }
    const cuts = Array.from({ length: 20 }, (_, n) =>
      whole.subarray(0, Math.floor((whole.length * (n + 0.5)) / 20)),
    )
    const answers = await Promise.all([
      ...cuts.map((body) => server.api.post('/otel/v1/traces', body, headers)),
      server.api.post('/otel/v1/traces', whole, headers),
    ])
    for (const answer of answers.slice(0, -1))
      expect([answer.status, answer.text]).toEqual([400, answer.text])
    expect(answers.at(-1)?.status).toBe(200)
    expect(await server.api.count(project)).toBe(20)
  })

  it('random bytes are 4xx or an empty success', async () => {
    for (let round = 0; round < 40; round++) {
      const answer = await server.api.post('/otel/v1/traces', Buffer.from(hex(200), 'hex'), {
        ...PROTOBUF,
        project_id: freshProject(),
      })
      expect([200, 400, 415]).toContain(answer.status)
    }
    await stillWell()
  })

  it('bytes that are not gzip are 400', async () => {
    const answer = await server.api.post('/otel/v1/traces', good(1), {
      ...PROTOBUF,
      project_id: freshProject(),
      'content-encoding': 'gzip',
    })
    expect(answer.status).toBe(400)
  })

  it('gzip cut short is 400', async () => {
    const body = gzipSync(good(50))
    const answer = await server.api.post('/otel/v1/traces', body.subarray(0, body.length - 30), {
      ...PROTOBUF,
      project_id: freshProject(),
      'content-encoding': 'gzip',
    })
    expect(answer.status).toBe(400)
  })

  it('an unknown encoding is 4xx', async () => {
    const answer = await server.api.post('/otel/v1/traces', good(1), {
      ...PROTOBUF,
      project_id: freshProject(),
      'content-encoding': 'zstd',
    })
    expect([400, 415]).toContain(answer.status)
  })

  it('values nested 10,000 deep harm nobody', async () => {
    let value: Uint8Array = Buffer.from([0x0a, 0x01, 0x78])
    const length = (size: number) => {
      const bytes = []
      for (; size > 127; size >>>= 7) bytes.push((size & 127) | 128)
      return [...bytes, size]
    }
    for (let depth = 0; depth < 10_000; depth++) {
      const inner = Buffer.concat([Buffer.from([0x0a, ...length(value.length)]), value])
      value = Buffer.concat([Buffer.from([0x2a, ...length(inner.length)]), inner])
    }
    const attribute = Buffer.concat([Buffer.from([0x0a, 1, 0x6b, 0x12, ...length(value.length)]), value])
    const span = Buffer.concat([
      Buffer.from([0x0a, 16]),
      Buffer.from(hex(16), 'hex'),
      Buffer.from([0x12, 8]),
      Buffer.from(hex(8), 'hex'),
      Buffer.from([0x4a, ...length(attribute.length)]),
      attribute,
    ])
    const wrap = (tag: number, inner: Uint8Array) =>
      Buffer.concat([Buffer.from([tag, ...length(inner.length)]), inner])
    const body = wrap(0x0a, wrap(0x12, wrap(0x12, span)))
    const answer = await server.api.post('/otel/v1/traces', body, { ...PROTOBUF, project_id: freshProject() })
    expect([200, 400]).toContain(answer.status)
    await stillWell()
  })

  it('JSON of wrong shapes is 4xx or a rejected span', async () => {
    for (const body of [
      '{}',
      '[]',
      '{"resourceSpans":5}',
      '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":5}]}]}]}',
      '{',
    ]) {
      const answer = await server.api.post('/otel/v1/traces', body, { project_id: freshProject() })
      expect([200, 400, 422]).toContain(answer.status)
    }
    await stillWell()
  })
})

describe('hostile names', () => {
  const names = [
    "'; DROP TABLE calls; --",
    "inputs.'); SELECT 1; --",
    'inputs.a\\',
    'inputs.{param:String}',
    'inputs.%s',
    'inputs.`x`',
    'inputs."',
    'inputs.\n\nDROP TABLE calls',
    'inputs.\u0000',
    `inputs.${'a.'.repeat(1_000)}a`,
    `inputs.${'x'.repeat(20_000)}`,
    'summary.weave.nonsense',
    'inputs..a',
    '.',
    '__proto__',
    'constructor.prototype',
    'attributes.__proto__.x',
  ]
  it.each(names.map((name) => [name.slice(0, 40), name] as const))(
    '%j as a field, a column and a value',
    async (_short, name) => {
      const project = freshProject()
      await server.api.ok(v2(project, 'calls/complete'), { batch: [complete(project)] })
      const queries: object[] = [
        { sort_by: [{ field: name, direction: 'asc' }] },
        { columns: [name] },
        { expand_columns: [name] },
        { query: { $expr: { $eq: [{ $getField: name }, { $literal: name }] } } },
        { query: { $expr: { $contains: { input: { $getField: 'op_name' }, substr: { $literal: name } } } } },
        {
          filter: {
            op_names: [name],
            call_ids: [name],
            trace_ids: [name],
            input_refs: [name],
            wb_run_ids: [name],
          },
        },
      ]
      for (const query of queries) {
        const answer = await server.api.post('/calls/stream_query', { project_id: project, ...query })
        expect([answer.status, answer.text]).not.toEqual([500, answer.text])
        expect(answer.status).toBeLessThan(502)
      }
      expect(await server.api.count(project)).toBe(1)
    },
  )

  it('as keys and ids of calls are kept as they are', async () => {
    const project = freshProject()
    const inputs = Object.fromEntries(
      names.filter((name) => name !== '__proto__').map((name, n) => [name, n]),
    )
    const call = complete(project, { inputs, op_name: 'o\'p"\\\n\n{x:String}', thread_id: "t';--" })
    await server.api.ok(v2(project, 'calls/complete'), { batch: [call] })
    const [read] = await server.api.calls(project)
    expect(read).toMatchObject({ inputs, op_name: call.op_name, thread_id: call.thread_id })
  })
})

describe('routes and methods', () => {
  it('an unknown path is 404 with a reason, a wrong method 404 or 405', async () => {
    const unknown = await server.api.post('/nope', {})
    expect(unknown.status).toBe(404)
    expect(JSON.parse(unknown.text)).toHaveProperty('reason')
    expect([404, 405]).toContain((await server.api.get('/calls/stream_query')).status)
  })

  it('an unknown path is a page for who opens it in a browser, and 404', async () => {
    const opened = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
    for (const method of ['GET', 'HEAD']) {
      const page = await fetch(`${server.url}/nope`, { method, headers: opened })
      expect(page.status).toBe(404)
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
    for (const [method, accept] of [
      ['GET', '*/*'],
      ['GET', 'application/json'],
      ['POST', opened.accept],
    ] as const) {
      const answer = await fetch(`${server.url}/nope`, { method, headers: { accept } })
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ code: 'NO_ROUTE' })
    }
  })

  it('garbage on the socket harms nobody', async () => {
    const port = Number(new URL(server.url).port)
    for (const bytes of [
      '\u0000\u0001\u0002',
      'GET',
      'POST /call/start HTTP/1.1\r\ncontent-length: 99999999999999\r\n\r\n',
      'POST / HTTP/9.9\r\n\r\n',
    ]) {
      await new Promise<void>((done) => {
        const socket = connect(port, '127.0.0.1', () => socket.end(bytes))
        socket.on('data', () => {})
        socket.on('error', () => done())
        socket.on('close', () => done())
        socket.setTimeout(2_000, () => socket.destroy())
      })
    }
    await stillWell()
  })

  it('a client that goes away in the middle of its body is forgotten', async () => {
    const port = Number(new URL(server.url).port)
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(
        `POST /otel/v1/traces HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.key}\r\nproject_id: a/b\r\ncontent-type: application/x-protobuf\r\ncontent-length: 1000000\r\n\r\n`,
      )
      socket.write(Buffer.alloc(500_000))
      return socket
    })
    await until('the connections to be open', () => sockets.every((socket) => !socket.connecting))
    for (const socket of sockets) socket.destroy()
    await stillWell()
  })
})

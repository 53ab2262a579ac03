/**
 * The configurations of `infra/proxies`, in the real nginx and Caddy before a real server: what clients send and read
 * passes as it does without them. And what ingress-nginx makes of the chart's annotations, in the same nginx.
 */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Row } from '../support/api.js'
import { complete, v2 } from '../support/calls.js'
import { type ChatEndpoint, capital, PARIS } from '../support/chat-server.js'
import { freshProject } from '../support/ids.js'
import { runNode } from '../support/program.js'
import { ProxyProcess } from '../support/proxy.js'
import { sharedChat } from '../support/shared-server.js'

const MIB = 2 ** 20

/** Sends one word, and the rest when it is asked to. */
const waiting: ServerResponse[] = []
const chunk = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'c', model: 'slow', choices: [{ index: 0, delta, ...more }] })}\n\n`
const provider = createServer((incoming, response) => {
  incoming.resume()
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunk({ content: 'first' }))
  waiting.push(response)
})

let chat: ChatEndpoint
beforeAll(async () => {
  chat = await sharedChat()
  provider.listen(0, '127.0.0.1')
  await once(provider, 'listening')
})
afterAll(() => {
  provider.closeAllConnections()
  provider.close()
})

describe.each(['nginx', 'caddy', 'ingress-nginx'] as const)('behind %s', (kind) => {
  let proxy: ProxyProcess
  const project = freshProject()
  beforeAll(async () => {
    const { server, url } = chat
    const [tracing, training, grpc] = [server.url, url, server.otlpGrpcUrl].map((one) => new URL(one).host)
    proxy = await ProxyProcess.start(kind, { tracing: tracing!, chat: training!, grpc: grpc! })
  })
  afterAll(() => proxy?.stop())

  async function send(path: string, body?: object, url = proxy.url) {
    const {
      headers,
      statusCode,
      body: answer,
    } = await request(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...chat.server.api.authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      dispatcher: proxy.dispatcher,
    })
    return { status: statusCode, headers, body: answer }
  }

  it('the pages open, and their cookie is for HTTPS alone', async () => {
    const page = await (await send('/signin')).body.text()
    const [, script] = /<script type="module"[^>]* src="([^"]+)"/.exec(page) ?? []
    expect((await send(script!)).status).toBe(200)
    const session = await send('/session', { key: chat.server.key })
    expect([session.status, String(session.headers['set-cookie'])]).toEqual([
      200,
      expect.stringContaining('; Secure'),
    ])
  })

  it.each([
    ['protobuf', '/otel/v1/traces'],
    ['grpc', ''],
  ])('spans arrive by %s', async (encoding, path) => {
    const { authorization } = chat.server.api.authorization
    const { answers, traces } = await runNode<{ answers: Row[]; traces: { trace: string }[] }>(
      chat.server,
      'otel-export',
      {
        ...{ ENCODING: encoding, COMPRESSION: 'gzip', COUNT: '40', ENDPOINT: proxy.url + path },
        HEADERS: JSON.stringify(encoding === 'grpc' ? {} : { authorization, project_id: project }),
        OTEL_EXPORTER_OTLP_HEADERS:
          encoding === 'grpc'
            ? `Authorization=${encodeURIComponent(authorization!)},project_id=${project}`
            : '',
        OTEL_EXPORTER_OTLP_CERTIFICATE: proxy.certificate,
        NODE_EXTRA_CA_CERTS: proxy.certificate,
      },
    )
    expect(answers).toEqual(answers.map(() => ({ code: 0 })))
    const filter = { trace_ids: traces.map(({ trace }) => trace) }
    const lines = await (await send('/calls/stream_query', { project_id: project, filter })).body.text()
    expect(lines.trim().split('\n')).toHaveLength(120)
  })

  it('a body over 1 MB is taken, and an export of many is whole', async () => {
    const large = freshProject()
    const text = 'x'.repeat(100 << 10)
    for (let n = 0; n < 3; n++) {
      const batch = Array.from({ length: 32 }, (_, part) => complete(large, { inputs: { text, n, part } }))
      const { status, body } = await send(v2(large, 'calls/complete'), { batch })
      expect([status, status === 200 || (await body.text())]).toEqual([200, true])
      await body.dump()
    }
    const asked = { project_id: large, sort_by: [{ field: 'id', direction: 'asc' }] }
    const through = await (await send('/calls/stream_query', asked)).body.text()
    expect(through.length).toBeGreaterThan(9 * MIB)
    expect(through === (await chat.server.api.post('/calls/stream_query', asked)).text).toBe(true)
  })

  it('chat streams', async () => {
    const body = { model: 'demo', ...capital, temperature: 0, stream: true }
    const answer = await send('/v1/chat/completions', body, proxy.chatUrl)
    expect(answer.headers['content-type']).toContain('text/event-stream')
    const events = (await answer.body.text()).split('\n\n').filter((event) => event !== '')
    expect(events.pop()).toBe('data: [DONE]')
    const words = events.map((event) => JSON.parse(event.slice('data: '.length)).choices[0]?.delta?.content)
    expect(words.join('')).toBe(PARIS)
  })

  it('a stream is passed on word by word', async () => {
    const own = freshProject()
    const { port } = provider.address() as AddressInfo
    const url = `http://127.0.0.1:${port}`
    await chat.server.cliWith('sk-test\n', 'secrets', 'set', own, 'KEY', '--for', url)
    const val = { name: 'waits', base_url: `${url}/v1`, api_key_name: 'KEY' }
    const obj = { project_id: own, object_id: 'waits', builtin_object_class: 'Provider', val }
    await chat.server.api.ok('/obj/create', { obj })
    const inputs = { model: 'custom::waits::slow', ...capital }
    const { body } = await send('/completions/create_stream', { project_id: own, inputs })
    let text = ''
    for await (const piece of body) {
      text += piece
      // Only who has seen the first word gets the others.
      if (text.includes('"first"') && waiting.length > 0) {
        const response = waiting.pop()!
        response.write(chunk({ content: ' last' }))
        response.end(`${chunk({}, { finish_reason: 'stop' })}data: [DONE]\n\n`)
      }
    }
    expect(text).toContain('" last"')
  })
})

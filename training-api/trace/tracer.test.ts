import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { openLog } from '../../platform/telemetry/log.js'
import { Metrics } from '../../platform/telemetry/metrics.js'
import { Tracer } from './tracer.js'

const log = openLog({ level: 'silent', format: 'text', role: 'test' })

it('calls go to their project, whatever is in its name', async () => {
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    asked.push(request.url)
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const tracer = new Tracer(() => `http://127.0.0.1:${port}`, log, new Metrics())
  tracer.write('Bearer key', 'acme/50%?#é', '{}')
  await tracer.stop()
  server.close()
  expect(asked.map((url) => decodeURIComponent(url ?? ''))).toEqual(['/v2/acme/50%?#é/calls/complete'])
})

it('one call that is refused takes none of the others with it', async () => {
  const kept: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    if (body.includes('poison')) return void response.writeHead(422).end()
    kept.push(body)
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const metrics = new Metrics()
  const tracer = new Tracer(() => `http://127.0.0.1:${port}`, log, metrics)
  for (const text of ['"a"', '"poison"', '"b"']) tracer.write('Bearer key', 'acme/one', text)
  await tracer.stop()
  server.close()
  expect(kept).toEqual(['{"batch":["a"]}', '{"batch":["b"]}'])
  expect(await metrics.registry.metrics()).toContain('heddle_chat_traces_lost_total 1')
})

it.each([
  ['away', (response: ServerResponse) => void response.writeHead(503).end()],
  ['silent', () => undefined],
])('stops though the tracing interface is %s: what waits is lost, and counted', async (_, answer) => {
  const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const metrics = new Metrics()
  const tracer = new Tracer(() => `http://127.0.0.1:${port}`, log, metrics)
  tracer.write('Bearer key', 'acme/one', '{}')
  await tracer.stop(100)
  server.closeAllConnections()
  server.close()
  expect(await metrics.registry.metrics()).toContain('heddle_chat_traces_lost_total 1')
})

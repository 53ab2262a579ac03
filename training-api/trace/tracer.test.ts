import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { openLog } from '../../common/telemetry/log.js'
import { Metrics } from '../../common/telemetry/metrics.js'
import { Tracer } from './tracer.js'

it('calls go to their project, whatever is in its name', async () => {
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    asked.push(request.url)
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const log = openLog({ level: 'silent', format: 'text', role: 'test' })
  const tracer = new Tracer(() => `http://127.0.0.1:${port}`, log, new Metrics())
  tracer.write('Bearer key', 'acme/50%?#é', '{}')
  await tracer.stop()
  server.close()
  expect(asked.map((url) => decodeURIComponent(url ?? ''))).toEqual(['/v2/acme/50%?#é/calls/complete'])
})

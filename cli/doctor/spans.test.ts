/** What the doctor makes of a collector: none, one that takes spans, one that asks for a key, one that is away. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../platform/config/read.js'
import { processes } from '../../platform/config/settings.js'
import { spansFindings } from './spans.js'

const server = createServer((request, response) => {
  const known = request.headers.authorization === 'Bearer a b'
  const heddle = { min_required_weave_python_version: '0', version: '1' }
  if (request.url === '/otlp/v1/traces') response.writeHead(known ? 200 : 401).end()
  else if (request.headers.host?.startsWith('localhost')) response.end(JSON.stringify(heddle))
  else response.writeHead(404).end()
})
let port = 0
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())

const brief = async (env: Record<string, string>) =>
  (await spansFindings(readConfig(processes.doctor, env))).map(({ state, text }) => `${state} ${text}`)

describe('spans', () => {
  it('are not spoken of where there are none', async () => {
    expect(await brief({})).toEqual([])
  })

  it('go to a collector that takes them with its key', async () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${port}/otlp`
    const keyed = {
      OTEL_EXPORTER_OTLP_ENDPOINT,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%20b, x=y',
    }
    expect(await brief(keyed)).toEqual([`ok http://127.0.0.1:${port} takes spans`])
    expect(await brief({ OTEL_EXPORTER_OTLP_ENDPOINT })).toEqual([
      `warn http://127.0.0.1:${port} answers 401`,
    ])
  })

  it('are lost where nobody answers, and are not for Heddle', async () => {
    const away = await brief({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9/v1/traces' })
    expect(away).toEqual(['warn http://127.0.0.1:9 does not answer'])
    const [heddle] = await brief({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://localhost:${port}` })
    expect(heddle).toMatch(/^warn .* is Heddle/)
  })
})

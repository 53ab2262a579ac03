/** The small routes, what the SDKs ask at start, the description of the interface, and the operator's probes. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Row } from '../support/api.js'
import { complete, v2 } from '../support/calls.js'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject } from '../support/ids.js'
import { sharedServer } from '../support/shared-server.js'

let server: Endpoint
beforeAll(async () => {
  server = await sharedServer()
})

const get = async (path: string) => {
  const answer = await server.api.get(path)
  expect([path, answer.status, answer.text]).toEqual([path, 200, answer.text])
  return JSON.parse(answer.text) as Row
}

describe('service routes', () => {
  it('health, many at once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => get('/health')))
    for (const answer of answers) expect(answer).toMatchObject({ status: 'ok' })
  })

  it('version and server info', async () => {
    expect(typeof (await get('/version')).version).toBe('string')
    const info = await get('/server_info')
    expect(info).toMatchObject({ min_required_weave_python_version: '0.0.0' })
    expect(typeof info.trace_server_version).toBe('string')
  })

  it('an unknown route: where chat is', async () => {
    const answer = await server.api.post('/v1/chat/completions', {})
    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.text)).toMatchObject({
      code: 'NO_ROUTE',
      reason: expect.stringMatching(
        /^Unknown route: POST \/v1\/chat\/completions; see \/docs; chat and training are on port \d+\.$/,
      ),
    })
  })

  it('geolocate looks nothing up', async () => {
    expect(await get('/geolocate?ip=203.0.113.9')).toEqual({
      ip: '203.0.113.9',
      allowed: true,
      location: null,
    })
    expect(await get('/geolocate')).toMatchObject({ ip: '127.0.0.1', allowed: true, location: null })
  })

  it('projects info gives a stable opaque id each, in order', async () => {
    const projects = [freshProject(), freshProject()]
    const ask = async () =>
      JSON.parse((await server.api.post('/service/projects_info', { project_ids: projects })).text) as Row[]
    const first = await ask()
    expect(first.map((info) => info.external_project_id)).toEqual(projects)
    for (const info of first) expect(info.internal_project_id).toMatch(/^[^/]+$/)
    expect(first[0]?.internal_project_id).not.toBe(first[1]?.internal_project_id)
    expect(await ask()).toEqual(first)
  })

  it('graphql knows the three questions of the SDKs', async () => {
    const ask = (query: string, variables: object) => server.api.ok('/graphql', { query, variables })
    const project = await ask(
      'query Project($name: String!, $entityName: String!) { project(name: $name, entityName: $entityName) { name } }',
      { name: 'demo', entityName: 'acme' },
    )
    expect(project).toMatchObject({ data: { project: { name: 'demo' } } })
    const viewer = await ask('query Viewer { viewer { username defaultEntity { name } } }', {})
    expect(viewer).toMatchObject({
      data: { viewer: { username: expect.any(String), defaultEntity: { name: expect.any(String) } } },
    })
  })

  it('takes the SDK’s own spans', async () => {
    const answer = await server.api.post('/agents/otel/v1/traces', new Uint8Array(), {
      'content-type': 'application/x-protobuf',
    })
    expect(answer.status).toBe(200)
  })

  it('describes itself', async () => {
    const api = await get('/openapi.json')
    expect(String(api.openapi)).toMatch(/^3\.1\./)
    const paths = Object.keys(api.paths as Row)
    for (const path of [
      '/calls/stream_query',
      '/call/start',
      '/otel/v1/traces',
      '/v2/{entity}/{project}/calls/complete',
    ])
      expect(paths).toContain(path)
    const page = await server.api.get('/docs')
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toContain('text/html')
    const files = [...page.text.matchAll(/(?:src|href)="(\/web\/[^"]+)"/g)].map(([, file]) => file!)
    expect(files.length).toBeGreaterThan(1)
    for (const file of files) {
      const { status, headers } = await server.api.as(null).get(file)
      const type = { css: 'text/css', svg: 'image/svg+xml' }[file.split('.').at(-1)!] ?? 'text/javascript'
      expect([file, status, headers['x-content-type-options']]).toEqual([file, 200, 'nosniff'])
      expect(headers['content-type'], file).toContain(type)
    }
  })

  it.each(['weave', 'r/call/01', 'weave/objects/thing/versions/latest'])(
    'has a page where SDKs point to: %s',
    async (path) => {
      const page = await server.api.as(null).get(`/acme/demo/${path}`)
      expect(page.status).toBe(200)
      expect(page.headers['content-type']).toContain('text/html')
    },
  )
})

describe('the operator’s view', () => {
  it('is live, ready and counts what it took', async () => {
    for (const probe of ['/livez', '/readyz'])
      expect((await fetch(server.metricsUrl + probe)).status).toBe(200)
    const project = freshProject()
    await server.api.ok(v2(project, 'calls/complete'), { batch: [complete(project), complete(project)] })
    const text = await (await fetch(`${server.metricsUrl}/metrics`)).text()
    for (const name of ['heddle_', 'process_cpu', 'nodejs_eventloop']) expect(text).toContain(name)
  })

  it('the public port shows no metrics', async () => {
    expect((await server.api.as(null).get('/metrics')).status).toBe(404)
  })
})

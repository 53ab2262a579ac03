import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReads } from '../../cli/serve/reads.js'
import { startService, type TestService } from '../../query/testing/service.js'
import { Health } from './health.js'

let service: TestService
beforeAll(async () => {
  service = await startService((store) => createReads({ store, version: '1.2.3' }).routes)
}, 120_000)
afterAll(() => service.stop())

const get = (path: string, key = 'none') =>
  service.send('GET', path, undefined, { authorization: `Bearer ${key}` })

describe('without a key', () => {
  it.each([
    ['/version', { version: '1.2.3' }],
    ['/server_info', { min_required_weave_python_version: '0.0.0', trace_server_version: '1.2.3' }],
    ['/health', { status: 'ok' }],
    ['/geolocate', { ip: '127.0.0.1', allowed: true, location: null }],
    ['/geolocate?ip=::1', { ip: '::1', allowed: true, location: null }],
  ])('%s', async (path, expected) => expect(await get(path)).toMatchObject({ status: 200, json: expected }))

  it.each(['/health', '/docs', '/', '/openapi.json'])(
    '%s answers a load balancer that asks by HEAD',
    async (path) => {
      const { status, text } = await service.send('HEAD', path)
      expect({ status, text }).toEqual({ status: 200, text: '' })
    },
  )
  it('what asks for JSON where only a page could be is told that there is none', async () => {
    const { status, json } = await service.send('GET', '/v1/models', undefined, {
      accept: 'application/json',
    })
    expect(status).toBe(404)
    expect(json).toMatchObject({ code: 'NO_ROUTE', message: expect.stringContaining('GET /v1/models') })
    expect((await service.send('GET', '/v1/models')).status).toBe(200)
  })
  it('a wrong address: 422', async () => expect((await get('/geolocate?ip=a%20b')).status).toBe(422))
  it.each(['/docs', '/'])('%s is a page', async (path) => {
    const { status, text, headers } = await get(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('text/html')
    expect(text).not.toMatch(/(src|href)="https?:/)
  })
})

describe.each(['/docs', '/', '/training', '/acme/one/weave', '/acme/one/r/call/c1'])(
  'the page %s',
  (path) => {
    it('may run nothing but scripts of this service', async () => {
      const { text, headers } = await get(path)
      const policy = headers.get('content-security-policy') ?? ''
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
      ])
        expect(policy.split('; ')).toContain(rule)
      expect(policy).not.toContain('unsafe')
      // What the policy would refuse.
      expect(text).not.toMatch(/<style|<script(?![^>]* src=)|\sstyle=|\son\w+=/)
    })
  },
)

it.each(['/version', '/nowhere', '/project/stats'])('no answer is what a browser guesses: %s', async (path) =>
  expect((await get(path)).headers.get('x-content-type-options')).toBe('nosniff'),
)

describe('the account queries of SDKs', () => {
  const ask = (query: string, variables = {}, key = 'one') =>
    service.send('POST', '/graphql', { query, variables }, { authorization: `Bearer ${key}` })
  const project =
    'query Project($name: String!, $entityName: String!) { project(name: $name, entityName: $entityName) { name } }'
  const upsert =
    'mutation UpsertModel($name: String!) { upsertModel(input: { name: $name }) { model { name } } }'

  it('project', async () =>
    expect(await ask(project, { name: 'one', entityName: 'acme' })).toMatchObject({
      status: 200,
      json: { data: { project: { name: 'one' } } },
    }))
  it('upsertModel', async () =>
    expect(await ask(upsert, { name: 'one', entity: 'acme' })).toMatchObject({
      json: { data: { upsertModel: { model: { name: 'one' } } } },
    }))
  it('viewer', async () =>
    expect(await ask('query { viewer { username defaultEntity { name } } }')).toMatchObject({
      json: { data: { viewer: { username: 'one', defaultEntity: { name: 'acme' } } } },
    }))
  it('viewer with rights over everything is its own entity', async () =>
    expect((await ask('{ viewer { username } }', {}, 'all')).json.data.viewer.defaultEntity.name).toBe('all'))
  it('a project that the key may not use: 403', async () =>
    expect((await ask(project, { name: 'two', entityName: 'acme' })).status).toBe(403))
  it('a project that the key may only read: looked at, not made', async () => {
    expect((await ask(project, { name: 'two', entityName: 'acme' }, 'reader')).status).toBe(200)
    expect((await ask(upsert, { name: 'two', entity: 'acme' }, 'reader')).status).toBe(403)
  })
  it.each([
    ['another query', '{ users { name } }', {}],
    ['no name', project, { entityName: 'acme' }],
    ['a bad name', project, { name: 'a/b', entityName: 'acme' }],
  ])('%s: 400', async (_what, query, variables) => expect((await ask(query, variables)).status).toBe(400))
  it('no key: 401', async () => expect((await ask(project, {}, 'none')).status).toBe(401))
})

describe('health', () => {
  it('checks once for all that ask within a second', async () => {
    let now = 0
    const health = new Health(service.store, () => now)
    const first = health.check()
    expect(health.check()).toBe(first)
    await first
    now = 999
    expect(health.check()).toBe(first)
    now = 1000
    expect(health.check()).not.toBe(first)
    await health.check()
  })
})

it('projects that are not one are named', async () =>
  expect(await service.post('/service/projects_info', { project_ids: ['a/b', 'x'] })).toMatchObject({
    status: 422,
    json: { detail: [{ loc: ['body', 'project_ids', '1'] }] },
  }))

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { App } from './app.js'
import { nobody } from './principal.js'
import { serve } from './request.js'
import { route } from './route.js'

const PAGE = 'https://app.example.com'
const open = { tag: 'test', summary: '', access: 'public', project: 'none', answer: z.unknown() } as const
const routes = [
  serve(route({ ...open, id: 'take', method: 'POST', path: '/take', body: z.object({}) }), () => ({})),
  serve(route({ ...open, id: 'lines', method: 'GET', path: '/lines' }), async function* () {
    yield Buffer.from('{}\n')
  }),
]
const apps = [[PAGE, 'http://localhost:3000'], ['*'], undefined].map(
  (origins) => new App(routes, { authenticate: () => nobody, heldBytes: 1e6, ...(origins && { origins }) }),
)
let urls: string[] = []
beforeAll(async () => {
  urls = await Promise.all(apps.map(async (app) => `http://127.0.0.1:${await app.listen(0)}`))
})
afterAll(() => Promise.all(apps.map((app) => app.stop(0))))

const [SOME, ALL, NONE] = [0, 1, 2]
const ask = (app: number, path: string, headers: Record<string, string>, method = 'OPTIONS') =>
  fetch(urls[app] + path, { method, headers, ...(method === 'POST' && { body: '{}' }) })
const PREFLIGHT = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization, content-type, project_id',
}

describe('a preflight', () => {
  it.each([
    ['of an allowed page', SOME, PAGE, PAGE],
    ['of the other allowed page', SOME, 'http://localhost:3000', 'http://localhost:3000'],
    ['of any page where all may', ALL, 'https://other.example.com', '*'],
  ])('%s says what it may', async (_what, app, origin, allowed) => {
    const { status, headers } = await ask(app, '/take', { origin, ...PREFLIGHT })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe(allowed)
    expect(headers.get('access-control-allow-methods')).toContain('POST')
    expect(headers.get('access-control-allow-headers')).toBe(PREFLIGHT['access-control-request-headers'])
    expect(headers.get('access-control-allow-credentials')).toBe(null)
  })

  it.each([
    ['of another page', SOME, 'https://evil.example.com'],
    ['of a page whose origin only begins so', SOME, `${PAGE}.evil.example`],
    ['where no pages may', NONE, PAGE],
  ])('%s is refused', async (_what, app, origin) => {
    const { status, headers } = await ask(app, '/take', { origin, ...PREFLIGHT })
    expect(status).toBe(405)
    expect(headers.get('access-control-allow-origin')).toBe(null)
  })

  it('names no headers that are none', async () => {
    const odd = { origin: PAGE, ...PREFLIGHT, 'access-control-request-headers': 'a b; c' }
    expect((await ask(SOME, '/take', odd)).headers.get('access-control-allow-headers')).toBe(null)
  })
})

describe('an answer', () => {
  it.each([
    ['a value', 'POST', '/take', 200],
    ['a stream', 'GET', '/lines', 200],
    ['an unknown path', 'GET', '/nothing', 404],
    ['a wrong method', 'GET', '/take', 405],
  ])('may be read by the page: %s', async (_what, method, path, status) => {
    const answer = await ask(SOME, path, { origin: PAGE, 'content-type': 'application/json' }, method)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE)
    expect(answer.headers.get('vary')).toBe('origin')
    expect(answer.headers.get('access-control-expose-headers')).toContain('retry-after')
  })

  it.each([
    ['to another page', SOME, 'https://evil.example.com'],
    ['where no pages may', NONE, PAGE],
  ])('says nothing %s', async (_what, app, origin) => {
    const { status, headers } = await ask(app, '/lines', { origin }, 'GET')
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe(null)
  })
})

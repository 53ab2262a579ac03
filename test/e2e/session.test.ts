/** Signing in to the pages: a session has its key's rights, ends with it, and only pages of the service can use it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { complete, v2 } from '../support/calls.js'
import { freshProject, hex } from '../support/ids.js'
import { createKey, keyIds } from '../support/keys.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'

let server: Server
beforeAll(async () => {
  server = await Server.start()
})
afterAll(() => server?.dispose())

/** A browser that signed in. */
interface Browser {
  cookie: string
  csrf: string
}

async function signIn(key: string): Promise<Browser> {
  const response = await send('POST', '/session', { key })
  expect(response.status).toBe(200)
  const { csrf_token: csrf } = (await response.json()) as { csrf_token: string }
  return { cookie: response.headers.get('set-cookie')!.split(';')[0]!, csrf }
}

function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  return fetch(server.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

const asPage = ({ cookie, csrf }: Browser) => ({
  cookie,
  'x-csrf-token': csrf,
  'sec-fetch-site': 'same-origin',
})
const list = (project: string, headers: Record<string, string>) =>
  send('POST', '/calls/stream_query', { project_id: project }, headers)
/** A project in an entity of its own. */
const tenantProject = () => `t${hex(4)}/one`
const entityOf = (project: string) => project.split('/')[0]!
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code

describe('a session', () => {
  it('is a cookie that no script reads and no other site sends', async () => {
    const response = await send('POST', '/session', { key: server.key })
    const cookie = response.headers.get('set-cookie')!
    expect(cookie).toMatch(/^heddle_session=\w{40,};/)
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(cookie.split('; ')).toContain(part)
    expect(cookie).not.toContain('Secure')
    const behindTls = await send('POST', '/session', { key: server.key }, { 'x-forwarded-proto': 'https' })
    expect(behindTls.headers.get('set-cookie')).toContain('; Secure')
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('is given to nobody without a key', async () => {
    for (const body of [{ key: 'hk_wrong' }, { code: 'hk_wrong' }])
      expect((await send('POST', '/session', body)).status).toBe(401)
    expect((await send('POST', '/session', {})).status).toBe(400)
    expect((await send('GET', '/session')).status).toBe(401)
    expect(await codeOf(await send('GET', '/session', undefined, { cookie: 'heddle_session=abc' }))).toBe(
      'NO_SESSION',
    )
  })

  it('has the rights of its key, and no more', async () => {
    const [mine, theirs] = [tenantProject(), tenantProject()]
    for (const project of [mine, theirs])
      await server.api.post(v2(project, 'calls/complete'), { batch: [complete(project)] })
    const browser = await signIn(await createKey(server, entityOf(mine), 'read'))
    expect((await list(mine, asPage(browser))).status).toBe(200)
    expect((await list(theirs, asPage(browser))).status).toBe(403)
    const write = await send('POST', v2(mine, 'calls/complete'), { batch: [complete(mine)] }, asPage(browser))
    expect(write.status).toBe(403)
    const projects = await send('GET', '/projects', undefined, asPage(browser))
    expect(await projects.json()).toMatchObject({ projects: [{ project_id: mine }] })
  })

  it('works only for pages of the service', async () => {
    const project = freshProject()
    const browser = await signIn(server.key)
    const page = asPage(browser)
    const others: Record<string, string>[] = [
      { ...page, 'x-csrf-token': '' },
      { ...page, 'x-csrf-token': browser.csrf.replace(/^./, (first) => (first === '0' ? '1' : '0')) },
      { ...page, 'sec-fetch-site': 'cross-site' },
      { ...page, 'sec-fetch-site': 'same-site' },
      { ...page, origin: 'https://evil.example' },
      { ...page, origin: 'null' },
      { ...page, origin: server.metricsUrl },
      { cookie: browser.cookie, 'content-type': 'text/plain' },
    ]
    for (const headers of others) {
      const answer = await send(
        'POST',
        v2(project, 'calls/complete'),
        { batch: [complete(project)] },
        headers,
      )
      expect([answer.status, await codeOf(answer)], JSON.stringify(headers)).toEqual([403, 'BAD_ORIGIN'])
    }
    const foreign = { ...page, origin: 'https://evil.example' }
    expect((await send('GET', '/projects', undefined, foreign)).status).toBe(403)
    expect(
      (await send('POST', '/session', { key: server.key }, { origin: 'https://evil.example' })).status,
    ).toBe(403)
    const ours = { ...page, origin: server.url }
    expect(
      (await send('POST', v2(project, 'calls/complete'), { batch: [complete(project)] }, ours)).status,
    ).toBe(200)
  })

  it('outlives a restart, and ends when its user signs out', async () => {
    const [one, other] = [await signIn(server.key), await signIn(server.key)]
    await server.stop()
    server = await Server.start({ dataDir: server.dataDir, ports: server.ports })
    expect((await send('GET', '/session', undefined, asPage(one))).status).toBe(200)
    const gone = await send('DELETE', '/session', undefined, asPage(one))
    expect(gone.headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await send('GET', '/session', undefined, asPage(one))).status).toBe(401)
    expect((await send('GET', '/session', undefined, asPage(other))).status).toBe(200)
  })

  it('ends with its key', async () => {
    const project = tenantProject()
    const browser = await signIn(await createKey(server, entityOf(project), 'write'))
    expect((await list(project, asPage(browser))).status).toBe(200)
    const [id = ''] = await keyIds(server, entityOf(project))
    await server.cli('keys', 'revoke', id)
    await until('the session to end', async () => (await list(project, asPage(browser))).status === 401, 15)
  })
})

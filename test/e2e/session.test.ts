/** Signing in to the pages: a session has its key's rights, ends with it, and only pages of the service can use it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { complete, v2 } from '../support/calls.js'
import { freshProject, hex } from '../support/ids.js'
import { createKey, keyIds } from '../support/keys.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'

let server: Server
const env = { HEDDLE_SECRETS_KEY: 'a key of enough length' }
beforeAll(async () => {
  server = await Server.start({ env })
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
    const tls = { 'x-forwarded-proto': 'https,http' }
    const behindTls = await send('POST', '/session', { key: server.key }, tls)
    expect(behindTls.headers.get('set-cookie')).toMatch(/^__Host-heddle_session=\w{40,};.*; Secure/)
    const [ours = ''] = behindTls.headers.get('set-cookie')!.split(';')
    expect((await send('GET', '/session', undefined, { ...tls, cookie: ours })).status).toBe(200)
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
    server = await Server.start({ dataDir: server.dataDir, ports: server.ports, env })
    expect((await send('GET', '/session', undefined, asPage(one))).status).toBe(200)
    const gone = await send('DELETE', '/session', undefined, asPage(one))
    expect(gone.headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await send('GET', '/session', undefined, asPage(one))).status).toBe(401)
    expect((await send('GET', '/session', undefined, asPage(other))).status).toBe(200)
  })

  it('of several that a browser has, the live one counts, and each page keeps its own', async () => {
    const [own, planted] = [await signIn(server.key), await signIn(await createKey(server, 'evil', 'write'))]
    for (const cookie of [`heddle_session=planted; ${own.cookie}`, `${own.cookie}; heddle_session=planted`]) {
      const answer = await send('GET', '/session', undefined, { ...asPage(own), cookie })
      expect([answer.status, await answer.json()]).toMatchObject([200, { csrf_token: own.csrf }])
    }
    const both = { ...asPage(own), cookie: `${planted.cookie}; ${own.cookie}` }
    const project = freshProject()
    expect(
      (await send('POST', v2(project, 'calls/complete'), { batch: [complete(project)] }, both)).status,
    ).toBe(200)
  })

  it('ends when its browser signs in again', async () => {
    const old = await signIn(server.key)
    const again = await send('POST', '/session', { key: server.key }, { cookie: old.cookie })
    expect(again.status).toBe(200)
    expect((await send('GET', '/session', undefined, asPage(old))).status).toBe(401)
    // Another site can't sign anybody out by it.
    const own = await signIn(server.key)
    const foreign = { cookie: own.cookie, origin: 'https://evil.example' }
    expect((await send('POST', '/session', { key: server.key }, foreign)).status).toBe(403)
    expect((await send('GET', '/session', undefined, asPage(own))).status).toBe(200)
  })

  it('is listed with the others of its key, and all of them end at once', async () => {
    const key = await createKey(server, entityOf(tenantProject()), 'read')
    const [one, two, other] = [await signIn(key), await signIn(key), await signIn(server.key)]
    const listed = await send('GET', '/sessions', undefined, asPage(two))
    const { sessions } = (await listed.json()) as { sessions: { is_current: boolean }[] }
    expect(sessions.map(({ is_current: isCurrent }) => isCurrent).toSorted()).toEqual([false, true])
    expect(JSON.stringify(sessions)).not.toMatch(/\w{40}/)
    const refused = await send('DELETE', '/sessions', undefined, { cookie: one.cookie })
    expect([refused.status, await codeOf(refused)]).toEqual([403, 'BAD_ORIGIN'])
    expect((await send('DELETE', '/sessions', undefined, asPage(one))).status).toBe(200)
    for (const browser of [one, two])
      expect((await send('GET', '/session', undefined, asPage(browser))).status).toBe(401)
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

describe('keys', () => {
  const grants = (...all: string[]) =>
    all.map((text) => ({ scope: text.split(':')[0]!, right: text.split(':')[1]! }))
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
  const make = async (by: string, more: object) => {
    const response = await send('POST', '/keys', more, bearer(by))
    return { status: response.status, json: (await response.json()) as Record<string, string>, response }
  }
  const idsSeenBy = async (key: string) => {
    const answer = await send('GET', '/keys', undefined, bearer(key))
    const { keys } = (await answer.json()) as { keys: { key_id: string; username: string }[] }
    return keys.map(({ key_id }) => key_id)
  }
  const revoke = async (by: string, id: string) =>
    (await send('DELETE', `/keys/${id}`, undefined, bearer(by))).status

  it('are made, used, listed and revoked by who administers an entity', async () => {
    const project = tenantProject()
    const entity = entityOf(project)
    const admin = await createKey(server, entity, 'admin')
    const made = await make(admin, {
      username: 'robot',
      label: 'for the robot',
      grants: grants(`${project}:write`),
      trace_project: project,
    })
    expect(made.status).toBe(200)
    expect(made.response.headers.get('cache-control')).toBe('no-store')
    const { key, key_id: id } = made.json as { key: string; key_id: string }
    expect((await list(project, bearer(key))).status).toBe(200)
    const answer = await (await send('GET', '/keys', undefined, bearer(admin))).json()
    expect(answer).toMatchObject({
      keys: [
        {
          username: `user-${entity}`,
          is_current: true,
          grants: grants(`${entity}:admin`),
          trace_project: null,
        },
        {
          ...{ key_id: id, username: 'robot', label: 'for the robot', is_current: false },
          ...{ grants: grants(`${project}:write`), trace_project: project },
        },
      ],
    })
    expect(JSON.stringify(answer)).not.toContain(key)
    expect(await revoke(admin, id)).toBe(200)
    await until('the key to end', async () => (await list(project, bearer(key))).status === 401, 60)
    expect(await idsSeenBy(admin)).not.toContain(id)
    expect(await revoke(admin, id)).toBe(404)
  })

  it('of one entity are not seen, made or revoked by another', async () => {
    const [mine, theirs] = [entityOf(tenantProject()), entityOf(tenantProject())]
    const [me, them] = [await createKey(server, mine, 'admin'), await createKey(server, theirs, 'admin')]
    const [id = ''] = await keyIds(server, theirs)
    expect(await idsSeenBy(them)).toEqual([id])
    expect(await idsSeenBy(me)).toEqual(await keyIds(server, mine))
    expect(await idsSeenBy(server.key)).toEqual(expect.arrayContaining([id]))
    expect(await revoke(me, id)).toBe(404)
    for (const scope of [
      '*',
      theirs,
      `${theirs}/one`,
      mine.slice(0, -1),
      `${mine}x`,
      `${mine.slice(0, -1)}/x`,
    ]) {
      const { status, json } = await make(me, { grants: grants(`${mine}:read`, `${scope}:read`) })
      expect([scope, status, json.code]).toEqual([scope, 403, 'NO_RIGHT'])
    }
    // A key of both is one of neither.
    const both = await make(server.key, {
      username: 'both',
      grants: grants(`${mine}:read`, `${theirs}:read`),
    })
    expect(await idsSeenBy(me)).not.toContain(both.json.key_id)
    expect(await revoke(me, both.json.key_id!)).toBe(404)
    expect((await list(`${theirs}/one`, bearer(them))).status).toBe(200)
  })

  it('of a project are in the hands of its administrator', async () => {
    const project = tenantProject()
    const owner = await make(server.key, { username: 'owner', grants: grants(`${project}:admin`) })
    const { key } = owner.json as { key: string }
    expect((await make(key, { grants: grants(`${project}:read`) })).status).toBe(200)
    expect((await make(key, { grants: grants(`${entityOf(project)}:read`) })).status).toBe(403)
    expect(await idsSeenBy(key)).toHaveLength(2)
  })

  it('are refused to who administers nothing, and where they make no sense', async () => {
    const entity = entityOf(tenantProject())
    const writer = await createKey(server, entity, 'write')
    for (const [method, path] of [
      ['GET', '/keys'],
      ['GET', '/secrets'],
      ['DELETE', '/keys/x'],
    ] as const)
      expect((await send(method, path, undefined, bearer(writer))).status).toBe(403)
    expect((await make(writer, { grants: grants(`${entity}:read`) })).status).toBe(403)
    expect((await send('GET', '/keys')).status).toBe(401)
    for (const [wrong, status] of [
      [{ grants: [] }, 422],
      [{ grants: grants('a/b/c:read') }, 422],
      [{ grants: grants(`${entity}:own`) }, 422],
      [{ grants: grants(`${entity}:read`), username: 'no spaces' }, 400],
      [{ grants: grants(`${entity}:read`), trace_project: `${entity}/one` }, 400],
    ] as const)
      expect([wrong, (await make(server.key, wrong)).status]).toEqual([wrong, status])
  })

  it('of providers are listed by name, to who administers their scope', async () => {
    const [mine, theirs] = [entityOf(tenantProject()), entityOf(tenantProject())]
    await server.cliWith('sk-1', 'secrets', 'set', mine, 'OPENAI_API_KEY', '--for', 'https://api.openai.com')
    const seenBy = async (key: string) => (await send('GET', '/secrets', undefined, bearer(key))).json()
    const { secrets } = (await seenBy(await createKey(server, mine, 'admin'))) as { secrets: object[] }
    expect(secrets).toMatchObject([{ scope: mine, name: 'OPENAI_API_KEY', origin: 'https://api.openai.com' }])
    expect(JSON.stringify(secrets)).not.toContain('sk-1')
    expect(await seenBy(await createKey(server, theirs, 'admin'))).toEqual({ secrets: [] })
  })

  it('are made by a page only with its token', async () => {
    const browser = await signIn(server.key)
    const body = { grants: grants('acme:read') }
    expect((await send('POST', '/keys', body, { cookie: browser.cookie })).status).toBe(403)
    expect((await send('POST', '/keys', body, asPage(browser))).status).toBe(200)
  })
})

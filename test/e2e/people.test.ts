/** People from their invitation to their leaving: what they may do, give and take at each time, and nobody more. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hex } from '../support/ids.js'
import { createKey } from '../support/keys.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'

let server: Server
beforeAll(async () => {
  // Clients are who its proxy, this test, says.
  server = await Server.start({ env: { HEDDLE_TRUSTED_PROXIES: '127.0.0.1, ::1' } })
})
afterAll(() => server?.dispose())

type Json = Record<string, unknown>
/** How somebody shows who it is. */
type Caller = Record<string, string>

async function send(caller: Caller, method: string, path: string, body?: unknown) {
  const response = await fetch(server.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...caller },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, json: (text && JSON.parse(text)) as Json, headers: response.headers }
}

const bearer = (key: string): Caller => ({ authorization: `Bearer ${key}` })
const operator = () => bearer(server.key)
/** What was refused, or else the answer's status. */
const outcome = async (caller: Caller, method: string, path: string, body?: unknown) => {
  const { status, json } = await send(caller, method, path, body)
  return json.code ?? status
}
async function ok(caller: Caller, method: string, path: string, body?: unknown): Promise<Json> {
  const { status, json } = await send(caller, method, path, body)
  expect([path, status, json.reason]).toEqual([path, 200, undefined])
  return json
}

interface User {
  id: string
  name: string
  caller: Caller
}

/** Somebody who followed the link of an invitation, in a browser. */
async function accepted(token: unknown, username: string): Promise<User> {
  const { status, json, headers } = await send({}, 'POST', '/invitations/accept', { token, username })
  expect([status, json.reason]).toEqual([200, undefined])
  const cookie = headers.get('set-cookie')!.split(';')[0]!
  const caller = { cookie, 'x-csrf-token': String(json.csrf_token), 'sec-fetch-site': 'same-origin' }
  return { id: String(json.user_id), name: String(json.username), caller }
}

async function invited(by: Caller, scope: string, role: string): Promise<User> {
  const { token } = await ok(by, 'POST', '/invitations', { scope, role })
  return accepted(token, `p${hex(4)}@example.org`)
}

const read = (caller: Caller, project: string) =>
  outcome(caller, 'POST', '/calls/query_stats', { project_id: project })
const annotate = (caller: Caller, project: string) =>
  outcome(caller, 'POST', '/feedback/create', {
    ...{ project_id: project, weave_ref: `weave:///${project}/call/x`, creator: null },
    ...{ feedback_type: 'note', payload: { note: 'hm' } },
  })
const write = (caller: Caller, project: string) =>
  outcome(caller, 'POST', '/table/create', { table: { project_id: project, rows: [{ a: 1 }] } })
const rightsOf = async (caller: Caller, project: string) => [
  await read(caller, project),
  await annotate(caller, project),
  await write(caller, project),
]
const freshEntity = () => `e${hex(4)}`

describe('a person', () => {
  it('is invited, works, gets other roles, hands over and leaves', async () => {
    const entity = freshEntity()
    const project = `${entity}/one`
    const owner = await invited(operator(), entity, 'owner')
    expect(await rightsOf(owner.caller, project)).toEqual([200, 200, 200])
    const person = await invited(owner.caller, entity, 'viewer')
    expect(await rightsOf(person.caller, project)).toEqual([200, 'NO_RIGHT', 'NO_RIGHT'])
    expect(await read(person.caller, `${freshEntity()}/x`)).toBe('NO_RIGHT')

    const member = { scope: project, user_id: person.id }
    await ok(owner.caller, 'PUT', '/members', { ...member, role: 'annotator' })
    expect(await rightsOf(person.caller, project)).toEqual([200, 200, 'NO_RIGHT'])
    await ok(owner.caller, 'PUT', '/members', { ...member, role: 'member' })
    expect(await rightsOf(person.caller, project)).toEqual([200, 200, 200])

    const { key } = await ok(person.caller, 'POST', '/users/me/keys', { label: 'mine' })
    const { key: reader } = await ok(person.caller, 'POST', '/users/me/keys', {
      grants: [{ scope: project, right: 'read' }],
    })
    expect(await rightsOf(bearer(String(key)), project)).toEqual([200, 200, 200])
    expect(await rightsOf(bearer(String(reader)), project)).toEqual([200, 'NO_RIGHT', 'NO_RIGHT'])
    // A key makes no other one.
    expect(await outcome(bearer(String(reader)), 'POST', '/users/me/keys', {})).toBe('NO_USER')

    await ok(owner.caller, 'PUT', '/members', { ...member, role: 'viewer' })
    expect(await rightsOf(bearer(String(key)), project)).toEqual([200, 'NO_RIGHT', 'NO_RIGHT'])

    await ok(owner.caller, 'PUT', '/members', { ...member, role: 'admin' })
    const robot = await ok(person.caller, 'POST', '/users', {
      ...{ username: `robot-${hex(4)}`, scope: project, role: 'member' },
    })
    const made = await ok(person.caller, 'POST', '/keys', {
      ...{ username: robot.username, grants: [{ scope: project, right: 'write' }] },
    })
    await ok(owner.caller, 'POST', `/users/${person.id}/hand-over`, { to: owner.id, deactivate: true })
    await until('the person is out', async () => (await read(person.caller, project)) === 'USER_INACTIVE', 30)
    await until('its key is', async () => (await read(bearer(String(key)), project)) === 'BAD_KEY', 30)
    // What programs use goes on.
    expect(await write(bearer(String(made.key)), project)).toBe(200)
    const { members } = await ok(owner.caller, 'GET', `/members?scope=${encodeURIComponent(project)}`)
    expect(members).toContainEqual(
      expect.objectContaining({ user_id: owner.id, scope: project, roles: ['admin'] }),
    )
    const audit = await ok(operator(), 'POST', '/audit/query', { scope: '*', action: 'users_hand_over' })
    expect(audit.entries).toContainEqual(
      expect.objectContaining({
        ...{ username: owner.name, outcome: 'ok' },
        target: expect.objectContaining({ user_id: person.id, username: person.name }),
      }),
    )
  })

  it('gives nobody more than it has, and touches nobody who has more', async () => {
    const entity = freshEntity()
    const [owner, admin] = [
      await invited(operator(), entity, 'owner'),
      await invited(operator(), entity, 'admin'),
    ]
    const annotator = await invited(owner.caller, entity, 'annotator')
    const set = (by: User, whom: User, role: string, scope = entity) =>
      outcome(by.caller, 'PUT', '/members', { scope, user_id: whom.id, role })
    const expected = [
      ['an admin makes no owner', () => set(admin, annotator, 'owner'), 'UNHELD_RIGHT'],
      ['not even itself', () => set(admin, admin, 'owner'), 'UNHELD_RIGHT'],
      ['nor in a project', () => set(admin, admin, 'owner', `${entity}/x`), 'UNHELD_RIGHT'],
      ['it takes nothing from one', () => set(admin, owner, 'viewer'), 'STRONGER_MEMBER'],
      ['nor elsewhere', () => set(admin, admin, 'admin', '*'), 'NO_RIGHT'],
      ['an annotator gives nothing', () => set(annotator, annotator, 'member'), 'NO_RIGHT'],
      [
        'no key that owns what its maker does not',
        () => outcome(admin.caller, 'POST', '/keys', { grants: [{ scope: entity, right: 'admin' }] }),
        'UNHELD_RIGHT',
      ],
      [
        'no link to become one',
        () => outcome(admin.caller, 'POST', '/invitations', { scope: entity, role: 'owner' }),
        'UNHELD_RIGHT',
      ],
      [
        'who is stronger is not deactivated',
        () => outcome(admin.caller, 'PATCH', `/users/${owner.id}`, { active: false }),
        'STRONGER_MEMBER',
      ],
      [
        'nobody has what is handed over',
        () => outcome(admin.caller, 'POST', `/users/${owner.id}/hand-over`, { to: admin.id }),
        'STRONGER_MEMBER',
      ],
      [
        'no key in the name of a person',
        () =>
          outcome(owner.caller, 'POST', '/keys', {
            ...{ username: admin.name, grants: [{ scope: entity, right: 'read' }] },
          }),
        'PERSONS_KEY',
      ],
      [
        'a personal key has no right that its user has not',
        () =>
          outcome(annotator.caller, 'POST', '/users/me/keys', {
            grants: [{ scope: entity, right: 'write' }],
          }),
        'UNHELD_RIGHT',
      ],
    ] as const
    for (const [why, ask, code] of expected) expect([why, await ask()]).toEqual([why, code])
    // Somebody of another entity is not even seen.
    const stranger = await invited(operator(), freshEntity(), 'owner')
    expect(await outcome(stranger.caller, 'GET', `/users/${owner.id}`)).toBe('NOT_FOUND')
    const { users } = await ok(stranger.caller, 'GET', '/users')
    expect((users as Json[]).map(({ user_id }) => user_id)).toEqual([stranger.id])
  })
})

it('members are found and paged by scope and name, each once', async () => {
  const entity = freshEntity()
  const owner = await invited(operator(), entity, 'owner')
  const robots = Array.from({ length: 7 }, (_, i) => `robot-${i}-${entity}`)
  for (const [i, username] of robots.entries())
    await ok(owner.caller, 'POST', '/users', { username, scope: entity, role: i % 2 ? 'viewer' : 'member' })
  const team = await ok(owner.caller, 'POST', '/teams', { entity, name: `Robots of ${entity}` })
  await ok(owner.caller, 'PUT', '/members', { scope: `${entity}/x`, team_id: team.team_id, role: 'viewer' })
  type Page = { members: { scope: string; name: string }[]; next: string | null }
  const pagesOf = async (query: string, limit: number) => {
    const names: string[] = []
    for (let after: string | null = ''; after !== null; ) {
      const asked = new URLSearchParams({ scope: `${entity}/x`, query, after, limit: String(limit) })
      const page = (await ok(owner.caller, 'GET', `/members?${asked}`)) as unknown as Page
      expect(page.members.length).toBeLessThanOrEqual(limit)
      names.push(...page.members.filter(({ scope }) => scope !== '*').map(({ name }) => name))
      after = page.next
    }
    return names
  }
  for (const limit of [1, 3, 100]) {
    expect(await pagesOf('', limit)).toEqual([...[...robots, owner.name].sort(), `Robots of ${entity}`])
    expect(await pagesOf(`${entity}`, limit)).toEqual([...robots, `Robots of ${entity}`])
    expect(await pagesOf(`ROBOT-3-${entity}`, limit)).toEqual([robots[3]])
  }
  expect(await outcome(owner.caller, 'GET', `/members?scope=${entity}&after=x`)).toBe('BAD_REQUEST')
  const found = await server.cli('members', 'list', entity, '--query', `robot-5-${entity}`)
  expect(found.trim().split('\n')).toHaveLength(2)
})

describe('a role of an entity', () => {
  it('permits what it names, and of two who change it at once one learns of the other', async () => {
    const entity = freshEntity()
    const project = `${entity}/one`
    const owner = await invited(operator(), entity, 'owner')
    const role = `/roles/${entity}/critic`
    const permissions = ['*:read', 'Feedback:write']
    await ok(owner.caller, 'PUT', role, { permissions, version: 0 })
    const critic = await invited(owner.caller, entity, 'critic')
    expect(await rightsOf(critic.caller, project)).toEqual([200, 200, 'NO_RIGHT'])
    const change = (more: string) =>
      outcome(owner.caller, 'PUT', role, { permissions: [...permissions, more], version: 1 })
    const codes = await Promise.all([change('Tables:write'), change('Objects:write')])
    expect(codes.sort()).toEqual([200, 'CHANGED_MEANWHILE'])
    await ok(owner.caller, 'PUT', role, { permissions: ['*:read', 'Tables:write'], version: 2 })
    expect(await rightsOf(critic.caller, project)).toEqual([200, 'NO_RIGHT', 200])
    // Nobody permits what it may not do itself.
    await ok(owner.caller, 'PUT', `/roles/${entity}/clerk`, {
      ...{ permissions: ['*:read', 'People:admin'], version: 0 },
    })
    const clerk = await invited(owner.caller, entity, 'clerk')
    const raise = { permissions: ['*:admin'], version: 1 }
    expect(await outcome(clerk.caller, 'PUT', `/roles/${entity}/clerk`, raise)).toBe('UNHELD_RIGHT')
    const give = { scope: entity, user_id: clerk.id, role: 'member' }
    expect(await outcome(clerk.caller, 'PUT', '/members', give)).toBe('UNHELD_RIGHT')
    await ok(owner.caller, 'DELETE', role)
    expect(await read(critic.caller, project)).toBe('NO_RIGHT')
  })
})

describe('a team', () => {
  it('has roles that its members have while they are in it', async () => {
    const entity = freshEntity()
    const project = `${entity}/one`
    const owner = await invited(operator(), entity, 'owner')
    const { user_id: id } = await ok(owner.caller, 'POST', '/users', {
      ...{ username: `svc-${hex(4)}`, scope: entity },
    })
    const colleague = await invited(owner.caller, `${entity}/other`, 'viewer')
    const team = await ok(owner.caller, 'POST', '/teams', { entity, name: 'judges' })
    await ok(owner.caller, 'PUT', '/members', { scope: project, team_id: team.team_id, role: 'member' })
    for (const one of [colleague.id, id])
      await ok(owner.caller, 'PUT', `/teams/${team.team_id}/members/${one}`)
    expect(await rightsOf(colleague.caller, project)).toEqual([200, 200, 200])
    await ok(colleague.caller, 'POST', '/users/me/leave', { scope: entity })
    expect(await read(colleague.caller, project)).toBe('NO_RIGHT')
    const outside = { scope: freshEntity(), team_id: team.team_id, role: 'viewer' }
    expect(await outcome(operator(), 'PUT', '/members', outside)).toBe('BAD_REQUEST')
    await ok(owner.caller, 'DELETE', `/teams/${team.team_id}`)
    expect((await ok(owner.caller, 'GET', '/teams')).teams).toEqual([])
  })
})

it('the last owner can neither leave, nor be removed or deactivated; another one may be made before', async () => {
  const first = await invited(operator(), '*', 'owner')
  const leave = () => outcome(first.caller, 'POST', '/users/me/leave', { scope: '*' })
  expect(await leave()).toBe('LAST_OWNER')
  const demote = { scope: '*', user_id: first.id, role: 'viewer' }
  expect(await outcome(first.caller, 'PUT', '/members', demote)).toBe('LAST_OWNER')
  expect(await outcome(operator(), 'PATCH', `/users/${first.id}`, { active: false })).toBe('LAST_OWNER')
  const second = await invited(first.caller, '*', 'owner')
  const leaveToo = () => outcome(second.caller, 'POST', '/users/me/leave', { scope: '*' })
  expect((await Promise.all([leave(), leaveToo()])).sort()).toEqual([200, 'LAST_OWNER'])
})

it('an invitation works once, for whom it is for', async () => {
  const entity = freshEntity()
  const email = `q${hex(4)}@example.org`
  const open = await ok(operator(), 'POST', '/invitations', { scope: entity, role: 'viewer' })
  const person = await accepted(open.token, `r${hex(4)}`)
  const accept = (caller: Caller, token: unknown, username = '') =>
    outcome(caller, 'POST', '/invitations/accept', { token, username })
  expect(await accept({}, open.token, 'somebody')).toBe('BAD_INVITATION')
  const addressed = await ok(operator(), 'POST', '/invitations', { scope: entity, role: 'viewer', email })
  expect(await accept(person.caller, addressed.token)).toBe('BAD_INVITATION')
  const { name } = await accepted(addressed.token, 'whatever')
  expect(name).toBe(email)
  // Who is here already signs in first.
  const again = await ok(operator(), 'POST', '/invitations', { scope: entity, role: 'viewer', email })
  expect(await accept({}, again.token)).toBe('NAME_TAKEN')
  const more = await ok(operator(), 'POST', '/invitations', { scope: `${entity}x`, role: 'viewer' })
  expect(await accept(person.caller, more.token)).toBe(200)
  expect(await read(person.caller, `${entity}x/one`)).toBe(200)
  const revoked = await ok(operator(), 'POST', '/invitations', { scope: entity, role: 'viewer' })
  const { invitation_id: id } = revoked.invitation as Json
  await ok(operator(), 'DELETE', `/invitations/${id}`)
  expect(await accept({}, revoked.token, 'late')).toBe('BAD_INVITATION')
  // A link ends with the key that made it, be it somebody's own or a program's.
  const owner = await invited(operator(), entity, 'owner')
  const all = [{ scope: entity, right: 'admin' }]
  const ways = [
    [await ok(owner.caller, 'POST', '/keys', { grants: all, username: `ci-${entity}` }), '/keys'],
    [await ok(owner.caller, 'POST', '/users/me/keys', {}), '/users/me/keys'],
  ] as const
  for (const [{ key, key_id }, keys] of ways) {
    const [used, left] = [
      await ok(bearer(String(key)), 'POST', '/invitations', { scope: entity, role: 'owner' }),
      await ok(bearer(String(key)), 'POST', '/invitations', { scope: entity, role: 'owner' }),
    ]
    expect(await accept(person.caller, used.token)).toBe(200)
    await ok(owner.caller, 'DELETE', `${keys}/${key_id}`)
    expect(await accept(person.caller, left.token)).toBe('BAD_INVITATION')
  }
  const { entries } = await ok(operator(), 'POST', '/audit/query', {
    scope: '*',
    action: 'invitations_accept',
  })
  expect((entries as Json[]).find(({ outcome }) => outcome === 'ok')).toMatchObject({
    ...{ username: person.name, target: { scope: entity, role: 'owner', invitation_id: expect.any(String) } },
  })
  const nowhere = { scope: entity, role: 'viewer', email: 'nobody' }
  expect(await outcome(operator(), 'POST', '/invitations', nowhere)).toBe('BAD_NAME')
})

describe('a key', () => {
  it('is rotated: both work for a while, then the new one alone', async () => {
    const entity = freshEntity()
    const admin = bearer(await createKey(server, entity, 'admin'))
    const grants = [{ scope: entity, right: 'read' }]
    const old = await ok(admin, 'POST', '/keys', { grants, label: 'ci' })
    const next = await ok(admin, 'POST', `/keys/${old.key_id}/rotate`, { overlap_seconds: 2 })
    for (const { key } of [old, next]) expect(await read(bearer(String(key)), `${entity}/x`)).toBe(200)
    await until(
      'the old one ends',
      async () => (await read(bearer(String(old.key)), `${entity}/x`)) === 'BAD_KEY',
      30,
    )
    expect(await read(bearer(String(next.key)), `${entity}/x`)).toBe(200)
    const { keys } = await ok(admin, 'GET', '/keys')
    expect(keys).toContainEqual(
      expect.objectContaining({ key_id: next.key_id, replaces: old.key_id, label: 'ci' }),
    )
  })

  it('is changed by who could make it as it was and as it is to be, and by nobody else', async () => {
    const entity = freshEntity()
    const admin = bearer(await createKey(server, entity, 'admin'))
    const stranger = bearer(await createKey(server, freshEntity(), 'admin'))
    const grants = [{ scope: entity, right: 'write' }]
    const { key, key_id } = await ok(admin, 'POST', '/keys', { grants, label: 'ci', models: ['small'] })
    const change = (body: Json, by = admin) => outcome(by, 'PATCH', `/keys/${key_id}`, body)
    const later = new Date(Date.now() + 3_600_000).toISOString()
    const reading = [{ scope: entity, right: 'read' }]
    expect(
      await ok(admin, 'PATCH', `/keys/${key_id}`, { label: 'new', grants: reading, expires_at: later }),
    ).toMatchObject({ key_id, label: 'new', grants: reading, models: ['small'], trace_project: null })
    const using = bearer(String(key))
    await until('it writes no more', async () => (await write(using, `${entity}/x`)) === 'NO_RIGHT', 30)
    expect(await read(using, `${entity}/x`)).toBe(200)
    expect(await change({ expires_at: null, models: null, grants })).toBe(200)
    await until('it writes again', async () => (await write(using, `${entity}/x`)) === 200, 30)
    expect([
      await change({ label: 'mine' }, stranger),
      await change({ grants: [{ scope: '*', right: 'read' }] }),
      await change({ expires_at: '2001-01-01T00:00:00Z' }),
      await change({ addresses: ['nowhere'] }),
      await change({ trace_project: `${freshEntity()}/x` }),
    ]).toEqual(['NOT_FOUND', 'NO_RIGHT', 'BAD_REQUEST', 'BAD_REQUEST', 'BAD_REQUEST'])

    // An administrator who owns nothing may revoke the key of an owner, and can't let it live longer.
    const helper = await invited(admin, entity, 'admin')
    const strong = await ok(admin, 'POST', '/keys', { grants: [{ scope: entity, right: 'admin' }] })
    const prolong = await outcome(helper.caller, 'PATCH', `/keys/${strong.key_id}`, { expires_at: later })
    expect(prolong).toBe('UNHELD_RIGHT')
    // Personal keys are their users' affair, in their sessions.
    const own = await ok(helper.caller, 'POST', '/users/me/keys', { grants: reading })
    const mine = `/users/me/keys/${own.key_id}`
    expect([
      await outcome(admin, 'PATCH', `/keys/${own.key_id}`, { label: 'x' }),
      await outcome(bearer(String(own.key)), 'PATCH', mine, { grants: [] }),
      await outcome(helper.caller, 'PATCH', mine, { grants: [{ scope: '*', right: 'read' }] }),
      await outcome(helper.caller, 'PATCH', mine, { grants: [], label: 'all' }),
    ]).toEqual(['PERSONS_KEY', 'NO_USER', 'UNHELD_RIGHT', 200])
    await server.cli('keys', 'set', String(key_id), '--label', 'by hand', '--expires', '3')
    await ok(admin, 'DELETE', `/keys/${key_id}`)
    expect(await change({ label: 'late' })).toBe('NOT_FOUND')
    const { entries } = await ok(admin, 'POST', '/audit/query', { scope: entity, limit: 100 })
    const targets = (entries as { action: string; target: Json; status: number }[])
      .filter(({ action, status }) => action === 'key_update' && status === 200)
      .map(({ target }) => target)
    expect(targets).toContainEqual(expect.objectContaining({ key_id, grants: reading, expires_at: later }))
  })

  it('is limited to an area, to models and to addresses', async () => {
    const entity = freshEntity()
    const admin = bearer(await createKey(server, entity, 'admin'))
    const make = async (body: Json) => bearer(String((await ok(admin, 'POST', '/keys', body)).key))
    const grants = [
      { scope: entity, right: 'read' },
      { scope: entity, right: 'write', area: 'Tables' },
    ]
    expect(await rightsOf(await make({ grants }), `${entity}/x`)).toEqual([200, 'NO_RIGHT', 200])
    const near = await make({ grants, addresses: ['127.0.0.0/8', '::1'] })
    const far = await make({ grants, addresses: ['192.0.2.0/24'] })
    expect([await read(near, `${entity}/x`), await read(far, `${entity}/x`)]).toEqual([200, 'WRONG_ADDRESS'])
    const modest = await make({ grants: [{ scope: entity, right: 'write' }], models: ['small'] })
    const ask = (model: string) =>
      outcome(modest, 'POST', '/completions/create', {
        project_id: `${entity}/x`,
        inputs: { model, messages: [{ role: 'user', content: 'hi' }] },
      })
    expect(await ask('large')).toBe('MODEL_NOT_ALLOWED')
    expect(await ask('small')).not.toBe('MODEL_NOT_ALLOWED')
    // The proxy appends whom it serves; what stands before that is made up.
    const via = (caller: Caller, forwarded: string) =>
      read({ ...caller, 'x-forwarded-for': forwarded }, `${entity}/x`)
    expect([
      await via(far, '192.0.2.7'),
      await via(far, '127.0.0.1, 192.0.2.7:4711'),
      await via(far, '192.0.2.7, 203.0.113.1'),
      await via(far, '192.0.2.7, junk'),
      await via(near, '203.0.113.1'),
    ]).toEqual([200, 200, 'WRONG_ADDRESS', 'WRONG_ADDRESS', 'WRONG_ADDRESS'])
    await ok({ ...admin, 'x-forwarded-for': '127.0.0.1, 203.0.113.9' }, 'POST', '/keys', { grants })
    const { entries } = await ok(operator(), 'POST', '/audit/query', { scope: entity, limit: 1 })
    expect(entries).toEqual([expect.objectContaining({ remote_address: '203.0.113.9' })])
    // What such a key makes is within its limits.
    const limited = { models: ['small'], addresses: ['127.0.0.0/8', '::1'] }
    const maker = await make({ grants: [{ scope: entity, right: 'admin' }], ...limited })
    const made = (body: Json) => outcome(maker, 'POST', '/keys', { grants, ...body })
    expect([
      await made({}),
      await made({ ...limited, models: ['small', 'large'] }),
      await made({ ...limited, addresses: ['0.0.0.0/0'] }),
      await made({ models: ['small'], addresses: ['127.0.0.1'] }),
    ]).toEqual(['UNHELD_RIGHT', 'UNHELD_RIGHT', 'UNHELD_RIGHT', 200])
    // A person may use all models.
    const guest = { scope: entity, role: 'viewer' }
    expect(await outcome(maker, 'POST', '/invitations', guest)).toBe('UNHELD_RIGHT')
    expect(await outcome(near, 'POST', '/invitations', guest)).toBe('NO_RIGHT')
    const [soon, later] = [3_600_000, 7_200_000].map((ms) => new Date(Date.now() + ms).toISOString())
    const ending = { grants: [{ scope: entity, right: 'admin' }], expires_at: soon }
    const { key, key_id } = await ok(admin, 'POST', '/keys', ending)
    const short = bearer(String(key))
    expect([
      await outcome(short, 'POST', '/keys', { grants }),
      await outcome(short, 'POST', '/keys', { grants, expires_at: later }),
      await outcome(short, 'PATCH', `/keys/${key_id}`, { expires_at: null }),
      await outcome(short, 'POST', `/keys/${key_id}/rotate`, {}),
      await outcome(short, 'POST', `/keys/${key_id}/rotate`, { expires_at: soon }),
    ]).toEqual([...Array<string>(4).fill('UNHELD_RIGHT'), 200])
    const wrong = { grants, addresses: ['nowhere'] }
    expect(await outcome(admin, 'POST', '/keys', wrong)).toBe('BAD_REQUEST')
  })
})

it('the commands do the same', async () => {
  const entity = freshEntity()
  const link = (await server.cli('invite', 'create', entity, 'owner')).trim()
  const owner = await accepted(link.split('#')[1], `s${hex(4)}`)
  await server.cli('users', 'create-service', `bot-${entity}`, entity, '--role', 'viewer')
  await server.cli('members', 'set', entity, `bot-${entity}`, '--role', 'member')
  await server.cli('roles', 'save', entity, 'critic', '--permit', '*:read', '--permit', 'Feedback:write')
  expect(await server.cli('roles', 'list')).toMatch(/critic +e\w+ +\*:read, Feedback:write/)
  expect(await server.cli('members', 'list', entity)).toMatch(
    new RegExp(`bot-${entity} +${entity} +member +hand`),
  )
  await server.cli('teams', 'create', entity, 'weavers')
  const [, team = ''] = new RegExp(`(\\S+) +${entity} +weavers`).exec(await server.cli('teams', 'list')) ?? []
  await server.cli('teams', 'rename', team, 'spinners')
  expect(await server.cli('teams', 'list')).toMatch(new RegExp(`${team} +${entity} +spinners`))
  const guest = await invited(owner.caller, entity, 'viewer')
  const { key } = await ok(guest.caller, 'POST', '/users/me/keys', { label: 'mine' })
  await server.cli('members', 'leave', entity, '--key', String(key))
  expect(await read(guest.caller, `${entity}/one`)).toBe('NO_RIGHT')
  await server.cli('users', 'hand-over', `bot-${entity}`, owner.name, '--deactivate')
  expect(await server.cli('users', 'list', '--query', `bot-${entity}`)).toMatch(/service +inactive/)
})

/** An identity provider keeps users and groups here by SCIM: as a published suite checks it, and as real ones behave. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Api } from '../support/api.js'
import { hex } from '../support/ids.js'
import { runPython } from '../support/program.js'
import { Server } from '../support/server.js'

let server: Server
/** with a key for this alone */
let idp: Api
beforeAll(async () => {
  server = await Server.start()
  const grants = [{ scope: '*', right: 'admin', area: 'SCIM' }]
  const { key } = await server.api.ok('/keys', { username: 'idp', grants })
  idp = server.api.as(String(key), { 'content-type': 'application/scim+json' })
})
afterAll(() => server?.dispose())

type Found = Record<string, unknown> & { id: string; meta: { version: string } }

async function scim(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await idp.send(method, `/scim/v2${path}`, body && JSON.stringify(body), headers)
  return { status: answer.status, json: (answer.text && JSON.parse(answer.text)) as Found, answer }
}
const patch = (path: string, ...Operations: object[]) => scim('PATCH', path, { Operations })
const find = async (kind: string, filter: string) => {
  const { json } = await scim('GET', `/${kind}?filter=${encodeURIComponent(filter)}`)
  return json.Resources as Found[]
}
const userNamed = (userName: string) => ({
  ...{ userName, externalId: `x-${userName}`, active: true, name: { givenName: 'Ada', familyName: 'L' } },
  emails: [{ value: userName, type: 'work', primary: true }],
})

it('passes the published suite', async () => {
  const env = { SCIM_URL: `${server.url}/scim/v2`, SCIM_KEY: idp.key! }
  const { passed, failed } = await runPython<{ passed: number; failed: string[][] }>(
    ...([server, 'scim_check', env, 280, '.venv/scim'] as const),
  )
  expect(failed).toEqual([])
  expect(passed).toBeGreaterThan(30)
})

describe('a provider', () => {
  it('that repeats and reorders leaves what it means', async () => {
    const [ada, bob] = [`ada-${hex(4)}@x.org`, `bob-${hex(4)}@x.org`]
    // It sends each user twice, and the group before the second user is there.
    const made = await scim('POST', '/Users', userNamed(ada))
    expect(made.status).toBe(201)
    expect(await scim('POST', '/Users', userNamed(ada.toUpperCase()))).toMatchObject({
      ...{ status: 409, json: { scimType: 'uniqueness' } },
    })
    const displayName = `judges-${hex(4)}`
    const early = { displayName, members: [{ value: made.json.id }, { value: 'nobody-yet' }] }
    expect((await scim('POST', '/Groups', early)).status).toBe(404)
    expect(await find('Groups', `displayName eq "${displayName}"`)).toEqual([])
    const group = (await scim('POST', '/Groups', { displayName, members: [{ value: made.json.id }] })).json
    const other = (await scim('POST', '/Users', userNamed(bob))).json
    const add = { op: 'Add', path: 'members', value: [{ value: other.id }] }
    const remove = { op: 'Remove', path: `members[value eq "${made.json.id}"]` }
    for (const change of [add, add, remove, remove])
      expect((await patch(`/Groups/${group.id}`, change)).status).toBe(200)
    const { json } = await scim('GET', `/Groups/${group.id}`)
    expect((json.members as Found[]).map(({ value }) => value)).toEqual([other.id])
    expect(await find('Users', `externalId eq "x-${bob}" and active eq true`)).toMatchObject([
      { id: other.id, userName: bob },
    ])
    expect(await find('Users', `userName sw "ada-" and not (emails[value co "y.org"])`)).toContainEqual(
      expect.objectContaining({ id: made.json.id }),
    )
    // Who is in the group has its roles, and loses them with its place in it.
    await server.api.send('PUT', '/members', { scope: 'acme', team_id: group.id, role: 'member' })
    const shown = async () =>
      JSON.parse((await server.api.get(`/users/${other.id}`)).text) as { active: boolean; roles: object[] }
    expect(await shown()).toMatchObject({ active: true, roles: [{ scope: 'acme', roles: ['member'] }] })
    await patch(`/Groups/${group.id}`, { op: 'remove', path: 'members', value: [{ value: other.id }] })
    expect(await shown()).toMatchObject({ roles: [] })
    // As Entra ID says it.
    await patch(`/Users/${other.id}`, { op: 'Replace', path: 'active', value: 'False' })
    expect(await shown()).toMatchObject({ active: false })
    expect((await scim('DELETE', `/Users/${other.id}`)).status).toBe(204)
    expect((await scim('DELETE', `/Users/${other.id}`)).status).toBe(404)
  })

  it('changes what it has seen, and pages through what there is', async () => {
    const name = `eve-${hex(4)}@x.org`
    const { json, answer } = await scim('POST', '/Users', userNamed(name))
    const version = String(answer.headers.etag)
    const unchanged = await idp.send('GET', `/scim/v2/Users/${json.id}`, undefined, {
      'if-none-match': version,
    })
    expect(unchanged.status).toBe(304)
    const change = { Operations: [{ op: 'replace', value: { displayName: 'Eve' } }] }
    const path = `/Users/${json.id}`
    expect(await scim('PATCH', path, change, { 'if-match': version })).toMatchObject({
      ...{ status: 200, json: { displayName: 'Eve', userName: name } },
    })
    expect((await scim('PATCH', path, change, { 'if-match': version })).status).toBe(412)
    for (const _ of [1, 2, 3]) await scim('POST', '/Users', userNamed(`${hex(6)}@page.org`))
    const pages = await Promise.all(
      [1, 2, 3].map((startIndex) =>
        scim(
          'GET',
          `/Users?startIndex=${startIndex}&count=1&attributes=userName&filter=${encodeURIComponent('userName ew "@page.org"')}`,
        ),
      ),
    )
    const users = pages.flatMap((page) => page.json.Resources as Found[])
    expect(pages.map((page) => page.json.totalResults)).toEqual([3, 3, 3])
    expect(new Set(users.map(({ userName }) => userName)).size).toBe(3)
    expect(users[0]).not.toHaveProperty('emails')
  })

  it('never takes the last owner, and is told what is wrong', async () => {
    const { token } = await server.api.ok('/invitations', { scope: '*', role: 'owner' })
    const accept = { token: String(token), username: `own-${hex(4)}@x.org` }
    const { user_id } = JSON.parse((await server.api.as(null).post('/invitations/accept', accept)).text)
    const off = { op: 'replace', path: 'active', value: false }
    expect(await patch(`/Users/${user_id}`, off)).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining('without an owner') },
    })
    expect((await scim('DELETE', `/Users/${user_id}`)).status).toBe(409)
    const wrong = [
      [() => scim('GET', '/Users?filter=userName%20eq'), 'invalidFilter'],
      [() => scim('POST', '/Users', { userName: '' }), 'invalidValue'],
      [() => scim('POST', '/Users', { userName: 'a b' }), 'invalidValue'],
      [() => patch(`/Users/${user_id}`, { op: 'replace', path: 'a..b', value: 1 }), 'invalidPath'],
    ] as const
    for (const [ask, scimType] of wrong) {
      const { status, json } = await ask()
      expect([status, json.scimType]).toEqual([400, scimType])
    }
    // The key is for nothing else.
    expect((await idp.get('/users')).status).toBe(403)
  })
})

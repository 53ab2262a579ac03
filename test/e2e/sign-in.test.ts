/**
 * Signing in without a key: by a provider of OpenID Connect that is a process of its own, which rotates keys, has a clock of
 * its own, lies, refuses and is down; and by links in mails.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Row } from '../support/api.js'
import { hex } from '../support/ids.js'
import type { Server } from '../support/server.js'
import { CLIENT_SECRET, SignInSetup } from '../support/sign-in-setup.js'
import { until } from '../support/until.js'
import { Visitor } from '../support/visitor.js'

const entity = `t${hex(4)}`
let setup: SignInSetup
let server: Server

const change = (what: object) => setup.change(what)
const account = (name: string, claims: object | undefined) => setup.account(name, claims)
const verified = (name: string, more: object = {}) => ({
  ...{ email: `${name}@example.com`, email_verified: true, name, groups: [] },
  ...more,
})

beforeAll(async () => {
  setup = await SignInSetup.start({
    providers: [
      {
        ...{ name: 'house', recheck_seconds: 1 },
        scopes: ['openid', 'email', 'profile', 'groups'],
        roles: [
          { group: 'ml', scope: entity, role: 'member' },
          { group: 'readers', scope: `${entity}/one`, role: 'viewer' },
        ],
      },
      { name: 'walled', domains: ['example.com'] },
      { name: 'gone', issuer: 'http://127.0.0.1:1' },
    ],
    email: { domains: ['mail.example.com'], default_role: { scope: entity, role: 'viewer' } },
    first_owners: ['first@example.com', 'second@example.com'],
  })
  server = setup.server
})
afterAll(() => setup?.dispose())

/** Goes to the provider and signs in there. @returns where the provider sends the browser then */
async function toCallback(
  visitor: Visitor,
  login: string,
  { by = 'house', next = '/' } = {},
): Promise<string> {
  const start = `${server.url}/sign-in/start/${by}?next=${encodeURIComponent(next)}`
  const isCallback = (address: string) => address.startsWith(`${server.url}/`)
  const { address, answer } = await visitor.follow(start, (to) => !isCallback(to))
  if (answer === undefined) return address
  const [, action = ''] = /action="([^"]+)"/.exec(await answer.text()) ?? []
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = String(new URLSearchParams({ login }))
  const posted = await visitor.ask(new URL(action, address).href, { method: 'POST', headers, body })
  const resumed = new URL(posted.headers.get('location')!, address).href
  return (await visitor.follow(resumed, (to) => !isCallback(to))).address
}

/** The provider sends the browser to `address`. */
const arrive = (visitor: Visitor, address: string) =>
  visitor.ask(address, {}, new URL(setup.provider.url).origin)

/** The code of the error that a browser is told of, and its sentence. */
async function refusal(answer: Response): Promise<string> {
  expect(answer.status).toBe(303)
  const to = new URL(answer.headers.get('location')!, server.url)
  expect(to.pathname).toBe('/signin')
  const code = to.searchParams.get('error') ?? ''
  const told = await (await fetch(`${server.url}/sign-in/ways?error=${code}`)).json()
  expect(told).toHaveProperty('error', expect.stringMatching(/^[A-Z].*\.$/))
  return code
}

interface Session {
  username: string
  grants: { scope: string; right: string }[]
  csrf_token: string
}

async function sessionOf(visitor: Visitor): Promise<Session | undefined> {
  const answer = await visitor.ask(`${server.url}/session`)
  if (answer.status === 401) return undefined
  const session = (await answer.json()) as Session
  visitor.csrf = session.csrf_token
  return session
}
const grantsOf = async (visitor: Visitor) =>
  (await sessionOf(visitor))?.grants.map(({ scope, right }) => `${scope}:${right}`)

/** Somebody who is in. */
async function signedIn(login: string, by?: string): Promise<Visitor> {
  const visitor = new Visitor()
  const answer = await arrive(visitor, await toCallback(visitor, login, by === undefined ? {} : { by }))
  expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
  return visitor
}
/** What somebody is told who tries. */
const tried = async (login: string, by?: string) => {
  const visitor = new Visitor()
  const address = await toCallback(visitor, login, by === undefined ? {} : { by })
  return refusal(await arrive(visitor, address))
}

describe('by a provider', () => {
  it('the first of those who may be that owns everything, and nobody after', async () => {
    for (const name of ['first', 'second']) await account(name, verified(name))
    expect(await grantsOf(await signedIn('first'))).toEqual(['*:admin'])
    expect(await tried('second')).toBe('SIGN_IN_NOT_ALLOWED')
  })

  it('one is who one is there, may do what the groups say, and comes to where one wanted to go', async () => {
    await account('ada', verified('ada', { groups: ['ml', 'others'] }))
    const visitor = new Visitor()
    const callback = await toCallback(visitor, 'ada', { next: `/${entity}/one?a=1&b="<x>` })
    const answer = await arrive(visitor, callback)
    expect(answer.headers.get('location')).toBe(null)
    expect(answer.headers.getSetCookie().join()).toMatch(/^heddle_session=\w+; .*HttpOnly; SameSite=Strict/)
    expect(await answer.text()).toContain(`content="0;url=/${entity}/one?a=1&amp;b=%22%3Cx%3E"`)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await sessionOf(visitor)).toMatchObject({ username: 'ada@example.com' })
    expect(await grantsOf(visitor)).toEqual([`${entity}:write`])
  })

  it('nobody is sent to another site', async () => {
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', '/signin?x', 'evil']) {
      const visitor = new Visitor()
      const answer = await arrive(visitor, await toCallback(visitor, 'ada', { next }))
      expect(await answer.text()).toContain('content="0;url=/"')
    }
  })

  it.each([
    ['signature', "whose signature is another token's"],
    ['key', 'signed by somebody else'],
    ['none', 'signed by nobody'],
    ['hmac', 'signed by the client secret'],
    ['issuer', 'of another issuer'],
    ['audience', 'for another client'],
    ['nonce', 'for another sign-in'],
    ['late', 'of some hours ago'],
  ])('an answer is refused: %s (%s)', async (lie) => {
    const visitor = new Visitor()
    const callback = await toCallback(visitor, 'ada')
    await change({ lie })
    expect(await refusal(await arrive(visitor, callback))).toBe('SIGN_IN_BAD_ANSWER')
    expect(await sessionOf(visitor)).toBeUndefined()
  })

  it('an answer counts once, for the browser that asked, as it was given', async () => {
    const [visitor, other] = [new Visitor(), new Visitor()]
    const callback = await toCallback(visitor, 'ada')
    const changed = (name: string, value: string) => {
      const address = new URL(callback)
      address.searchParams.set(name, value)
      return address.href
    }
    expect(await refusal(await arrive(other, callback))).toBe('SIGN_IN_EXPIRED')
    await toCallback(other, 'ada')
    expect(await refusal(await arrive(other, callback))).toBe('SIGN_IN_BAD_ANSWER')
    expect(await refusal(await arrive(visitor, changed('state', 'x')))).toBe('SIGN_IN_BAD_ANSWER')
    const elsewhere = callback.replace('/callback/house', '/callback/walled')
    expect(await refusal(await arrive(visitor, elsewhere))).toBe('SIGN_IN_BAD_ANSWER')
    expect(await refusal(await arrive(visitor, callback.replace('/house', '/none')))).toBe(
      'SIGN_IN_NO_PROVIDER',
    )
    expect((await arrive(visitor, callback)).status).toBe(200)
    expect(await refusal(await arrive(visitor, callback))).toBe('SIGN_IN_USED')
    const mixedUp = new Visitor()
    const given = new URL(await toCallback(mixedUp, 'ada'))
    given.searchParams.set('iss', 'https://evil.example')
    expect(await refusal(await arrive(mixedUp, given.href))).toBe('SIGN_IN_BAD_ANSWER')
    const swapped = new Visitor()
    const own = new URL(await toCallback(swapped, 'ada'))
    const foreign = new URL(await toCallback(new Visitor(), 'ada'))
    own.searchParams.set('code', foreign.searchParams.get('code')!)
    expect(await refusal(await arrive(swapped, own.href))).toBe('SIGN_IN_REFUSED')
  })

  it('keys may change at any time, and clocks differ by a minute', async () => {
    for (const keys of ['new', 'new']) {
      await change({ keys })
      await signedIn('ada')
    }
    // A token lasts an hour.
    await change({ skew: -3640 })
    await signedIn('ada')
    await change({ skew: -3700 })
    expect(await tried('ada')).toBe('SIGN_IN_BAD_ANSWER')
    await change({ skew: 0 })
  })

  it('claims may be in the ID token alone', async () => {
    await change({ inIdToken: true })
    expect(await sessionOf(await signedIn('ada'))).toMatchObject({ username: 'ada@example.com' })
    await change({ inIdToken: false })
  })

  it('who is not let in is told why', async () => {
    await account('mallory', { email: 'ada@example.com', email_verified: false, groups: [] })
    await account('guest', verified('guest', { email: 'guest@elsewhere.example' }))
    expect(await tried('nobody')).toBe('SIGN_IN_DENIED')
    expect(await tried('guest', 'walled')).toBe('SIGN_IN_NOT_ALLOWED')
    expect(await tried('mallory', 'walled')).toBe('SIGN_IN_EMAIL_NOT_VERIFIED')
    expect(await tried('guest')).toBe('SIGN_IN_NOT_ALLOWED')
    // An address that nobody verified makes nobody somebody else, and one that went to somebody new neither.
    await account('mallory', { email: 'ada@example.com', email_verified: false, groups: ['ml'] })
    expect((await sessionOf(await signedIn('mallory')))?.username).toMatch(/^house\.[0-9a-f]{16}$/)
    await account('heir', { email: 'ada@example.com', email_verified: true, groups: ['ml'] })
    expect(await tried('heir')).toBe('SIGN_IN_NAME_TAKEN')
  })
})

it('an invitation for an address counts for whoever the provider says has it', async () => {
  const email = 'invited@elsewhere.example'
  await server.api.ok('/invitations', { scope: `${entity}/two`, role: 'annotator', email })
  await account('invited', verified('invited', { email: 'Invited@Elsewhere.example', email_verified: false }))
  expect(await tried('invited')).toBe('SIGN_IN_NOT_ALLOWED')
  await account('invited', verified('invited', { email: 'Invited@Elsewhere.example' }))
  const visitor = await signedIn('invited')
  expect(await sessionOf(visitor)).toMatchObject({ username: email })
  expect(await grantsOf(visitor)).toContain(`${entity}/two:read`)
})

describe('during a session', () => {
  it('what groups give changes, a refusal ends it, and a provider that is down does not', async () => {
    await account('bob', verified('bob', { groups: ['ml'] }))
    const visitor = await signedIn('bob')
    await account('bob', verified('bob', { groups: ['readers'] }))
    await until('the other right', async () => `${await grantsOf(visitor)}` === `${entity}/one:read`)
    const late = new Visitor()
    const callback = await toCallback(late, 'bob')
    await change({ down: true })
    expect(await refusal(await arrive(late, callback))).toBe('SIGN_IN_PROVIDER_DOWN')
    const asked = Date.now()
    await until('a check in vain', async () => {
      expect(await grantsOf(visitor)).toEqual([`${entity}/one:read`])
      return Date.now() - asked > 2500
    })
    await change({ down: false, refuse: true })
    const other = await signedIn('bob')
    await until('the end of the session', async () => (await sessionOf(other)) === undefined)
    await change({ refuse: false })
  })

  it('signing out leads to the provider, to sign out there', async () => {
    const visitor = await signedIn('ada')
    await sessionOf(visitor)
    const left = await visitor.send('DELETE', `${server.url}/session`)
    const { continue_at: address } = (await left.json()) as { continue_at: string }
    expect(address).toContain(`${setup.provider.url}/session/end?`)
    expect(new URL(address).searchParams.get('post_logout_redirect_uri')).toBe(`${server.url}/signin`)
    expect(await sessionOf(visitor)).toBeUndefined()
  })

  it('signing out at the provider ends it here', async () => {
    const visitor = await signedIn('ada')
    const form = await (await visitor.ask(`${setup.provider.url}/session/end`)).text()
    const [, xsrf = ''] = /name="xsrf" value="(\w+)"/.exec(form) ?? []
    await visitor.ask(`${setup.provider.url}/session/end/confirm`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `xsrf=${xsrf}&logout=yes`,
    })
    await until('the end of the session', async () => (await sessionOf(visitor)) === undefined)
    const forged = { method: 'POST', body: new URLSearchParams({ logout_token: 'e30.e30.x' }) } as const
    expect((await fetch(`${server.url}/sign-in/logout/house`, forged)).status).toBe(401)
  })

  it('one sees where one is signed in, and ends one or all', async () => {
    await account('cy', verified('cy', { groups: ['ml'] }))
    const [here, there, third] = [await signedIn('cy'), await signedIn('cy'), await signedIn('cy')]
    await sessionOf(here)
    const list = async () => {
      const answer = await here.ask(`${server.url}/sessions`)
      return ((await answer.json()) as { sessions: { id: string; is_current: boolean }[] }).sessions
    }
    const before = await list()
    expect(before).toHaveLength(3)
    expect(before[0]).toMatchObject({ browser: 'Visitor/1.0', address: '127.0.0.1' })
    const other = before.find(({ is_current: isCurrent }) => !isCurrent)!
    expect((await here.send('DELETE', `${server.url}/sessions/${other.id}`)).status).toBe(200)
    expect((await here.send('DELETE', `${server.url}/sessions/${other.id}`)).status).toBe(404)
    expect(await list()).toHaveLength(2)
    await here.send('DELETE', `${server.url}/sessions`)
    for (const one of [here, there, third]) expect(await sessionOf(one)).toBeUndefined()
  })
})

describe('by a mail', () => {
  const ask = (email: string, next = '/') =>
    new Visitor().send('POST', `${server.url}/sign-in/email`, { email, next })
  const mailsTo = (email: string) => setup.mailSink.mails.filter(({ to }) => to.includes(email))
  async function linkTo(email: string, next?: string): Promise<string> {
    const count = mailsTo(email).length
    expect(await (await ask(email, next)).json()).toEqual({ ok: true })
    await until('the mail', () => mailsTo(email).length > count)
    return setup.linkTo(email) ?? ''
  }
  const open = (visitor: Visitor, link: string) =>
    visitor.send('POST', `${server.url}/sign-in/link`, { link })

  it('a link signs in once, whoever looks at it before', async () => {
    const email = `dee-${hex(4)}@mail.example.com`
    const link = await linkTo(email, `/${entity}/one`)
    const visitor = new Visitor()
    expect((await visitor.ask(`${server.url}/signin`)).status).toBe(200)
    const answer = await open(visitor, link)
    expect(await answer.json()).toMatchObject({ username: email, next: `/${entity}/one` })
    expect(await grantsOf(visitor)).toEqual([`${entity}:read`])
    const again = await open(new Visitor(), link)
    expect([again.status, await again.json()]).toMatchObject([401, { code: 'SIGN_IN_BAD_LINK' }])
  })

  it('of many at once at most one is in', async () => {
    const link = await linkTo(`eve-${hex(4)}@mail.example.com`)
    const answers = await Promise.all(Array.from({ length: 8 }, () => open(new Visitor(), link)))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  })

  it('it comes to those who may come in, and nobody learns who that is', async () => {
    await signedIn('ada')
    const known = await linkTo('ada@example.com')
    expect(await (await open(new Visitor(), known)).json()).toMatchObject({ username: 'ada@example.com' })
    for (const email of ['stranger@elsewhere.example', 'no address', 'a@b@mail.example.com, c@d.example'])
      expect([(await ask(email)).status, await (await ask(email)).json()]).toEqual([200, { ok: true }])
    // Answers to all of them come before what they lead to; this one is the last in line.
    await linkTo(`last-${hex(4)}@mail.example.com`)
    expect(setup.mailSink.mails.flatMap(({ to }) => to).filter((to) => !to.endsWith('example.com'))).toEqual(
      [],
    )
  })

  it('an address gets a few of them, and a caller may ask for some', async () => {
    const email = `fay-${hex(4)}@mail.example.com`
    let status = 200
    for (let asked = 0; status === 200 && asked < 50; asked++) ({ status } = await ask(email))
    expect(status).toBe(429)
    await until('the mails', () => mailsTo(email).length === 5)
  })
})

it('the audit log has who came in by what, and who was refused', async () => {
  const { entries } = await server.api.ok('/audit/query', {
    scope: '*',
    category: 'access',
    limit: 500,
  } as never)
  const told = (entries as Row[]).map(({ action, username, target, outcome }) => ({
    ...{ action, username, target, outcome },
  }))
  expect(told).toContainEqual({
    ...{
      action: 'sign_in_finish',
      username: 'ada@example.com',
      target: { provider: 'house' },
      outcome: 'ok',
    },
  })
  expect(told).toContainEqual(expect.objectContaining({ action: 'sign_in_finish', outcome: 'refused' }))
  expect(told).toContainEqual(
    expect.objectContaining({ action: 'sign_in_link', username: expect.stringMatching(/^dee-/) }),
  )
})

it('a provider that is taken out of the settings ends its sessions, and no others', async () => {
  await account('wanda', verified('wanda'))
  await account('hans', verified('hans', { groups: ['ml'] }))
  await server.api.ok('/invitations', { scope: entity, role: 'viewer', email: 'wanda@example.com' })
  const [walled, house] = [await signedIn('wanda', 'walled'), await signedIn('hans')]
  expect([await sessionOf(walled), await sessionOf(house)]).not.toContain(undefined)
  expect(server.output).not.toContain(CLIENT_SECRET)
  server = await setup.restartWithout(['walled'])
  expect(await sessionOf(house)).toBeDefined()
  expect(await sessionOf(walled)).toBeUndefined()
})

it('a provider that is gone is told of, keys and sessions go on, and no secret is in the log', async () => {
  const visitor = await signedIn('ada')
  await setup.provider.stop()
  expect(await sessionOf(visitor)).toBeDefined()
  expect((await server.api.get('/session')).status).toBe(200)
  expect(await refusal(await new Visitor().ask(`${server.url}/sign-in/start/gone`))).toBe(
    'SIGN_IN_PROVIDER_DOWN',
  )
  expect(server.output).not.toContain(CLIENT_SECRET)
  server = await setup.restartWithout([], true)
  expect(await sessionOf(visitor)).toBeUndefined()
})

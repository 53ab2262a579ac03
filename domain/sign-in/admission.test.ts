import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mayBeFirst, personFrom, personOfEmail } from './admission.js'
import { providerSchema, readSignIn } from './settings.js'

const about = { name: 'house', title: 'House', issuer: 'https://id.example.com', client_id: 'heddle' }
const provider = (more: object = {}) => providerSchema.parse({ ...about, ...more })
const claims = { sub: '1', email: 'Ada@Example.com', email_verified: true, name: 'Ada', groups: ['ml', 'x'] }
const codeOf = (work: () => unknown) => {
  try {
    return work()
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('an e-mail address counts if it was verified', () => {
  it.each([
    [{ email_verified: true }, 'ada@example.com'],
    [{ email_verified: 'true' }, 'ada@example.com'],
    [{ email_verified: undefined, xms_edov: '1' }, 'ada@example.com'],
    [{ email_verified: false }, ''],
    [{ email_verified: undefined }, ''],
    [{ email_verified: 'no' }, ''],
    [{ email: 'a b@example.com' }, ''],
    [{ email: ['ada@example.com'] }, ''],
  ])('%j', (more, email) => expect(personFrom(provider(), { ...claims, ...more }).email).toBe(email))
})

describe('domains', () => {
  const walled = provider({ domains: ['example.com'] })
  it.each([
    [{}, true],
    [{ email: 'ada@sub.example.com' }, 'SIGN_IN_NOT_ALLOWED'],
    [{ email: 'ada@notexample.com' }, 'SIGN_IN_NOT_ALLOWED'],
    [{ email: 'ada@example.com@evil.example' }, 'SIGN_IN_EMAIL_NOT_VERIFIED'],
    [{ email: 'ada@example.com.evil.example' }, 'SIGN_IN_NOT_ALLOWED'],
    [{ email_verified: false }, 'SIGN_IN_EMAIL_NOT_VERIFIED'],
    [{ email: undefined }, 'SIGN_IN_EMAIL_NOT_VERIFIED'],
  ])('%j', (more, expected) =>
    expect(codeOf(() => personFrom(walled, { ...claims, ...more }).isWelcome)).toBe(expected),
  )
})

describe('groups give roles', () => {
  const roles = [
    { group: 'ml', scope: 'acme', role: 'member' },
    { group: 'ml', scope: 'acme/one', role: 'admin' },
    { group: 'ops', scope: '*', role: 'owner' },
  ]
  const given = (settings: object, more: object) =>
    personFrom(provider(settings), { ...claims, ...more }).memberships.map(
      ({ scope, role }) => `${scope} ${role}`,
    )

  it.each([
    [{ roles }, {}, ['acme member', 'acme/one admin']],
    [{ roles }, { groups: 'ops' }, ['* owner']],
    [{ roles }, { groups: undefined }, []],
    [{ roles }, { groups: [{ name: 'ops' }, 7] }, []],
    [{ roles, groups_claim: 'realm_access.roles' }, { realm_access: { roles: ['ops'] } }, ['* owner']],
    [
      { roles, groups_claim: 'https://x.example/groups' },
      { 'https://x.example/groups': ['ops'] },
      ['* owner'],
    ],
    [{ roles, groups_claim: 'constructor.name' }, {}, []],
    [{ default_role: { scope: 'acme', role: 'viewer' } }, {}, ['acme viewer']],
  ])('%j %j', (settings, more, expected) => expect(given(settings, more)).toEqual(expected))

  it('and none that the operator did not write, whatever the claims are', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.dictionary(fc.string(), fc.jsonValue()), (groups, more) => {
        const got = personFrom(provider({ roles }), { ...more, sub: '1', groups }).memberships
        const expected = roles.filter(({ group }) => groups.includes(group))
        expect(got).toEqual(expected.map(({ scope, role }) => ({ scope, role })))
      }),
    )
  })
})

it('who reads mail of a domain comes in with its role', () => {
  const settings = readSignIn(
    JSON.stringify({
      email: { domains: ['example.com'], default_role: { scope: 'acme', role: 'viewer' } },
      first_owners: ['ada@example.com'],
    }),
  )
  expect(personOfEmail(settings, 'ada@example.com')).toMatchObject({
    isWelcome: true,
    memberships: [{ scope: 'acme', role: 'viewer' }],
  })
  expect(personOfEmail(settings, 'ada@other.example')).toMatchObject({ isWelcome: false, memberships: [] })
  expect(mayBeFirst(settings, personOfEmail(settings, 'ada@example.com'))).toBe(true)
  expect(mayBeFirst(settings, personOfEmail(settings, 'bob@example.com'))).toBe(false)
  expect(mayBeFirst(settings, { ...personOfEmail(settings, ''), email: '' })).toBe(false)
})

describe('the file', () => {
  const withProvider = (more: object) => JSON.stringify({ providers: [{ ...about, ...more }] })
  it.each([
    ['{', 'it is not JSON'],
    ['{"provider": []}', 'provider'],
    [withProvider({ issuer: 'http://id.example.com' }), 'providers.0.issuer: write its https address'],
    [withProvider({ issuer: 'https://accounts.google.com' }), 'set domains'],
    [withProvider({ client_secret_env: 'A', client_secret_file: 'b' }), 'one place'],
    [withProvider({ scopes: ['email'] }), 'openid has to be among them'],
    [withProvider({ name: 'Ho use' }), 'lower-case letters'],
    [withProvider({ roles: [{ group: 'x', scope: 'a/b/c', role: 'viewer' }] }), 'entity/project'],
    [JSON.stringify({ providers: [about, about] }), 'names must differ'],
    [JSON.stringify({ first_owners: ['Ada@example.com'] }), 'lower case'],
  ])('%s is refused', (text, why) => expect(() => readSignIn(text)).toThrow(why))

  it('may name an issuer on this machine without TLS', () => {
    expect(readSignIn(withProvider({ issuer: 'http://localhost:5556/dex' })).providers).toHaveLength(1)
  })
})

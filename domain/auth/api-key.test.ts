import { describe, expect, it } from 'vitest'
import { hashKey, newKey, presentedKey, presentedUser, userIdOf } from './api-key.js'
import { parseGrant, readGrants, writeGrants } from './grants.js'

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`

describe('a new key', () => {
  it('is letters and digits, long, and its own', () => {
    const keys = Array.from({ length: 100 }, newKey)
    for (const key of keys) expect(key).toMatch(/^hk_[0-9A-Za-z]{43}$/)
    expect(new Set(keys).size).toBe(100)
  })
  it('is kept as a hash', () => {
    expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})

it('a user has one id, and it is not the name', () => {
  expect(userIdOf('alice')).toBe(userIdOf('alice'))
  expect(userIdOf('alice')).toMatch(/^[0-9a-f]{16}$/)
  expect(userIdOf('alice')).not.toBe(userIdOf('Alice'))
})

describe('the key of a request', () => {
  const ANY = '/calls/stream_query'
  const OTLP = '/otel/v1/traces'
  it.each([
    ['Basic, any user', { authorization: basic('api:hk_1') }, ANY, 'hk_1'],
    ['Basic, no user', { authorization: basic(':hk_1') }, ANY, 'hk_1'],
    ['Basic, a colon in the key', { authorization: basic('api:a:b') }, ANY, 'a:b'],
    ['Basic in another case', { authorization: basic('api:hk_1').replace('Basic', 'bASIC') }, ANY, 'hk_1'],
    ['Bearer', { authorization: 'Bearer hk_1' }, ANY, 'hk_1'],
    ['Basic without a colon', { authorization: basic('hk_1') }, ANY, undefined],
    ['Basic without anything', { authorization: 'Basic' }, ANY, undefined],
    ['Basic that is no base64', { authorization: 'Basic !!!' }, ANY, undefined],
    ['an empty password', { authorization: basic('api:') }, ANY, undefined],
    ['Bearer with its space as in a variable', { authorization: 'Bearer%20hk_1' }, ANY, 'hk_1'],
    ['an empty Bearer', { authorization: 'Bearer ' }, ANY, undefined],
    ['another scheme', { authorization: 'Digest hk_1' }, ANY, undefined],
    ['far too long', { authorization: `Bearer ${'k'.repeat(513)}` }, ANY, undefined],
    ['none', {}, ANY, undefined],
    ['the neutral header, OTLP', { 'platform-api-key': 'hk_1' }, OTLP, 'hk_1'],
    ['the published header, OTLP', { 'wandb-api-key': 'hk_1' }, '/agents/otel/v1/traces', 'hk_1'],
    ['the neutral header, OTLP at the root', { 'platform-api-key': 'hk_1' }, '/v1/traces', 'hk_1'],
    ['the neutral header elsewhere', { 'platform-api-key': 'hk_1' }, ANY, undefined],
    ['the header of Anthropic’s clients', { 'x-api-key': 'hk_1' }, '/v1/messages', 'hk_1'],
    ['the same beside Authorization', { authorization: 'Bearer a', 'x-api-key': 'b' }, '/v1/messages', 'a'],
    ['both ways: Authorization counts', { authorization: 'Bearer a', 'wandb-api-key': 'b' }, OTLP, 'a'],
  ])('%s', (_, headers, path, key) => {
    expect(presentedKey(new Map(Object.entries(headers)), path)).toBe(key)
  })
})

describe('the user name of Basic', () => {
  it.each([
    [basic('acme/app:hk_1'), 'acme/app'],
    [basic(':hk_1'), ''],
    [basic('no colon'), undefined],
    ['Bearer hk_1', undefined],
    ['Basic', undefined],
  ])('%s', (authorization, user) => {
    expect(presentedUser(new Map([['authorization', authorization]]))).toBe(user)
  })
  it('is none without the header', () => expect(presentedUser(new Map())).toBeUndefined())
})

describe('grants', () => {
  it.each([
    ['*:admin', { scope: '*', right: 'admin' }],
    ['acme:read', { scope: 'acme', right: 'read' }],
    ['acme/one:write', { scope: 'acme/one', right: 'write' }],
    ['acme/a:b:write', { scope: 'acme/a:b', right: 'write' }],
  ])('%s', (text, grant) => {
    expect(parseGrant(text)).toEqual(grant)
    expect(readGrants(writeGrants([parseGrant(text)]))).toEqual([grant])
  })
  it.each(['', '*', 'acme', ':read', 'acme:', 'acme:own', 'a/b/c:read', 'a  b:read', ' a:read', '*/x:read'])(
    'not "%s"',
    (text) => {
      expect(() => parseGrant(text)).toThrow('write scope:right')
    },
  )
  it.each(['', '{}', '[{"scope":"a/b/c","right":"read"}]', '[{"scope":"*","right":"own"}]'])(
    'stored as %j, by whatever accident, grant nothing',
    (text) => {
      expect(readGrants(text)).toEqual([])
    },
  )
})

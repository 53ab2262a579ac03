import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../api/audit'
import { filterOf, outcomeText, scopesOf, targetText, whoText } from './shown'

const entry = {
  ...{ outcome: 'failed', status: 404, error_code: 'NOT_FOUND', count: 1 },
  ...{ username: 'ann', remote_address: '10.0.0.1' },
} as AuditEntry

it.each([
  [
    [
      { scope: 'acme', right: 'admin' },
      { scope: '*', right: 'admin' },
    ],
    ['*'],
  ],
  [
    [
      { scope: 'b', right: 'admin' },
      { scope: 'a/one', right: 'admin' },
      { scope: 'c', right: 'write' },
    ],
    ['a/one', 'b'],
  ],
  [
    [
      { scope: 'a', right: 'admin', area: 'Audit' },
      { scope: 'b', right: 'admin', area: 'Masking' },
    ],
    ['a'],
  ],
  [[], []],
])('of the rights %j it shows what is administered', (grants, scopes) =>
  expect(scopesOf(grants, 'Audit')).toEqual(scopes),
)

describe('an outcome', () => {
  it.each<[Partial<AuditEntry>, string]>([
    [{}, '404 NOT_FOUND'],
    [{ outcome: 'ok', status: 200, error_code: null }, '200'],
    [{ outcome: 'refused', status: 429, error_code: null, count: 20 }, '20 times, counted only: 429'],
    [{ outcome: 'unknown', status: null }, 'It is still running, or its process ended before it said.'],
  ])('%j says %s', (change, text) => expect(outcomeText({ ...entry, ...change })).toBe(text))
})

it('says who, or where they are', () => {
  expect(whoText(entry)).toBe('ann')
  expect(whoText({ ...entry, username: '' })).toBe('10.0.0.1')
  expect(whoText({ ...entry, username: '', remote_address: '' })).toBe('nobody known')
})

it('says to what', () => expect(targetText({ a: 'b', n: 1, ids: ['x'] })).toBe('a: b, n: 1, ids: ["x"]'))

it('asks for what the fields say', () => {
  const empty = { scope: ' ', user: '', category: '', outcome: '', since: '' }
  const nothing = { user: null, category: null, outcome: null, since: null, until: null, action: null }
  expect(filterOf(empty)).toEqual({ ...nothing, scope: '*' })
  expect(
    filterOf({ scope: 'acme', user: ' ann ', category: 'access', outcome: 'ok', since: '2026-01-31' }),
  ).toEqual({
    ...{ ...nothing, scope: 'acme', user: 'ann', category: 'access', outcome: 'ok' },
    since: '2026-01-31T00:00:00Z',
  })
})

import { describe, expect, it } from 'vitest'
import { Principal } from '../../platform/http/principal.js'
import { dashboardOf, hashOf, lifeOf, newToken, type Share, stateOf } from './share.js'
import { mustSee } from './targets.js'
import { BY_LINK, Visits } from './visits.js'

const DAY_US = 86_400e6
const share: Share = {
  ...{
    hash: '',
    id: '1',
    project: 'acme/one',
    kind: 'trace',
    target: 't',
    note: '',
    createdBy: '',
    userId: '',
  },
  ...{ createdAt: 0, expiresAt: 30 * DAY_US, isRevoked: false },
}

describe('a link', () => {
  it('has a token of 256 bits, and what can be none has the hash of none', () => {
    expect(Buffer.from(newToken(), 'base64url')).toHaveLength(32)
    expect(hashOf('x')).toBe(hashOf(`${newToken()}A`))
    expect(hashOf(newToken())).not.toBe(hashOf('x'))
  })

  it('is good until it ends, is revoked, or links may not live so long any more', () => {
    expect(stateOf(share, 365, 29 * DAY_US)).toBe('live')
    expect(stateOf(share, 365, 30 * DAY_US)).toBe('expired')
    expect(stateOf(share, 7, 8 * DAY_US)).toBe('expired')
    expect(stateOf(share, 0, 0)).toBe('expired')
    expect(stateOf({ ...share, isRevoked: true }, 365, 0)).toBe('revoked')
  })

  it('lives for a week, or for what is asked, within what the operator allows', () => {
    expect([lifeOf(null, 365), lifeOf(null, 1), lifeOf(60, 1)]).toEqual([604_800, 86_400, 60])
    expect(() => lifeOf(86_401, 1)).toThrow('at most 1 days')
    expect(() => lifeOf(null, 0)).toThrow('HEDDLE_SHARE_DAYS_MOST')
  })

  it('to a dashboard is to a version of it', () =>
    expect(dashboardOf('ops:abc')).toEqual({ name: 'ops', digest: 'abc' }))
})

it('what somebody may not see, they may not share', () => {
  const of = (...areas: string[]) =>
    new Principal(
      'u',
      'u',
      areas.map((area) => ({ scope: 'acme', right: 'write' as const, area })),
    ).within('Sharing')
  expect(() => mustSee(of('Sharing'), 'trace', 'acme/one')).toThrow('read')
  expect(() => mustSee(of('Sharing', 'Calls', 'Files', 'Refs'), 'trace', 'acme/one')).toThrow('read')
  mustSee(of('Sharing', 'Calls', 'Files', 'Refs', 'Feedback'), 'trace', 'acme/one')
  mustSee(new Principal('u', 'u', [{ scope: 'acme/one', right: 'read' }]), 'dashboard', 'acme/one')
})

describe('visits', () => {
  it('are limited by link, by address and in all, at a time', () => {
    const visits = new Visits()
    const left = Array.from({ length: 8 }, () => visits.enter('a', '1', 0))
    expect(() => visits.enter('a', '2', 0)).toThrow('too often')
    expect(() => visits.enter('b', '1', 0)).toThrow('too often')
    left[0]!()
    left[0]!()
    visits.enter('a', '1', 0)
    expect(() => visits.enter('a', '1', 0)).toThrow('too often')
  })

  it('are limited over time, and come back with it', () => {
    const visits = new Visits()
    for (let i = 0; i < BY_LINK.burst; i++) visits.enter('a', `${i}`, 0)()
    expect(() => visits.enter('a', 'x', 0)).toThrow('too often')
    visits.enter('b', 'x', 0)()
    visits.enter('a', 'x', 1000)()
  })
})

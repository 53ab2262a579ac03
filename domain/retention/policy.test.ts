import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daysFor, daysOf, expired, isScope, mostDays, type Policy } from './policy.js'

describe('a policy', () => {
  it.each([
    ['30d', 30],
    ['30', 30],
    ['2w', 14],
    ['1y', 365],
    ['forever', 0],
    ['0d', undefined],
    ['-3d', undefined],
    ['soon', undefined],
    ['999999y', undefined],
  ])('%s is %s days', (text, days) => expect(daysOf(text)).toBe(days))

  it.each([
    ['*', true],
    ['acme', true],
    ['acme/one', true],
    ['acme/one/two', false],
    ['', false],
  ])('is about %s: %s', (scope, good) => expect(isScope(scope)).toBe(good))

  it('that is more particular holds', () => {
    const policies = [
      { scope: '*', days: 90 },
      { scope: 'acme', days: 30 },
      { scope: 'acme/kept', days: 0 },
    ]
    expect(daysFor(policies, 'acme/one')).toBe(30)
    expect(daysFor(policies, 'acme/kept')).toBe(0)
    expect(daysFor(policies, 'other/one')).toBe(90)
    expect(daysFor([], 'other/one')).toBe(0)
  })

  it("of a project shortens the operator's, and never lengthens it", () => {
    const days = fc.constantFrom(0, 7, 30, 90)
    fc.assert(
      fc.property(days, fc.integer({ min: 1, max: 100 }), (operators, own) => {
        const policies = [
          { scope: 'acme/one', days: own, isOwn: true },
          { scope: 'acme/one', days: operators },
        ]
        expect(daysFor(policies, 'acme/one')).toBe(operators === 0 ? own : Math.min(operators, own))
        expect(mostDays(policies, 'acme/one')).toBe(operators)
        expect(daysFor(policies, 'acme/two')).toBe(0)
      }),
    )
  })
})

describe('what has expired', () => {
  const scope = fc.constantFrom('*', 'a', 'b', 'a/one', 'a/two', 'b/one')
  const policies = fc.uniqueArray(
    fc
      .record({ scope, days: fc.constantFrom(0, 7, 30, 90) })
      .chain((policy) =>
        policy.scope.includes('/') && policy.days > 0
          ? fc.boolean().map((isOwn) => ({ ...policy, isOwn }))
          : fc.constant(policy),
      ),
    { selector: (policy: Policy) => `${policy.scope} ${policy.isOwn ?? false}` },
  )
  const names = fc.uniqueArray(fc.constantFrom('a/one', 'a/two', 'b/one', 'b/two', 'c/one'))

  it('is, for each project, what its own policy says, and said once', () => {
    fc.assert(
      fc.property(policies, names, (said, projects) => {
        const known = new Map(projects.map((name) => [`id of ${name}`, name]))
        const groups = expired(said, known, 1e12)
        for (const [id, name] of known) {
          const hit = groups.filter((group) => group.projects.includes(id) === group.only)
          const days = daysFor(said, name)
          expect(hit.map((group) => group.days)).toEqual(days === 0 ? [] : [days])
        }
      }),
    )
  })
})

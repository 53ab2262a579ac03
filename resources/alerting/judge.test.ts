/** What alerts notify of, held against a reading of all that was measured; and whatever process goes on from what was kept. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AlertState } from '../../contract/alerts.js'
import { after, type Change, end, isOpen, judge, levelOf, type Measured, type Standing } from './judge.js'

const MINUTE = 60e6
const usual = {
  ...{ comparison: '>' as const, alert_at: 10, warn_at: 5, minimum_count: 1 },
  ...{ no_data: 'ok' as const, renotify_minutes: null },
}
type Rule = Parameters<typeof judge>[1]

/** A process that checks an alert; another one goes on from its changes. */
class Checker {
  constructor(
    private readonly rule: Rule,
    readonly changes: Change[] = [],
  ) {}

  get standings(): Map<string, Standing> {
    const standings = new Map<string, Standing>()
    for (const change of this.changes) standings.set(change.group, after(standings.get(change.group), change))
    return standings
  }

  check(measured: readonly Measured[], now: number, isMuted = false): Change[] {
    const found = judge('a', this.rule, this.standings, measured, now, isMuted)
    this.changes.push(...found)
    return found
  }
}

const one = (value: number | null, count = 1): Measured[] => [{ group: '', value, count }]

it.each([
  ['>', 10, 'warning'],
  ['>', 10.1, 'alert'],
  ['>=', 10, 'alert'],
  ['>=', 4, 'ok'],
  ['<', 4, 'alert'],
  ['<=', 5, 'alert'],
] as const)('%s: %d is %s', (comparison, value, state) => {
  expect(levelOf({ comparison, alert_at: 10, warn_at: 5 }, value)).toBe(state)
})

it('notifies of what begins, gets worse and ends, and of nothing in between', () => {
  const checker = new Checker(usual)
  const values = [1, 6, 7, 11, 12, 6, 3, 2]
  const notified = values.flatMap((value, i) =>
    checker.check(one(value), i).map(({ state, previous, threshold }) => [state, previous, threshold]),
  )
  expect(notified).toEqual([
    ['warning', 'ok', 5],
    ['alert', 'warning', 10],
    ['warning', 'alert', 10],
    ['ok', 'warning', 5],
  ])
})

it.each([
  ['ok', ['alert', 'ok']],
  ['keep', ['alert']],
  ['alert', ['alert', 'no_data', 'ok']],
] as const)('no data means %s', (no_data, states) => {
  const checker = new Checker({ ...usual, no_data, minimum_count: 2 })
  for (const [i, measured] of [one(11, 2), one(12, 1), one(null, 0), one(1, 2)].entries())
    checker.check(measured, i)
  expect(checker.changes.map(({ state }) => state)).toEqual(no_data === 'keep' ? ['alert', 'ok'] : states)
})

it('notifies again while it lasts, and late of what was muted', () => {
  const checker = new Checker({ ...usual, renotify_minutes: 10 })
  const notified = (value: number, minute: number, isMuted = false) =>
    checker
      .check(one(value), minute * MINUTE, isMuted)
      .map(({ state, isNotified }) => `${state} ${isNotified}`)
  expect(notified(11, 0, true)).toEqual(['alert false'])
  expect(notified(11, 1, true)).toEqual([])
  expect(notified(11, 2)).toEqual(['alert true'])
  expect(notified(11, 11)).toEqual([])
  expect(notified(11, 12)).toEqual(['alert true'])
  expect(notified(1, 13, true)).toEqual(['ok false'])
  expect(notified(1, 14)).toEqual(['ok true'])
  expect(notified(11, 15, true)).toEqual(['alert false'])
  expect(notified(1, 16, true)).toEqual(['ok false'])
  // Nobody had heard of it.
  expect(notified(1, 17)).toEqual([])
})

it('two processes at once make the same change, and a clock that goes back none that is older', () => {
  const checker = new Checker(usual)
  checker.check(one(11), 1000)
  const standings = checker.standings
  const [a, b] = [500, 2000].map((now) => judge('a', usual, standings, one(1), now, false)[0]!)
  expect(a!.id).toBe(b!.id)
  expect(a!.at).toBe(1001)
})

const groups = fc.constantFrom('', 'x', 'y')
const measured = fc
  .uniqueArray(
    fc.record({ group: groups, value: fc.option(fc.integer({ min: 0, max: 20 })), count: fc.nat(3) }),
    {
      selector: ({ group }) => group,
    },
  )
  .map((all): Measured[] => all)
const step = fc.record({
  measured,
  minutes: fc.integer({ min: -2, max: 20 }),
  isMuted: fc.boolean(),
  isNew: fc.boolean(),
})
const rule = fc.record({
  comparison: fc.constantFrom('>' as const, '<=' as const),
  alert_at: fc.constant(10),
  warn_at: fc.constantFrom(null, 5, 15),
  minimum_count: fc.nat(2),
  no_data: fc.constantFrom('ok' as const, 'keep' as const, 'alert' as const),
  renotify_minutes: fc.constantFrom(null, 10),
})

it('who listens knows the state of each group, whatever is muted, restarted, or changed back', () => {
  fc.assert(
    fc.property(rule, fc.array(step, { maxLength: 30 }), (given, steps) => {
      let checker = new Checker(given)
      let now = 1e9
      const heard = new Map<string, AlertState>()
      const ids = new Set<string>()
      for (const { measured: found, minutes, isMuted, isNew } of steps) {
        now += minutes * MINUTE
        if (isNew) checker = new Checker(given, checker.changes)
        for (const { id, group, state, previous, isNotified } of checker.check(found, now, isMuted)) {
          expect(ids.has(id)).toBe(false)
          ids.add(id)
          if (!isNotified) continue
          // Nobody is notified twice, but to say that it lasts.
          if (heard.get(group) === state) expect([previous, given.renotify_minutes]).toEqual([state, 10])
          expect([heard.get(group) ?? 'ok', state]).not.toEqual(['ok', 'ok'])
          heard.set(group, state)
        }
        if (!isMuted)
          for (const { group, state } of checker.standings.values())
            expect(heard.get(group) ?? 'ok').toBe(state)
      }
      const changes = [...checker.standings.values()].filter(isOpen).map((one) => end('a', one, 'gone', now))
      for (const { group, state, isNotified } of changes) if (isNotified) heard.set(group, state)
      expect([...heard.values()].every((state) => state === 'ok')).toBe(true)
    }),
    { numRuns: 300 },
  )
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FairBudget } from './fair-budget.js'

/** `entity/project`, or the one project of an entity. */
const tenant = (name: string) => ({ entity: name.split('/')[0]!, project: name })

/** Takes pieces for `project` until it is refused; returns the code, and what was taken. */
function flood(budget: FairBudget, project: string, piece: number): { code: string; held: number } {
  const before = budget.held
  for (;;) {
    try {
      budget.take(tenant(project), piece)
    } catch (error) {
      return { code: (error as { code: string }).code, held: budget.held - before }
    }
  }
}

describe('a fair budget', () => {
  it('a project alone may hold most of the room, and past it the service is full', () => {
    const { code, held } = flood(new FairBudget(1000), 'a', 10)
    expect(code).toBe('OVERLOADED')
    expect(held).toBe(750)
  })

  it('after a flood another project still gets in, and past its share it is told so', () => {
    const budget = new FairBudget(1000)
    flood(budget, 'a', 10)
    const { code, held } = flood(budget, 'b', 10)
    expect(code).toBe('SHARE_USED')
    expect(held).toBeGreaterThanOrEqual(150)
    expect(flood(budget, 'c', 10).held).toBeGreaterThan(0)
  })

  it('many projects of one entity hold no more than one of them may, nearly', () => {
    const budget = new FairBudget(1000)
    const held = Array.from({ length: 50 }, (_, i) => flood(budget, `flood/${i}`, 10).held)
    expect(held.reduce((sum, one) => sum + one)).toBe(800)
    expect(flood(budget, 'acme/one', 10).held).toBeGreaterThanOrEqual(150)
  })

  it('a flood in one project leaves room for the others of its entity', () => {
    const budget = new FairBudget(1000)
    flood(budget, 'acme/one', 10)
    expect(flood(budget, 'acme/two', 10).held).toBeGreaterThan(0)
  })

  it('a flood that meets another one has to give way', () => {
    const budget = new FairBudget(1000)
    const own = Array.from({ length: 75 }, () => budget.take(tenant('a'), 10))
    for (let round = 0; round < 50; round++) {
      flood(budget, 'b', 10)
      own.shift()?.()
      try {
        own.push(budget.take(tenant('a'), 10))
      } catch {
        // Over its share: what it gives back goes to the other.
      }
    }
    expect(own.length * 10).toBeLessThan(500)
  })

  it('never holds more than the limit, and nothing when all is given back', () => {
    const takes = fc.array(
      fc.record({ project: fc.constantFrom('a', 'b', 'c'), bytes: fc.nat(400), back: fc.boolean() }),
    )
    fc.assert(
      fc.property(takes, (list) => {
        const budget = new FairBudget(1000)
        const held: (() => void)[] = []
        for (const { project, bytes, back } of list) {
          if (back) held.shift()?.()
          try {
            held.push(budget.take(tenant(project), bytes))
          } catch {
            // Refused.
          }
          expect(budget.held).toBeLessThanOrEqual(1000)
        }
        for (const give of [...held, ...held]) give()
        expect(budget.held).toBe(0)
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Shares } from './shares.js'

/** The one project of an entity, or what stands after the `/`. */
const turn = (name: string) => ({ entity: name.split('/')[0]!, part: name })

/** Takes pieces for `project` until it is refused; returns the code, and what was taken. */
function flood(shares: Shares, project: string, piece: number): { code: string; held: number } {
  const before = shares.held
  for (;;) {
    try {
      shares.take(turn(project), piece)
    } catch (error) {
      return { code: (error as { code: string }).code, held: shares.held - before }
    }
  }
}

describe('shares', () => {
  it('a project alone may hold most of the room, and past it the service is full', () => {
    const { code, held } = flood(new Shares(1000), 'a', 10)
    expect(code).toBe('OVERLOADED')
    expect(held).toBe(750)
  })

  it('after a flood another project still gets in, and past its share it is told so', () => {
    const shares = new Shares(1000)
    flood(shares, 'a', 10)
    const { code, held } = flood(shares, 'b', 10)
    expect(code).toBe('SHARE_USED')
    expect(held).toBeGreaterThanOrEqual(150)
    expect(flood(shares, 'c', 10).held).toBeGreaterThan(0)
  })

  it('many projects of one entity hold no more than one of them may, nearly', () => {
    const shares = new Shares(1000)
    const held = Array.from({ length: 50 }, (_, i) => flood(shares, `flood/${i}`, 10).held)
    expect(held.reduce((sum, one) => sum + one)).toBe(800)
    expect(flood(shares, 'acme/one', 10).held).toBeGreaterThanOrEqual(150)
  })

  it('a flood in one project leaves room for the others of its entity', () => {
    const shares = new Shares(1000)
    flood(shares, 'acme/one', 10)
    expect(flood(shares, 'acme/two', 10).held).toBeGreaterThan(0)
  })

  it('a flood that meets another one has to give way', () => {
    const shares = new Shares(1000)
    const own = Array.from({ length: 75 }, () => shares.take(turn('a'), 10))
    for (let round = 0; round < 50; round++) {
      flood(shares, 'b', 10)
      own.shift()?.()
      try {
        own.push(shares.take(turn('a'), 10))
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
        const shares = new Shares(1000)
        const held: (() => void)[] = []
        for (const { project, bytes, back } of list) {
          if (back) held.shift()?.()
          try {
            held.push(shares.take(turn(project), bytes))
          } catch {
            // Refused.
          }
          expect(shares.held).toBeLessThanOrEqual(1000)
        }
        for (const give of [...held, ...held]) give()
        expect(shares.held).toBe(0)
      }),
    )
  })
})

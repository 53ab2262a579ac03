import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Affinity, type Candidate, choose } from './choose.js'

const candidate = fc.record<Candidate>({
  load: fc.integer({ min: 0, max: 300 }).map((percent) => percent / 100),
  adapter: fc.boolean(),
  prefix: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
})

describe('the choice of a node', () => {
  it('is none that another beats in every way', () => {
    fc.assert(
      fc.property(fc.array(candidate, { minLength: 1 }), (all) => {
        const best = choose(all)!
        const beaten = all.some(
          ({ load, adapter, prefix }) =>
            load < best.load && Number(adapter) >= Number(best.adapter) && prefix > best.prefix,
        )
        expect(beaten).toBe(false)
      }),
    )
  })

  it('is the one with the adapter, then with the prefix, then with less to do', () => {
    const plain = { load: 0.2, adapter: false, prefix: 0 }
    const loaded = { load: 0.5, adapter: true, prefix: 0 }
    const warm = { load: 0.5, adapter: false, prefix: 1 }
    expect(choose([plain, loaded, warm])).toBe(loaded)
    expect(choose([plain, warm])).toBe(warm)
    expect(choose([warm, { ...plain, load: 0.05 }])?.load).toBe(0.05)
  })

  it('is no full node while another has a place', () => {
    const full = { load: 1, adapter: true, prefix: 1 }
    const free = { load: 0.99, adapter: false, prefix: 0 }
    expect(choose([full, free])).toBe(free)
  })

  it('is nobody where there is nobody', () => {
    expect(choose([])).toBeUndefined()
  })
})

describe('affinity', () => {
  it('tells the longest beginning that a node has seen', () => {
    const affinity = new Affinity()
    affinity.note(['a', 'ab', 'abc'], 'one')
    affinity.note(['a', 'ax'], 'two')
    expect(affinity.seen(['a', 'ab', 'abd'], 'one')).toBeCloseTo(2 / 3)
    expect(affinity.seen(['a', 'ax'], 'two')).toBe(1)
    expect(affinity.seen(['z'], 'one')).toBe(0)
    expect(affinity.seen([], 'one')).toBe(0)
  })

  it('forgets what was not seen for long', () => {
    const affinity = new Affinity(2)
    affinity.note(['a'], 'one')
    affinity.note(['b'], 'one')
    affinity.note(['a'], 'one')
    affinity.note(['c'], 'one')
    expect([affinity.seen(['a'], 'one'), affinity.seen(['b'], 'one'), affinity.seen(['c'], 'one')]).toEqual([
      1, 0, 1,
    ])
  })
})

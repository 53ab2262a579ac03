import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rollUp, type UsageCall } from './rollup.js'
import { addUsage, ownUsage, type UsageByModel } from './tally.js'

interface Reported {
  parent: string
  usage: Record<string, object>
  costs: Record<string, object>
}

const ID: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
const usages = fc.dictionary(
  fc.constantFrom('m', 'n', '__proto__'),
  fc.record({
    prompt_tokens: fc.nat(9),
    output_tokens: fc.nat(9),
    total_tokens: fc.nat(30),
    requests: fc.nat(2),
  }),
)
// Quarters, so that sums are exact in any order.
const costs = fc.dictionary(
  fc.constantFrom('m', 'n'),
  fc.record({ prompt_tokens_total_cost: fc.nat(8).map((n) => n / 4) }),
)
const sets: fc.Arbitrary<Record<string, Reported>> = fc.dictionary(
  ID,
  fc.record({ parent: fc.oneof(fc.constant(''), ID), usage: usages, costs }),
)

const read = ({ usage, costs }: Reported) => ownUsage(JSON.stringify(usage), JSON.stringify(costs))
const callsOf = (set: Record<string, Reported>) =>
  new Map<string, UsageCall>(
    Object.entries(set).map(([id, call]) => [id, { parent: call.parent, usage: read(call) }]),
  )

/** Goes up from every call to every other, each time anew. */
function slowly(set: Record<string, Reported>): Map<string, UsageByModel> {
  const isBelow = (id: string, above: string) => {
    const seen = new Set<string>()
    for (let at: string | undefined = id; at !== undefined && !seen.has(at); at = set[at]?.parent) {
      if (at === above) return true
      seen.add(at)
    }
    return false
  }
  return new Map(
    Object.keys(set).map((above) => {
      const sum: UsageByModel = new Map()
      for (const id of Object.keys(set).filter((id) => isBelow(id, above)))
        for (const [model, usage] of read(set[id]!)) {
          const before = sum.get(model)
          if (before) addUsage(before, usage)
          else sum.set(model, usage)
        }
      return [above, sum]
    }),
  )
}

describe('the roll-up', () => {
  it('adds the usage of each call to all above it, whatever the parents are', () => {
    fc.assert(
      fc.property(sets, (set) => {
        expect(rollUp(callsOf(set))).toEqual(slowly(set))
      }),
    )
  })

  it('answers for wanted calls alone as for all', () => {
    fc.assert(
      fc.property(sets, fc.uniqueArray(ID), (set, ids) => {
        const wanted = new Set(ids)
        const expected = new Map([...slowly(set)].filter(([id]) => wanted.has(id)))
        expect(rollUp(callsOf(set), wanted)).toEqual(expected)
      }),
    )
  })

  /** A chain of calls, each with a model of its own. */
  const chain = (length: number) =>
    new Map<string, UsageCall>(
      Array.from({ length }, (_, i) => [
        `${i}`,
        { parent: i === 0 ? '' : `${i - 1}`, usage: ownUsage(`{"m${i}":{"requests":1}}`, '') },
      ]),
    )

  it('goes any depth', () => {
    expect(rollUp(chain(100_000), new Set(['0'])).get('0')?.size).toBe(100_000)
  })

  it('refuses what does not fit', () => {
    expect(rollUp(chain(4), undefined, 10).get('0')?.size).toBe(4)
    expect(() => rollUp(chain(4), undefined, 9)).toThrow(
      'The usage has more than 9 pairs of call and model; ask for fewer calls.',
    )
    expect(() => rollUp(chain(100_000))).toThrow('more than 250000 pairs')
  })
})

describe('own usage', () => {
  const none = {
    requests: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    total_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    prompt_tokens_total_cost: null,
    completion_tokens_total_cost: null,
    cache_read_input_tokens_total_cost: null,
    cache_creation_input_tokens_total_cost: null,
  }

  it.each([
    ['', {}],
    ['[1]', {}],
    ['{"m":null,"n":3,"o":[4]}', {}],
    ['{"m":{}}', {}],
    ['{"m":{"requests":"3","total_tokens":-1,"prompt_tokens":null}}', {}],
    ['{"m":{"requests":3}}', { m: { ...none, requests: 3 } }],
    ['{"m":{"input_tokens":3,"total_tokens":0}}', { m: { ...none, prompt_tokens: 3, total_tokens: 3 } }],
    [
      '{"m":{"prompt_tokens":1,"input_tokens":2,"completion_tokens":3,"output_tokens":4.9,"total_tokens":9}}',
      { m: { ...none, prompt_tokens: 3, completion_tokens: 7, total_tokens: 9 } },
    ],
    ['{"m":{"total_tokens":1e300}}', { m: { ...none, total_tokens: Number.MAX_SAFE_INTEGER } }],
    ['{"m":{"cache_read_input_tokens":5}}', { m: { ...none, cache_read_input_tokens: 5 } }],
  ])('%s', (usage, expected) => {
    expect(Object.fromEntries(ownUsage(usage, ''))).toEqual(expected)
  })

  it('has the costs of the models that have prices', () => {
    const usage = '{"m":{"requests":1},"n":{"requests":1}}'
    const own = ownUsage(usage, '{"m":{"prompt_tokens_total_cost":0.5}}')
    expect(own.get('m')).toEqual({ ...none, requests: 1, prompt_tokens_total_cost: 0.5 })
    expect(own.get('n')).toEqual({ ...none, requests: 1 })
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Costs } from '../../domain/costs/rule.js'
import { rollUp, type UsageCall } from './rollup.js'
import { addUsage, ownUsage, type UsageByModel } from './tally.js'

const costsOf = (prompt: number): Costs => ({
  prompt_tokens_total_cost: prompt,
  completion_tokens_total_cost: 0,
  cache_read_input_tokens_total_cost: 0.25,
  cache_creation_input_tokens_total_cost: 0,
})
const unpriced = () => undefined

interface Reported {
  parent: string
  usage: Record<string, object>
  costs: Record<string, Costs>
}

const ID: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
const usages = fc.dictionary(
  fc.constantFrom('m', 'n', '__proto__'),
  fc.record({
    prompt_tokens: fc.nat(2),
    output_tokens: fc.nat(2),
    total_tokens: fc.nat(4),
    requests: fc.nat(2),
  }),
)
// Quarters, so that sums are exact in any order.
const costs = fc.dictionary(
  fc.constantFrom('m', 'n'),
  fc.nat(8).map((n) => costsOf(n / 4)),
)
const sets: fc.Arbitrary<Record<string, Reported>> = fc.dictionary(
  ID,
  fc.record({ parent: fc.oneof(fc.constant(''), ID), usage: usages, costs }),
)

const read = ({ usage, costs }: Reported) =>
  ownUsage(JSON.stringify(usage), (model) => (Object.hasOwn(costs, model) ? costs[model] : undefined))
const callsOf = (set: Record<string, Reported>) =>
  new Map<string, UsageCall>(
    Object.entries(set).map(([id, call]) => [id, { parent: call.parent, usage: read(call) }]),
  )

/** Goes up from every call to every other, each time anew, and asks of each whether it repeats its children. */
function slowly(set: Record<string, Reported>): Map<string, UsageByModel> {
  const ids = Object.keys(set)
  const isBelow = (id: string, above: string) => {
    const seen = new Set<string>()
    for (let at: string | undefined = id; at !== undefined && !seen.has(at); at = set[at]?.parent) {
      if (at === above) return true
      seen.add(at)
    }
    return false
  }
  const sum = (ids: string[]): UsageByModel => {
    const total: UsageByModel = new Map()
    for (const id of ids)
      for (const [model, usage] of read(set[id]!)) {
        const before = total.get(model)
        if (before) addUsage(before, usage)
        else total.set(model, usage)
      }
    return total
  }
  const tokens = (ids: string[]) => {
    const all = [...sum(ids).values()]
    const of = (name: 'prompt_tokens' | 'completion_tokens' | 'total_tokens') =>
      all.reduce((n, usage) => n + usage[name], 0)
    const [prompt, completion] = [of('prompt_tokens'), of('completion_tokens')]
    return prompt + completion > 0 ? `${prompt}, ${completion}` : `${of('total_tokens') || 'none'}`
  }
  const counting = (above: string) => ids.filter((id) => isBelow(id, above) && !repeats(id))
  const repeats = (id: string): boolean => {
    const children = ids.filter((child) => set[child]!.parent === id && !isBelow(id, child))
    const said = [children.flatMap(counting), children, ...children.map(counting)].map(tokens)
    return tokens([id]) !== 'none' && said.includes(tokens([id]))
  }
  return new Map(ids.map((id) => [id, sum(counting(id))]))
}

describe('the roll-up', () => {
  it('adds the usage of each call that repeats none to all above it, whatever the parents are', () => {
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

  /** Names of models as the two levels have them; tokens in and out. */
  const call = (
    parent: string,
    model: string,
    prompt: number,
    completion: number,
    requests = 0,
  ): UsageCall => ({
    parent,
    usage: ownUsage(
      JSON.stringify({
        [model]: {
          ...{ requests, input_tokens: prompt, prompt_tokens: prompt },
          ...{ output_tokens: completion, completion_tokens: completion },
        },
      }),
      unpriced,
    ),
  })
  const nothing = (parent: string): UsageCall => ({ parent, usage: new Map() })

  it.each<[string, Record<string, UsageCall>, number]>([
    [
      'an agent and its loop say what their model calls said (Strands)',
      {
        root: call('', 'm', 32, 10),
        loop: call('root', 'm', 32, 10),
        one: nothing('loop'),
        'a chat': call('one', 'm', 10, 4),
        two: nothing('loop'),
        'another chat': call('two', 'm', 22, 6),
      },
      42,
    ],
    [
      'the whole says what its last step said, under another name of the model (Vercel AI SDK 5)',
      {
        root: call('', 'gpt-4o', 22, 6),
        step: call('root', 'gpt-4o-2024-08-06', 10, 4),
        tool: nothing('root'),
        'last step': call('root', 'gpt-4o-2024-08-06', 22, 6),
      },
      42,
    ],
    [
      'an agent says what its own chats said, without the agent that a tool of it ran',
      {
        root: call('', 'm', 20, 7),
        chat: call('root', 'm', 12, 4),
        'chat again': call('root', 'm', 8, 3),
        tool: nothing('root'),
        agent: call('tool', 'm', 10, 5),
        'its chat': call('agent', 'm', 10, 5),
      },
      42,
    ],
    ['it used something itself', { root: call('', 'm', 12, 3), leaf: call('root', 'm', 20, 7) }, 42],
  ])('counts once where %s', (_, calls, tokens) => {
    const total = [
      ...rollUp(new Map(Object.entries(calls)))
        .get('root')!
        .values(),
    ]
    expect(total.reduce((sum, usage) => sum + usage.total_tokens, 0)).toBe(tokens)
  })

  it('has the model where only the call names it that repeats what is below it (Codex)', () => {
    const requests = { request: call('turn', 'usage', 20, 7), 'second request': call('turn', 'usage', 20, 7) }
    const turn = call('root', 'm', 40, 14)
    const total = rollUp(new Map(Object.entries({ root: nothing(''), turn, ...requests }))).get('root')!
    expect([...total].map(([model, { total_tokens }]) => [model, total_tokens])).toEqual([['m', 54]])
    const last = rollUp(
      new Map(Object.entries({ root: nothing(''), turn: call('root', 'm', 20, 7), ...requests })),
    ).get('root')!
    expect([...last].map(([model, { total_tokens }]) => [model, total_tokens])).toEqual([['usage', 54]])
  })

  it('adds requests that come without tokens, for they tell nothing apart', () => {
    const calls = new Map([
      ['root', call('', 'm', 0, 0, 1)],
      ['leaf', call('root', 'm', 0, 0, 1)],
    ])
    expect(rollUp(calls).get('root')!.get('m')!.requests).toBe(2)
  })

  /** A chain of calls, each with a model of its own. */
  const chain = (length: number) =>
    new Map<string, UsageCall>(
      Array.from({ length }, (_, i) => [
        `${i}`,
        { parent: i === 0 ? '' : `${i - 1}`, usage: ownUsage(`{"m${i}":{"requests":1}}`, unpriced) },
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
      { m: { ...none, prompt_tokens: 2, completion_tokens: 4, total_tokens: 9 } },
    ],
    ['{"m":{"total_tokens":1e300}}', { m: { ...none, total_tokens: Number.MAX_SAFE_INTEGER } }],
    ['{"m":{"cache_read_input_tokens":5}}', { m: { ...none, cache_read_input_tokens: 5 } }],
  ])('%s', (usage, expected) => {
    expect(Object.fromEntries(ownUsage(usage, unpriced))).toEqual(expected)
  })

  it('has the costs of the models that have prices', () => {
    const usage = '{"m":{"requests":1},"n":{"requests":1}}'
    const own = ownUsage(usage, (model) => (model === 'm' ? costsOf(0.5) : undefined))
    expect(own.get('m')).toEqual({ ...none, requests: 1, ...costsOf(0.5) })
    expect(own.get('n')).toEqual({ ...none, requests: 1 })
  })
})

/** What a call used and cost is the same in every form that tells it: lists of both kinds, one call, usage, statistics, evaluations. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReads } from '../../cli/serve/reads.js'
import { type BilledSums, billedOf, billedSums, costsOfSums } from '../../domain/costs/billed-sums.js'
import { pricesOf, totalCost } from '../../domain/costs/expression.js'
import { readPrices } from '../../domain/costs/price-reader.js'
import { costsMember } from '../../domain/costs/pricing.js'
import { totalOf } from '../../domain/costs/rule.js'
import { modelsOf, usagesOf } from '../../domain/costs/usages.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { costIf, pricesIf, TOKENS } from '../../resources/evaluation/results/summary.js'
import { rounds } from '../../test/support/rounds.js'
import { writeCalls } from '../testing/calls.js'
import { startService, type TestService } from '../testing/service.js'
import { loadPrices, type PriceList } from './default-prices.js'

let service: TestService
beforeAll(async () => {
  service = await startService((store) => createReads({ store, version: '' }).routes)
  await loadPrices(service.store, BY_LENGTH)
})
afterAll(() => service.stop())
/** A model whose price depends on the length of prompts, as only lists of default prices say it. */
const BY_LENGTH: PriceList = {
  as_of: '2025-01-01',
  unit: 'USD per million tokens',
  columns: [],
  prices: [
    [
      'x',
      'by-length',
      1e6,
      2e6,
      5e5,
      1e6,
      [
        [1000, 3e6, 4e6, 1e6, 3e6],
        [3000, 7e6, 9e6],
      ],
    ],
  ],
}

const PRICES = { prompt_token_cost: 1, completion_token_cost: 8 }
const CACHED = { cache_read_input_token_cost: 0.5, cache_creation_input_token_cost: 2 }
const COUNTS = [
  'requests',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const
const COSTS = [
  'prompt_tokens_total_cost',
  'completion_tokens_total_cost',
  'cache_read_input_tokens_total_cost',
  'cache_creation_input_tokens_total_cost',
] as const

type Sent = Partial<Record<string, number | null>>
type Totals = Record<(typeof COUNTS)[number] | (typeof COSTS)[number], number>
type ByModel = Record<string, Totals>
type Line = { id: string; summary: { weave: { costs?: ByModel } } }

const count = fc.oneof(fc.nat(5000), fc.constantFrom(0, null))
const usage = fc.dictionary(
  fc.constantFrom('m', 'n', 'free', 'by-length', 'OpenAI/m-2024-08-06', 'us.anthropic.n-v1:0'),
  fc.record(
    {
      requests: count,
      prompt_tokens: count,
      input_tokens: count,
      completion_tokens: count,
      output_tokens: count,
      total_tokens: count,
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
      text: fc.constant(7),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Sent>,
)
/** As Vercel AI SDK 5 and Strands send them: each count under both its names. */
const BOTH_NAMES = { input_tokens: 15, prompt_tokens: 15, output_tokens: 6, completion_tokens: 6 }

/** What counts as what, said once more. */
function meant(sent: Sent): Omit<Totals, (typeof COSTS)[number]> {
  const greatest = (...names: string[]) => Math.max(0, ...names.map((name) => sent[name] ?? 0))
  const prompt = greatest('prompt_tokens', 'input_tokens')
  const completion = greatest('completion_tokens', 'output_tokens')
  return {
    requests: greatest('requests'),
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: sent.total_tokens || prompt + completion,
    cache_read_input_tokens: greatest('cache_read_input_tokens'),
    cache_creation_input_tokens: greatest('cache_creation_input_tokens'),
  }
}

const pick = <K extends keyof Totals>(totals: Totals, names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, totals[name]]))
const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)

describe('usage and costs', () => {
  it.each<[string, object, number]>([
    ['a short prompt', { input_tokens: 1000, output_tokens: 10 }, 1000 * 1 + 10 * 2],
    ['a long one', { input_tokens: 1001, output_tokens: 10 }, 1001 * 3 + 10 * 4],
    [
      'a very long one, partly from the cache',
      { input_tokens: 3100, cache_read_input_tokens: 3000, output_tokens: 1 },
      100 * 7 + 3000 * 7 + 9,
    ],
    [
      'requests that are short each',
      { input_tokens: 2000, output_tokens: 10, requests: 2 },
      2000 * 1 + 10 * 2,
    ],
  ])('by the length of the prompt: %s', async (_, used, dollars) => {
    const project_id = 'acme/by-length'
    const id = JSON.stringify(used)
    const summary = JSON.stringify({ usage: { 'by-length': used } })
    await writeCalls(service.store, project_id, [{ id, started_at: '2026-01-01T00:00:10Z', summary }])
    const { call } = (await service.post('/call/read', { project_id, id, include_costs: true })).json
    const costs = call.summary.weave.costs['by-length']
    expect(sum(COSTS.map((name) => costs[name]))).toBe(dollars)
  })

  it(
    'are the same in every form',
    async () => {
      let project = 0
      const ask = async (path: string, body: object) => {
        const answer = await service.post(path, body)
        expect(answer.status, answer.text).toBe(200)
        return answer
      }
      const check = async (usages: Record<string, Sent>[]) => {
        const project_id = `acme/forms${project++}`
        const asked = { project_id, include_costs: true }
        const costs = { m: { ...PRICES, ...CACHED }, n: PRICES }
        await ask('/cost/create', { project_id, costs })
        const later = {
          prompt_token_cost: 4,
          completion_token_cost: 2,
          effective_date: '2026-01-01T00:00:12Z',
        }
        await ask('/cost/create', { project_id, costs: { m: later } })
        const calls = usages.map((usage, i) => ({
          id: `call ${i}`,
          started_at: `2026-01-01T00:00:${10 + i}Z`,
          ended_at: '2026-01-01T00:01:00Z',
          summary: JSON.stringify({ usage }),
          ...{ thread_id: 'thread', turn_id: `call ${i}` },
        }))
        await writeCalls(service.store, project_id, calls)

        const long = (await ask('/calls/stream_query', asked)).text
        expect((await ask('/calls/stream_query', { ...asked, limit: 100 })).text).toBe(long)
        const lines: Line[] = long
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
        const ids = calls.map(({ id }) => id)
        const totals: Record<string, ByModel> = (await ask('/calls/usage', { ...asked, call_ids: ids })).json
          .call_usage
        const traces = (await ask('/trace/usage', { ...asked, filter: { call_ids: ids } })).json.call_usage
        expect(traces).toEqual(totals)

        for (const [i, { id, summary }] of lines.entries()) {
          const one = (await ask('/call/read', { ...asked, id })).json.call
          expect(one.summary.weave.costs).toEqual(summary.weave.costs)
          const priced = Object.entries(summary.weave.costs ?? {})
          for (const [model, cost] of priced) {
            expect(pick(cost, COUNTS), `${model} in ${calls[i]!.summary}`).toEqual(meant(usages[i]![model]!))
            const total = totals[id]![model]
            if (total) expect(pick(total, COSTS)).toEqual(pick(cost, COSTS))
          }
          for (const [model, total] of Object.entries(totals[id]!))
            expect(pick(total, COUNTS), `${model} in ${calls[i]!.summary}`).toEqual(meant(usages[i]![model]!))
        }

        const metrics = [
          'input_tokens',
          'output_tokens',
          'total_tokens',
          'cache_read_input_tokens',
          'total_cost',
        ]
        const stats = await ask('/calls/stats', {
          project_id,
          ...{ start: '2026-01-01T00:00:00Z', end: '2026-01-01T01:00:00Z', granularity: 3600 },
          usage_metrics: metrics.map((metric) => ({ metric, aggregations: ['sum'] })),
        })
        for (const bucket of stats.json.usage_buckets) {
          const own = Object.values(totals).flatMap((models) => models[bucket.model] ?? [])
          expect([bucket.sum_input_tokens, bucket.sum_output_tokens, bucket.sum_total_tokens]).toEqual([
            sum(own.map((total) => total.prompt_tokens)),
            sum(own.map((total) => total.completion_tokens)),
            sum(own.map((total) => total.total_tokens)),
          ])
          expect(bucket.sum_cache_read_input_tokens).toBe(
            sum(own.map((total) => total.cache_read_input_tokens)),
          )
          expect(bucket.sum_total_cost ?? 0).toBe(
            sum(own.flatMap((total) => COSTS.map((name) => total[name]))),
          )
        }

        const all = Object.values(totals).flatMap((models) => Object.values(models))
        const priced = lines.some(({ summary }) => summary.weave.costs)
        const [thread] = (await ask('/threads/query', { project_id })).json.threads
        expect(thread.total_tokens).toBe(sum(all.map((total) => total.total_tokens)))
        expect(thread.total_cost).toBe(
          priced ? sum(all.flatMap((total) => COSTS.map((name) => total[name]))) : null,
        )

        const id = projectIdOf(project_id)
        const evaluated = await service.store.rows<{
          id: string
          tokens: number | null
          cost: number | null
        }>(
          sql`${pricesIf(true, id, () => [])}SELECT id, ${TOKENS} AS tokens, ${costIf(true)} AS cost FROM calls WHERE project_id = ${bind.string(id)}`,
        )
        for (const { id, tokens, cost } of evaluated) {
          const all = Object.values(totals[id]!)
          expect(tokens ?? 0).toBe(sum(all.map((total) => total.total_tokens)))
          expect(cost ?? 0).toBe(sum(all.flatMap((total) => COSTS.map((name) => total[name]))))
        }
      }
      await check([{ m: BOTH_NAMES }, { free: BOTH_NAMES }])
      const some = fc.array(usage, { minLength: 1, maxLength: 8 })
      await fc.assert(fc.asyncProperty(some, check), { numRuns: rounds(3, 6), endOnFailure: true })
    },
    rounds(300_000),
  )

  it('take odd counts as statistics take them', async () => {
    const project_id = 'acme/odd'
    const costs = { m: { ...PRICES, ...CACHED }, '12': PRICES, 'a"': PRICES }
    expect((await service.post('/cost/create', { project_id, costs })).status).toBe(200)
    const id = projectIdOf(project_id)
    const prices = await readPrices(service.store, id)
    const entries = [
      '{}',
      '5',
      'null',
      '{"other":1}',
      '{"requests":null}',
      '{"requests":null,"prompt_tokens":4}',
    ]
    const counts = [
      '1.5',
      '1e3',
      '0.5e1',
      '-3',
      '"12"',
      'true',
      '[1]',
      '18446744073709551616',
      '4503599627370497',
    ]
    const usages = [
      '{"m":{"requests":1},"12":{"requests":2},"a\\u0022":{"requests":3}}',
      ...['[1]', '"x"', 'null', '{"m":{"requests":1,"requests":7}}', '{"m":{"requests":1,"x":1e999}}'],
      ...entries.map((entry) => `{"m":${entry}}`),
      ...counts.map((count) => `{"m":{"requests":2,"input_tokens":${count}}}`),
    ]
    for (const summary of ['', '{}', ...usages.map((usage) => `{"usage":${usage}}`)]) {
      const startedAt = sql`toDateTime64('2026-01-01 00:00:10', 6, 'UTC')`
      const models = modelsOf(sql`${bind.string(summary)}`)
      const known = pricesOf(id, sql`SELECT arrayJoin(${models}) AS model`)
      const billed = billedSums(billedOf(sql`usages`, startedAt, prices), sql`counts`)
      const [row] = await service.store.rows<{ cost: number | null; billed: BilledSums }>(
        sql`WITH ${known} AS prices SELECT sum(${totalCost(sql`prices`, sql`usages`, startedAt)}) AS cost, ${billed} AS billed
          FROM (SELECT ${usagesOf(sql`${bind.string(summary)}`)} AS usages, true AS counts)`,
      )
      const { cost } = row!
      const costsHere = costsOfSums(row!.billed, (model, time) => prices.at(model, time))
      expect(costsHere ? totalOf(costsHere) : null, summary).toBe(cost)
      const member = costsMember(prices, Buffer.from(summary), 1_767_225_610_000_000)
      const { costs } = JSON.parse(`{"_":0${member}}`) as { costs?: ByModel }
      const total = costs && sum(Object.values(costs).flatMap((one) => COSTS.map((name) => one[name])))
      expect(total ?? null, summary).toBe(cost)
    }
  })
})

/** What a span costs is the same by the engine, which sums and sorts, and in TypeScript, which shows spans. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BilledSums } from '../../domain/costs/billed-sums.js'
import { readPrices } from '../../domain/costs/price-reader.js'
import { bind, ident, join, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { sharedTestEngine } from '../../platform/testing/engine.js'
import { rounds } from '../../test/support/rounds.js'
import { billedBySpans, type CostRow, costsOfGroup, costsOfSpan, SPAN_COSTS, withPrices } from './costs.js'

const PROJECT = 'project'
let engine: Awaited<ReturnType<typeof sharedTestEngine>>
let store: Store
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('agent_costs')
  const price = (project_id: string, llm_id: string, effective_date: number, prompt: number) => ({
    ...{
      project_id,
      id: `${project_id} ${llm_id} ${effective_date}`,
      llm_id,
      provider_id: '',
      effective_date,
    },
    ...{
      prompt,
      completion: 8,
      cache_read: 0.5,
      cache_creation: 2,
      prompt_unit: 'USD',
      completion_unit: 'USD',
    },
    ...{ created_at: 1, created_by: '', deleted: 0, ver: 1 },
  })
  const step = (above: number, prompt: number) => ({
    above,
    prompt,
    completion: 3,
    cache_read: 1,
    cache_creation: 9,
  })
  await store.insertRows('costs', [
    // A long prompt costs more.
    { ...price('', 'm', 4, 1), steps: [step(1000, 2), step(3000, 5)] },
    ...[price('', 'm', 1, 1), price('', 'm', 2, 2), price('', 'n', 1, 3)],
    ...[price(PROJECT, 'n', 1, 4), price(PROJECT, 'n', 3, 5), price('another', 'other', 1, 6)],
  ])
  // Prices are those of the models that the project's spans name.
  const spanOf = (request_model: string) => ({
    ...{ project_id: PROJECT, id: request_model, trace_id: 't', span_kind: 1, ver: 1, request_model },
    started_at: '2026-01-01T00:00:00Z',
  })
  await store.insertRows('calls', MODELS.map(spanOf))
}, 120_000)
afterAll(() => engine?.stop())

const WINDOW = { projectId: PROJECT, from: undefined, to: undefined }
const MODELS = ['', 'm', 'n', 'other', 'free', 'OpenAI/m-2024-08-06', 'us.anthropic.n-v1:0']
const model = fc.constantFrom(...MODELS)
const count = fc.oneof(fc.nat(5000), fc.constant(0), fc.constant(2 ** 32 - 1))
const spans = fc.array(
  fc.record({
    ...{ response_model: model, request_model: model, input_tokens: count, output_tokens: count },
    ...{ cache_read_input_tokens: count, cache_creation_input_tokens: count },
  }),
  { minLength: 1, maxLength: 50 },
)

it('any span costs the same here and in the store, and all together what they add up to', async () => {
  const known = await readPrices(store, PROJECT)
  await fc.assert(
    fc.asyncProperty(spans, async (asked) => {
      const rows = asked.map((span, i) => {
        const texts = sql`${bind.string(span.response_model)} AS response_model, ${bind.string(span.request_model)} AS request_model`
        const counts = (
          ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const
        ).map((name) => sql`toUInt32(${bind.uint(span[name])}) AS ${ident(name)}`)
        return sql`SELECT ${bind.uint(i)} AS place, ${texts}, ${join(counts, sql`, `)}`
      })
      const columns = sql`${SPAN_COSTS.input} AS input_cost_usd, ${SPAN_COSTS.output} AS output_cost_usd,
        ${SPAN_COSTS.cacheRead} AS cache_read_cost_usd, ${SPAN_COSTS.cacheCreation} AS cache_creation_cost_usd, ${SPAN_COSTS.total} AS total_cost_usd`
      const all = join(rows, sql` UNION ALL `)
      const found = await store.rows<CostRow>(
        withPrices(sql`SELECT ${columns} FROM (${all}) ORDER BY place`, WINDOW),
      )
      const here = asked.map((span) => costsOfSpan(span, known))
      expect(found).toEqual(here)
      const [group] = await store.rows<{ billed: BilledSums }>(
        sql`SELECT ${billedBySpans(known, sql`place % 3 > 0`)} AS billed FROM (${all})`,
      )
      const counted = here.filter(({ total_cost_usd: cost }, place) => place % 3 > 0 && cost !== null)
      const sum = (name: keyof CostRow) =>
        counted.length === 0 ? null : counted.reduce((left, row) => left + row[name]!, 0)
      expect(costsOfGroup(group!.billed, known)).toEqual({
        ...{ input_cost_usd: sum('input_cost_usd'), output_cost_usd: sum('output_cost_usd') },
        cache_read_cost_usd: sum('cache_read_cost_usd'),
        cache_creation_cost_usd: sum('cache_creation_cost_usd'),
        total_cost_usd: sum('total_cost_usd'),
      })
    }),
    { numRuns: rounds(8, 20) },
  )
})

/** What a span costs is the same by the engine, which sums and sorts, and in TypeScript, which shows spans. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { givenPrices, pricesOf } from '../../domain/costs/expression.js'
import { readPrices } from '../../domain/costs/price-reader.js'
import { bind, ident, join, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { sharedTestEngine } from '../../platform/testing/engine.js'
import { rounds } from '../../test/support/rounds.js'
import { type CostRow, costsOf, costsOfSpan } from './costs.js'

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

it('any span costs the same here and in the store, which looks prices up or is given them', async () => {
  const known = await readPrices(store, PROJECT)
  const models = sql`SELECT arrayJoin(${bind.strings(MODELS)}) AS model`
  const both = [pricesOf(PROJECT, models), givenPrices(known, MODELS)]
  await fc.assert(
    fc.asyncProperty(spans, async (asked) => {
      const rows = asked.map((span, i) => {
        const texts = sql`${bind.string(span.response_model)} AS response_model, ${bind.string(span.request_model)} AS request_model`
        const counts = (
          ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const
        ).map((name) => sql`toUInt32(${bind.uint(span[name])}) AS ${ident(name)}`)
        return sql`SELECT ${bind.uint(i)} AS place, ${texts}, ${join(counts, sql`, `)}`
      })
      for (const one of both) {
        const { prices, ...costs } = costsOf(WINDOW, one)
        const columns = sql`${costs.input} AS input_cost_usd, ${costs.output} AS output_cost_usd,
          ${costs.cacheRead} AS cache_read_cost_usd, ${costs.cacheCreation} AS cache_creation_cost_usd, ${costs.total} AS total_cost_usd`
        const found = await store.rows<CostRow>(
          sql`WITH ${prices} SELECT ${columns} FROM (${join(rows, sql` UNION ALL `)}) ORDER BY place`,
        )
        expect(found).toEqual(asked.map((span) => costsOfSpan(span, known)))
      }
    }),
    { numRuns: rounds(8, 20) },
  )
})

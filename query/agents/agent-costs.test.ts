/** Costs of agents and versions, summed by the store, are those of their spans one by one. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { READ_LIMITS } from '../../platform/clickhouse/read-limits.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { rounds } from '../../test/support/rounds.js'
import { costsOfAgents } from './agent-costs.js'
import { costsOfSpan } from './costs.js'
import { AgentReader } from './read.js'

const { signal } = new AbortController()
let engine: TestEngine
let store: Store
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('agents_cost')
  const price = (llm_id: string, prompt: number) => ({
    ...{ project_id: '', id: llm_id, llm_id, provider_id: '', effective_date: 1, prompt, completion: 8 },
    ...{ cache_read: 0.5, cache_creation: 2, prompt_unit: 'USD', completion_unit: 'USD' },
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
    { ...price('m', 2), steps: [step(1000, 2), step(3000, 5)] },
    { ...price('n', 3), steps: [step(2000, 4)] },
  ])
})
afterAll(() => engine?.stop())

const model = fc.constantFrom('', 'm', 'n', 'free', 'OpenAI/m-2024-08-06')
const count = fc.oneof(fc.nat(5000), fc.constant(0))
const spans = fc.array(
  fc.record({
    ...{ trace_id: fc.constantFrom('t', 'u', 'v'), agent_name: fc.constantFrom('', '', 'Ä', 'b', 'c') },
    ...{ agent_version: fc.constantFrom('', '1', '2'), response_model: model, request_model: model },
    ...{ input_tokens: count, output_tokens: count },
    ...{ cache_read_input_tokens: count, cache_creation_input_tokens: count },
  }),
  { minLength: 1, maxLength: 40 },
)

let projects = 0
it('whether a span names its agent or its trace does', async () => {
  const reader = new AgentReader(store, READ_LIMITS)
  await fc.assert(
    fc.asyncProperty(spans, async (asked) => {
      const window = { projectId: `p${++projects}`, from: undefined, to: undefined }
      const rows = asked.map((span, n) => ({
        ...{ ...span, project_id: window.projectId, id: String(n), span_kind: 1, ver: 1 },
        started_at: new Date(1_780_000_000_000 + n).toISOString(),
      }))
      await store.insertRows('calls', rows)
      const prices = await reader.prices(window, signal)
      const billed = asked.map((span) => {
        const named = asked.find((other) => other.trace_id === span.trace_id && other.agent_name !== '')
        const { agent_name: name, agent_version: version } = span.agent_name === '' && named ? named : span
        return { name, version, cost: costsOfSpan(span, prices).total_cost_usd }
      })
      const sums = (keyOf: (span: (typeof billed)[number]) => string | undefined, keys: string[]) =>
        keys.map((key) => {
          const costs = billed.filter((one) => keyOf(one) === key && one.cost !== null)
          return costs.length === 0 ? undefined : costs.reduce((sum, { cost }) => sum + cost!, 0)
        })
      const names = ['Ä', 'c']
      const byName = await costsOfAgents(reader, window, { names }, signal)
      const versions = ['1', '']
      const byVersion = await costsOfAgents(reader, window, { name: 'b', versions }, signal)
      expect(names.map((name) => byName.get(name))).toEqual(sums(({ name }) => name, names))
      expect(versions.map((version) => byVersion.get(version))).toEqual(
        sums(({ name, version }) => (name === 'b' ? version : undefined), versions),
      )
    }),
    { numRuns: rounds(8, 20) },
  )
})

/** Each of two spans, of which the first names the agent. */
const TRACES = 200_000

it('of more traces than a statement can tell apart', async () => {
  const projectId = 'large'
  const half = (agent: string, from: number) => `INSERT INTO calls
    (project_id, id, trace_id, span_kind, ver, agent_name, response_model, input_tokens, started_at)
    SELECT '${projectId}', leftPad(hex(number + ${from}), 16, '0'), hex(MD5(toString(number))), 1, 1, '${agent}', 'm', 5,
      toDateTime64('2026-01-01 00:00:00', 6) + intDiv(number, 1000)
    FROM numbers(${TRACES}) SETTINGS max_block_size = 20000, min_insert_block_size_rows = 50000, min_insert_block_size_bytes = 0`
  for (const statement of [half('a', 0), half('', TRACES)]) await store.runTrusted(statement)
  const window = { projectId, from: undefined, to: undefined }
  // All at once take 33 to 40 MiB.
  const reader = new AgentReader(store, { ...READ_LIMITS, memoryBytes: 24 << 20 })
  const costs = await costsOfAgents(reader, window, { names: ['a'] }, signal)
  expect(costs.get('a')).toBeCloseTo(2 * TRACES * 5 * 2)
})

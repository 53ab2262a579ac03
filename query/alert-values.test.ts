/** What alerts judge is what `/calls/stats` answers; measured together, it is what each alone would have. In the real engine. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AlertOnCalls } from '../contract/alerts.js'
import { AlertDefinition } from '../contract/alerts.js'
import { CALL_METRICS } from '../contract/calls-read.js'
import type { AlertValues } from '../domain/alerts/values.js'
import type { Span } from '../domain/calls/read/span.js'
import { alertValues } from './alert-values.js'
import { callsRoutes } from './calls/routes.js'
import { ProjectSql } from './sql/project-sql.js'
import { type TestCall, writeCalls } from './testing/calls.js'
import { startService, type TestService } from './testing/service.js'

const project = 'acme/alerts'
const limits = { seconds: 60, memoryBytes: 2e9, readBytes: 1e11 }
const FROM = Date.parse('2026-01-01T00:00:00Z') / 1000
/** Four windows of a minute, the last one cut short. */
const span: Span = {
  ...{ start: FROM * 1e6, end: (FROM + 230) * 1e6, granularity: 60 },
  starts: [0, 60, 120, 180].map((second) => FROM + second),
}
const asked = { caller: 'key/test' as const, signal: new AbortController().signal }

let service: TestService
let values: AlertValues
beforeAll(async () => {
  service = await startService((store) => {
    values = alertValues(store, limits, new ProjectSql(store))
    return callsRoutes({ store, limits })
  })
  const at = (second: number) => new Date((FROM + second) * 1000).toISOString()
  const calls = Array.from({ length: 60 }, (_, n): TestCall => {
    // Nothing is in the third window.
    const second = [n, 60 + n, 180 + n][n % 3]!
    return {
      ...{ id: `call-${n}`, op_name: n % 2 ? 'odd' : 'even', started_at: at(second), inputs: `{"n":${n}}` },
      ...(n % 7 !== 0 && { ended_at: at(second + (n % 5)) }),
      ...{ half: n % 7 === 0 ? 'start' : undefined, first_token: n % 4 === 0 ? 1000 * (n + 1) : 0 },
      ...{ exception: n % 6 === 1 ? 'it broke' : '', environment: n % 3 ? 'production' : '' },
      summary: `{"usage":{"${n % 2 ? 'big' : 'small'}":{"input_tokens":${n},"output_tokens":1}}}`,
    } as TestCall
  })
  await writeCalls(service.store, project, calls)
})
afterAll(() => service?.stop())

const sourceOf = (more: object): AlertOnCalls =>
  AlertDefinition.parse({ source: { type: 'calls', ...more }, alert_at: 1 }).source as AlertOnCalls

const sources = fc
  .record({
    metric: fc.constantFrom(...CALL_METRICS),
    aggregation: fc.constantFrom('sum', 'avg', 'min', 'max', 'count', 'count_true', 'count_false'),
    percentile: fc.constantFrom(null, null, 50, 95),
    filter: fc.constantFrom(null, { op_names: ['odd'] }, { op_names: ['none'] }, { trace_roots_only: true }),
    query: fc.constantFrom(
      null,
      { $expr: { $gt: [{ $getField: 'inputs.n' }, { $literal: 30 }] } },
      { $expr: { $eq: [{ $getField: 'environment' }, { $literal: 'production' }] } },
    ),
  })
  .map(sourceOf)

it('several at once have what each has alone', async () => {
  const run = async (some: AlertOnCalls[]) => {
    const together = await values.batch(project, some, span, asked)
    for (const [i, source] of some.entries()) {
      const alone = await values.calls(project, source, span, asked)
      // Where none of its calls is, alone it has no row.
      const rows = together[i]!.filter(({ m1 }) => m1 > 0)
      const inOrder = (list: typeof rows) => list.toSorted((a, b) => a.bucket - b.bucket)
      expect(inOrder(rows)).toEqual(inOrder([...alone]))
    }
  }
  await fc.assert(fc.asyncProperty(fc.array(sources, { minLength: 1, maxLength: 6 }), run), { numRuns: 25 })
})

it.each([
  ['op', ['even', 'odd']],
  ['model', ['big', 'small']],
  ['environment', ['', 'production']],
] as const)('by %s, and as /calls/stats has it', async (group_by, groups) => {
  const source = sourceOf({ metric: 'total_tokens', aggregation: 'sum', group_by })
  const rows = await values.calls(project, source, span, asked)
  expect([...new Set(rows.map(({ grp }) => grp))].sort()).toEqual(groups)
  const { json } = await service.post('/calls/stats', {
    ...{ project_id: project, start: '2026-01-01T00:00:00Z', end: '2026-01-01T00:03:50Z', granularity: 60 },
    ...{ group_by, usage_metrics: [{ metric: 'total_tokens', aggregations: ['sum'] }] },
  })
  const sum = (list: readonly (number | null)[]) => list.reduce<number>((all, one) => all + (one ?? 0), 0)
  for (const group of groups) {
    const buckets = (json.usage_buckets as { group: string; sum_total_tokens: number }[]).filter(
      (bucket) => bucket.group === group,
    )
    expect(sum(rows.filter(({ grp }) => grp === group).map(({ m0 }) => m0))).toBe(
      sum(buckets.map(({ sum_total_tokens: tokens }) => tokens)),
    )
  }
})

it('SQL gets the window, and says what is wrong with it', async () => {
  const query = `SELECT op_name, count() AS value FROM calls
    WHERE started_at >= {since:DateTime64} AND started_at < {until:DateTime64} GROUP BY op_name ORDER BY op_name`
  const window = (seconds: number) => values.sql(project, query, FROM * 1000, (FROM + seconds) * 1000, asked)
  expect(await window(3)).toEqual([{ op_name: 'even', value: 1 }])
  expect(await window(60)).toHaveLength(2)
  await expect(values.sql(project, 'SELECT value FROM api_keys', 0, 1, asked)).rejects.toMatchObject({
    status: 400,
  })
})

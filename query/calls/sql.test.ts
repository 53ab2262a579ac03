/** The SQL of each kind of read, one snapshot file a case, to be read by a change's reviewer. */
import { describe, expect, it } from 'vitest'
import {
  callFacets,
  callRead,
  callStats,
  callsQueryStats,
  callsStreamQuery,
  callsUsage,
} from '../../contract/calls-read.js'
import { threadsStreamQuery } from '../../contract/threads.js'
import { callFields, tookAtLeast } from '../../domain/calls/read/fields.js'
import {
  keysStatement,
  nextKeysStatement,
  oneStatement,
  pageStatement,
  planOf,
  rangeStatement,
  rowsAtKeys,
  rowsStatement,
  weightStatement,
} from '../../domain/calls/read/page.js'
import { rowColumns } from '../../domain/calls/read/row.js'
import { isShortCount, shortCountStatement } from '../../domain/calls/read/short-count.js'
import { isShortList } from '../../domain/calls/read/short-list.js'
import {
  isFromLog,
  isShortPage,
  runningStatement,
  shortPageStatement,
} from '../../domain/calls/read/short-page.js'
import { spanOf } from '../../domain/calls/read/span.js'
import type { Sql } from '../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { threadsStatement } from '../threads/statement.js'
import { descendantConditions, startsStatement, usageStatement } from '../usage/routes.js'
import { countStatement } from './count.js'
import { facetsStatement } from './facets.js'
import { merged, rangesOf } from './kept-buckets.js'
import { conditionsOf, countedPage, lineOf, pageOf, wholeLine } from './selection.js'
import { stampedStatement } from './stamps.js'
import { callMeasures, callStatsStatement, usageMeasures, usageStatsStatement } from './stats.js'

const project_id = 'acme/one'
const projectId = projectIdOf(project_id)
const field = ($getField: string) => ({ $getField })
const literal = ($literal: unknown) => ({ $literal })

function shown(...statements: Sql[]): string {
  return statements
    .map((statement) => {
      const { query, params } = statement.render()
      // A statement that doesn't say whose rows it reads waits for what was just written of other projects, too.
      const marked = /\bcalls \/\* only project_id = \{p\d+:String\} \*\/|\/\* only if \([^*]*\) \*\//g
      expect(query.replaceAll(marked, '')).not.toMatch(/\bcalls\b/)
      const lines = Object.entries(params).map(([name, value]) => `-- ${name} = ${JSON.stringify(value)}`)
      return [query, ...lines, ''].join('\n')
    })
    .join('\n')
}

const snapshot = (name: string, text: string) =>
  expect(text).toMatchFileSnapshot(`./__snapshots__/${name}.sql`)

function page(more: object): string {
  const body = callsStreamQuery.body!.parse({ project_id, ...more })
  const asked = pageOf(body, callFields(project_id))
  const line = lineOf(body)
  const near = isShortPage(asked, line)
    ? [
        shortPageStatement(asked, rowColumns(line)),
        ...(asked.limit === undefined
          ? []
          : [shortPageStatement(asked, rowColumns(line), { started: 1767225600000000, hasRunning: true })]),
        runningStatement(projectId, ['a'], line),
      ]
    : []
  const short = isShortList(asked, line)
    ? [keysStatement(asked), keysStatement({ ...asked, conditions: [...asked.conditions, tookAtLeast(7)] })]
    : []
  const keys = ['a', 'b'].map((id, i) => ({
    id,
    started: 1767225600000000 + i,
    width: 1,
    isRunning: asked.limit === undefined,
  }))
  const plan = planOf(asked)
  if (plan === 'walk')
    return shown(
      ...near,
      nextKeysStatement(asked, line, 1000, asked.offset, keys[0]),
      rangeStatement(asked, line, { rows: keys, isFirst: false, isLast: true }),
    )
  const sorted = plan === 'sort' ? [weightStatement(asked, line), pageStatement(asked, line)] : []
  const shortRows = short.length > 0 ? [rowsAtKeys(projectId, keys, line)] : []
  return shown(
    ...short,
    ...shortRows,
    ...sorted,
    keysStatement(asked, line),
    rowsStatement(projectId, keys, line),
  )
}

const few = { columns: ['op_name'] }
const where = (expr: object) => ({ ...few, query: { $expr: expr } })

describe('a list of calls', () => {
  it.each<[string, object]>([
    ['everything', {}],
    ['latest', { limit: 100, sort_by: [{ field: 'started_at', direction: 'desc' }] }],
    ['far-page', { ...few, limit: 100, offset: 10_000 }],
    [
      'by-latency',
      { ...few, limit: 10, sort_by: [{ field: 'summary.weave.latency_ms', direction: 'desc' }] },
    ],
    ['by-json-path', { ...few, sort_by: [{ field: 'inputs.a.b' }] }],
    [
      'with-sizes-and-names',
      {
        ...few,
        limit: 10,
        include_storage_size: true,
        include_total_storage_size: true,
        include_usernames: true,
      },
    ],
    [
      'filter',
      {
        ...few,
        filter: {
          op_names: ['plain', 'weave:///acme/one/op/o:*'],
          input_refs: ['weave:///acme/one/object/o:v'],
          parent_ids: ['p'],
          call_ids: ['a', 'b'],
          thread_ids: [],
          trace_roots_only: true,
          wb_user_ids: ['u'],
          wb_run_ids: ['r'],
        },
      },
    ],
    ['path-equals-text', where({ $eq: [field('inputs.a.b'), literal('x')] })],
    [
      'span-attribute-equals-text',
      where({ $eq: [field('attributes.otel_span.attributes.gen_ai.response.id'), literal('x')] }),
    ],
    ['path-equals-number', where({ $eq: [field('inputs.a.0'), literal(5)] })],
    ['path-in-texts', where({ $in: [field('output.a'), [literal('x'), literal('y')]] })],
    ['not', where({ $not: [{ $eq: [field('inputs.a'), literal('x')] }] })],
    [
      'columns',
      where({
        $and: [{ $eq: [field('parent_id'), literal('x')] }, { $gt: [field('ended_at'), literal(5)] }],
      }),
    ],
    [
      'hostile',
      where({
        $eq: [field("inputs.'; DROP TABLE calls; --\\..{p0:String}"), literal("\\'\n\n\0{p1:String}--")],
      }),
    ],
  ])('%s', async (name, more) => snapshot(`list-${name}`, page(more)))
})

describe('calls that an embedded engine need not have in the table', () => {
  const after = { $gte: [field('started_at'), literal('2026-01-01T00:00:00Z')] }
  const before = { $gt: [literal(1767225600), field('started_at')] }
  const day = Date.UTC(2026, 0, 1) * 1000
  const latest = { limit: 200, sort_by: [{ field: 'started_at', direction: 'desc' }] }
  const plainOf = (more: object) => {
    const asked = pageOf(
      callsStreamQuery.body!.parse({ project_id, ...latest, ...more }),
      callFields(project_id),
    )
    const { sort_by: _, ...count } = { ...latest, ...more }
    const counted = countedPage(callsQueryStats.body!.parse({ project_id, ...count }), callFields(project_id))
    expect(isShortCount(counted)).toBe(isFromLog(asked))
    expect(counted.plain).toEqual(asked.plain)
    if (!isFromLog(asked)) return undefined
    const { values, ...within } = asked.plain!
    return { roots: values.length === 1, ...within }
  }
  it.each<[string, object, object | undefined]>([
    ['the newest', {}, { roots: false }],
    ['roots', { filter: { trace_roots_only: true } }, { roots: true }],
    ['since a time', { query: { $expr: after } }, { roots: false, since: day }],
    [
      'within a time',
      { query: { $expr: { $and: [after, { $and: [before, after] }] } } },
      { roots: false, since: day, until: day - 1 },
    ],
    ['any of two', { query: { $expr: { $or: [after, before] } } }, undefined],
    ['none of a time', { query: { $expr: { $not: [after] } } }, undefined],
    [
      'with more asked',
      { query: { $expr: { $and: [after, { $eq: [field('op_name'), literal('o')] }] } } },
      undefined,
    ],
    ['by another time', { query: { $expr: { $gte: [field('ended_at'), literal(5)] } } }, undefined],
    ['of one op', { filter: { op_names: ['o'] } }, undefined],
    ['of one op since a time', { filter: { op_names: ['o'] }, query: { $expr: after } }, undefined],
  ])('%s', (_, more, within) => expect(plainOf(more)).toEqual(within))
})

describe('other reads', () => {
  it('count', async () => {
    const body = callsQueryStats.body!.parse({ project_id, filter: { op_names: ['o'] } })
    const conditions = conditionsOf(body, callFields(project_id))
    const count = { projectId, conditions, early: [], limit: undefined, sizes: false }
    await snapshot('count', shown(countStatement(count)))
    const newest = callsQueryStats.body!.parse({ project_id, limit: 200, filter: { trace_roots_only: true } })
    const few = countedPage(newest, callFields(project_id))
    await snapshot('count-few', shown(shortCountStatement(few)))
    await snapshot('count-limited', shown(countStatement({ ...count, limit: 10, sizes: true })))
  })
  it('one call', async () => {
    await snapshot(
      'read',
      shown(oneStatement(projectId, 'x', wholeLine(callRead.body!.parse({ project_id, id: 'x' })))),
    )
  })
  it('usage', async () => {
    const { call_ids } = callsUsage.body!.parse({ project_id, call_ids: ['x'] })
    const starts = [{ trace_id: 't', started: 1_767_225_600_000_000 }]
    await snapshot(
      'usage',
      shown(startsStatement(projectId, call_ids), usageStatement(projectId, descendantConditions(starts))),
    )
  })
  it('statistics', async () => {
    const body = callStats.body!.parse({
      project_id,
      start: '2026-01-01T00:00:00Z',
      end: '2026-01-01T02:00:00Z',
      granularity: 3600,
      filter: { trace_roots_only: true },
      usage_metrics: [{ metric: 'total_tokens', aggregations: ['sum', 'avg'] }, { metric: 'total_cost' }],
      call_metrics: [{ metric: 'latency_ms', percentiles: [50] }, { metric: 'error_count' }],
    })
    const span = spanOf(body)
    const ranges = merged(rangesOf(span))
    const calls = callStatsStatement(body, span, callMeasures(body.call_metrics!), ranges)
    const usage = usageStatsStatement(body, span, usageMeasures(body.usage_metrics!), ranges)
    await snapshot('statistics', shown(calls, usage))
    await snapshot(
      'statistics-stamped',
      shown(stampedStatement(projectIdOf(body.project_id), span, ranges, calls)),
    )
    const groups = { ...body, group_by: 'op' as const }
    await snapshot(
      'statistics-by-op',
      shown(
        callStatsStatement(groups, span, callMeasures(body.call_metrics!), ranges),
        usageStatsStatement(groups, span, usageMeasures(body.usage_metrics!), ranges),
      ),
    )
  })
  it('facets', async () => {
    const query = { $expr: { $eq: [field('environment'), literal('test')] } }
    const body = callFacets.body!.parse({
      project_id,
      query: { $expr: { $gte: [field('started_at'), literal('2026-01-01T00:00:00Z')] } },
      facets: [
        { field: 'environment' },
        { field: 'summary.weave.latency_ms', kind: 'numbers', query },
        { field: 'feedback.[wandb.reaction.1].payload.emoji', query },
      ],
    })
    await snapshot('facets', shown(facetsStatement(body)))
  })
  it('threads', async () => {
    const body = threadsStreamQuery.body!.parse({
      project_id,
      filter: { after_datetime: '2026-01-01T00:00:00Z', thread_ids: ['t'] },
      sort_by: [{ field: 'turn_count', direction: 'asc' }],
      limit: 5,
      offset: 2,
    })
    await snapshot('threads', shown(threadsStatement(body)))
  })
})

describe('whatever a caller names', () => {
  const hostile = [
    "'",
    '"',
    '`',
    '\\',
    '\0',
    '--',
    '/*',
    '{p0:String}',
    '\n\n',
    ';',
    '\u2028',
    'DROP TABLE calls',
  ]
  it('is a bound value, never text', () => {
    for (const piece of hostile) {
      const name = `inputs.x${piece}y`
      const plain = page(where({ $eq: [field('inputs.xy'), literal('v')] }))
      const odd = page(where({ $eq: [field(name), literal(`v${piece}`)] }))
      const statement = (text: string) => text.split('\n-- p0')[0]
      expect(statement(odd)).toBe(statement(plain))
    }
  })
})

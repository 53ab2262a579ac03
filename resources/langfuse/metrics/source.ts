/** What Langfuse's metrics are computed of, view by view: the rows, their columns and their measures. Pure. */
import type { MetricsView } from '../../../contract/langfuse-metrics.js'
import { rowsOfBoth } from '../../../domain/calls/read/visible.js'
import { CALL_COLUMNS } from '../../../domain/calls/schema.js'
import type { SpanPlaces } from '../../../domain/calls/span-places.js'
import { pricesOf, totalCost } from '../../../domain/costs/expression.js'
import { COSTS } from '../../../domain/costs/rule.js'
import { modelsOf, usagesOf } from '../../../domain/costs/usages.js'
import { allOf, bind, commaList, ident, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import { callColumns, type Read, readBy, sentIn, sentText, traceColumns } from '../query/calls.js'
import type { Column, Columns } from '../query/column.js'
import { INPUT_COSTS, OUTPUT_COST } from '../query/costs.js'
import { OBSERVED, within } from '../reads/select.js'
import { payloadText, SCORE_COLUMNS, SCORE_NUMBER, SCORE_OBSERVATION } from '../scores/columns.js'
import { createdWithin, hasType, scoresOf } from '../scores/list.js'

/** A measure of the row itself, or one that is found by a key of the row in a table of `key` and `value`. */
export type Measure = ({ value: Sql } | { key: Sql; of: Found }) & { isPriced?: boolean }
/** Makes the table for rows that fulfil all conditions. */
type Found = (conditions: readonly Sql[]) => Sql

export interface Source extends Columns {
  measures: ReadonlyMap<string, Measure>
  /** columns that are of nearly as many values as there are rows */
  unique: readonly string[]
  /** the time of a row */
  at: Sql
  /** `columns` of the rows that fulfil all conditions */
  rows: (columns: Sql, conditions: readonly Sql[]) => Sql
  /** a WITH clause of `prices`, which measures that are priced need */
  prices: Sql
}

export interface Range {
  project: string
  from: string
  to: string
  /** where attributes of the project's spans are; absent: in their whole text */
  places?: SpanPlaces | undefined
}

const MEASURED = [
  ...['latency', 'inputTokens', 'outputTokens', 'totalTokens', 'tokensPerSecond'],
  ...['outputTokensPerSecond', 'timeToFirstToken', 'streamingLatency'],
]
/** What most columns and measures are read from: computed once, in a subquery, but for attributes that have places. */
const readOf = ({ project, places }: Range): Read => ({
  usages: sql`usages`,
  sent: places ? readBy(project, places).sent : (name) => sentIn(sql`sent`, name),
})
const COLUMNS = commaList(
  CALL_COLUMNS.filter(({ table }) => table === undefined).map(({ name }) => ident(name)),
)

/** `wanted` of calls that fulfil `early` and `conditions`; those are large, so they are written once for both tables. */
function callRows(
  { project, places }: Range,
  wanted: Sql,
  early: readonly Sql[],
  conditions: readonly Sql[],
): Sql {
  const sent = places ? [] : [sql`${sentText(project)} AS sent`]
  const columns = commaList([COLUMNS, sql`${usagesOf(sql`summary`)} AS usages`, ...sent])
  const where = conditions.length === 0 ? sql`` : sql` WHERE ${allOf(conditions)}`
  return sql`SELECT ${wanted} FROM (${rowsOfBoth(columns, projectIdOf(project), early)})${where}`
}

/** One answer counts once, though several spans tell of it. */
const costOf = (which: typeof COSTS) =>
  sql`if(repeats_usage = 0, ${totalCost(sql`prices`, sql`usages`, sql`started_at`, which)}, 0)`
const COST = costOf(COSTS)

export function sourceOf(view: MetricsView, range: Range): Source {
  if (view === 'observations') return observations(range)
  return view === 'traces' ? traces(range) : scores(view, range)
}

/** A WITH clause of the prices of the models that calls of a range used. */
function pricesFor(project: string, range: readonly Sql[]): Sql {
  const rows = rowsOfBoth(sql`summary`, projectIdOf(project), range)
  const models = sql`SELECT DISTINCT arrayJoin(${modelsOf(sql`summary`)}) AS model FROM (${rows})`
  return sql`WITH ${pricesOf(projectIdOf(project), models)} AS prices `
}

const scoreCount = (project: string, key: Sql) => sql`SELECT ${key} AS key, count() AS value
  ${scoresOf(project, [sql`${key} != ''`])} GROUP BY key`

function observations(range: Range): Source {
  const { project, from, to } = range
  const { columns, metadata } = callColumns(project, readOf(range))
  return {
    columns,
    metadata,
    measures: new Map<string, Measure>([
      ['count', { value: sql`1` }],
      ...MEASURED.map((name): [string, Measure] => [name, { value: columns.get(name)!.sql }]),
      ['inputCost', { value: costOf(INPUT_COSTS), isPriced: true }],
      ['outputCost', { value: costOf([OUTPUT_COST]), isPriced: true }],
      ['totalCost', { value: COST, isPriced: true }],
      ['countScores', { key: sql`id`, of: () => scoreCount(project, SCORE_OBSERVATION) }],
    ]),
    unique: ['id', 'traceId', 'userId', 'sessionId', 'parentObservationId'],
    at: sql`started_at`,
    rows: (wanted, conditions) => callRows(range, wanted, [...within(from, to), OBSERVED], conditions),
    prices: pricesFor(project, within(from, to)),
  }
}

function traces(range: Range): Source {
  const { project, from, to } = range
  const { columns, metadata } = traceColumns(project, readOf(range))
  const ofCalls = callColumns(project, readOf(range)).columns
  const rows: Source['rows'] = (wanted, conditions) =>
    callRows(range, wanted, [...within(from, to), sql`parent_id = ''`], conditions)
  /** Of the observations of the chosen traces. */
  const sum = (value: Sql) => ({
    key: sql`trace_id`,
    of: (conditions: readonly Sql[]) => {
      const inside = sql`trace_id IN (${rows(sql`trace_id`, conditions)})`
      const own = sql`trace_id, ${value} AS own`
      return sql`SELECT trace_id AS key, sum(own) AS value
        FROM (${callRows(range, own, [...within(from, undefined), OBSERVED], [inside])}) GROUP BY key`
    },
  })
  return {
    columns,
    metadata,
    measures: new Map<string, Measure>([
      ['count', { value: sql`1` }],
      ['latency', { value: columns.get('latency')!.sql }],
      ['observationsCount', sum(sql`1`)],
      ['totalTokens', sum(ofCalls.get('totalTokens')!.sql)],
      ['totalCost', { ...sum(COST), isPriced: true }],
      ['scoresCount', { key: sql`trace_id`, of: () => scoreCount(project, payloadText('traceId')) }],
    ]),
    unique: ['id'],
    at: sql`started_at`,
    rows,
    prices: pricesFor(project, within(from, undefined)),
  }
}

const TYPES = {
  'scores-numeric': ['NUMERIC', 'BOOLEAN'],
  'scores-boolean': ['BOOLEAN'],
  'scores-categorical': ['CATEGORICAL'],
} as const

function scores(view: keyof typeof TYPES, { project, from, to }: Range): Source {
  const month = (format: string): Column => ({
    ...{ type: 'text', sql: sql`formatDateTime(created_at, ${bind.string(format)}, 'UTC')` },
  })
  const isText = view === 'scores-categorical'
  const columns = new Map(SCORE_COLUMNS.columns)
  columns.delete(isText ? 'value' : 'stringValue')
  columns.set('timestampMonth', month('%Y-%m')).set('timestampDay', month('%Y-%m-%d'))
  if (view === 'scores-boolean') columns.set('booleanValue', { type: 'bool', sql: sql`${SCORE_NUMBER} = 1` })
  const times = { fromTimestamp: from, toTimestamp: to }
  return {
    columns,
    measures: new Map<string, Measure>([
      ['count', { value: sql`1` }],
      ...(isText ? [] : [['value', { value: SCORE_NUMBER }] as const]),
    ]),
    unique: ['id', 'traceId', 'observationId', 'sessionId', 'userId'],
    at: sql`created_at`,
    rows: (wanted, conditions) =>
      sql`SELECT ${wanted} ${scoresOf(project, [...createdWithin(times), hasType(TYPES[view]), ...conditions])}`,
    prices: sql``,
  }
}

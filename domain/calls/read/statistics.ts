/**
 * The one statement of statistics: rows are grouped by keys, and aggregated. Lists of groups, statistics over time and what
 * alerts and metrics measure are compiled by it. Pure.
 */
import type { AgentAggregation } from '../../../contract/agents.js'
import type { Aggregation } from '../../../contract/calls-read.js'
import { allOf, bind, commaList, ident, Sql, sql } from '../../../platform/clickhouse/sql.js'
import { bucketOf, type Span } from './span.js'

/** What rows are grouped by: a column of the result, and its value. */
export type Key = readonly [column: string, value: Sql]

/** What is asked of groups. */
export interface Statistics {
  keys: readonly Key[]
  /** aggregates, with their columns */
  columns: readonly Sql[]
  /** FROM and WHERE; those of some rows depend on what is selected, since it may need joins */
  from: Sql | ((selected: Sql) => Sql)
  /** conditions on groups; default: none */
  having?: readonly Sql[]
  /** default: any order */
  order?: readonly Sql[]
}

/** A row for each group: its keys and aggregates. */
export function statistics({ keys, columns, from, having = [], order = [] }: Statistics): Sql {
  const selected = commaList([
    ...keys.map(([column, value]) => sql`${value} AS ${ident(column)}`),
    ...columns,
  ])
  const limits = having.length === 0 ? sql`` : sql` HAVING ${allOf(having)}`
  const by = keys.length === 0 ? sql`` : sql` GROUP BY ${columnsNamed(keys)}`
  const terms = commaList(order)
  const sorted = terms.empty ? sql`` : sql` ORDER BY ${terms}`
  return sql`SELECT ${selected} ${from instanceof Sql ? from : from(sql`${selected}${limits}`)}${by}${limits}${sorted}`
}

/** The columns of keys. */
export const columnsNamed = (keys: readonly Key[]): Sql => commaList(keys.map(([column]) => ident(column)))

/** The key of statistics over time: the start of the bucket, in seconds. */
export const inBucket = (time: Sql, span: Span): Key => ['bucket', bucketOf(time, span)]

/** Aggregates as columns `m0`, `m1`, … */
export const measured = (wanted: readonly { aggregate: Sql }[]): Sql[] =>
  wanted.map(({ aggregate }, i) => sql`${aggregate} AS ${ident(`m${i}`)}`)

/** SELECT of the largest groups among `rows`, whose group is `named`. @param each what rows are unfolded to: ARRAY JOIN */
export const largest = (rows: Sql, most: number, size = sql`count()`, each = sql``): Sql =>
  sql`SELECT named FROM (${rows}) ${each} GROUP BY named ORDER BY ${size} DESC, named LIMIT ${bind.uint(most)}`

/** Each over a nullable value. */
export const AGGREGATES: Record<Aggregation | AgentAggregation, (value: Sql) => Sql> = {
  sum: (value) => sql`sum(${value})`,
  avg: (value) => sql`avg(${value})`,
  min: (value) => sql`min(${value})`,
  max: (value) => sql`max(${value})`,
  count: (value) => sql`count(${value})`,
  count_true: (value) => sql`countIf(${value} != 0)`,
  count_false: (value) => sql`countIf(${value} = 0)`,
  count_distinct: (value) => sql`uniq(${value})`,
}

/** The result of each over no values. */
export const EMPTY: Record<keyof typeof AGGREGATES, 0 | null> = {
  sum: 0,
  avg: null,
  min: null,
  max: null,
  count: 0,
  count_true: 0,
  count_false: 0,
  count_distinct: 0,
}

/** An aggregate of a value. */
interface Aggregated<Name extends string> {
  /** `sum`, `p50`, … */
  name: Name | `p${number}`
  aggregate: Sql
  empty: 0 | null
}

/** What is asked about a value: aggregations and percentiles. @param valueFor the value, as each of them takes it */
export function aggregatesOf<Name extends keyof typeof AGGREGATES>(
  aggregations: readonly Name[],
  percentiles: readonly number[],
  valueFor: (name: Name | 'avg') => Sql,
): Aggregated<Name>[] {
  return [
    ...aggregations.map((name) => ({
      name,
      aggregate: AGGREGATES[name](valueFor(name)),
      empty: EMPTY[name],
    })),
    ...percentiles.map((percent) => ({
      name: `p${percent}` as const,
      aggregate: sql`quantileExactInclusive(${bind.float(percent / 100)})(${valueFor('avg')})`,
      empty: null,
    })),
  ]
}

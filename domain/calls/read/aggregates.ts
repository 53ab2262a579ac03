/** SQL for the aggregations of statistics, each over a nullable value. Pure. */
import type { AgentAggregation } from '../../../contract/agents.js'
import type { Aggregation } from '../../../contract/calls-read.js'
import { bind, type Sql, sql } from '../../../platform/clickhouse/sql.js'

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

/** SQL for the aggregations of statistics, each over a nullable value. Pure. */

import type { Aggregation } from '../../../contract/calls-read.js'
import { type Sql, sql } from '../../../platform/clickhouse/sql.js'

export const AGGREGATES: Record<Aggregation, (value: Sql) => Sql> = {
  sum: (value) => sql`sum(${value})`,
  avg: (value) => sql`avg(${value})`,
  min: (value) => sql`min(${value})`,
  max: (value) => sql`max(${value})`,
  count: (value) => sql`count(${value})`,
  count_true: (value) => sql`countIf(${value} != 0)`,
  count_false: (value) => sql`countIf(${value} = 0)`,
}

/** The result of each over no values. */
export const EMPTY: Record<Aggregation, 0 | null> = {
  sum: 0,
  avg: null,
  min: null,
  max: null,
  count: 0,
  count_true: 0,
  count_false: 0,
}

import { refIn } from '../../contract/ref.js'
import { COUNTS } from '../../domain/calls/one-answer.js'
import { visible } from '../../domain/calls/read/visible.js'
import { pricesOf, totalCost } from '../../domain/costs/expression.js'
import { modelsOf, usagesOf } from '../../domain/costs/usages.js'
import { mark } from '../../domain/evaluation/ops-sql.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'
import { today } from '../../platform/time/iso.js'

/**
 * By monitor, in the currency of the prices; those whose scores cost nothing are left out. What has no price costs nothing.
 * @param projectId internal
 */
export async function spentToday(
  store: Store,
  projectId: string,
  options: StatementOptions = {},
): Promise<Map<string, number>> {
  const rows = await store.rows<{ monitor: string; cost: number }>(costOfScores(projectId, today()), options)
  const spent = new Map<string, number>()
  for (const { monitor, cost } of rows) {
    const ref = refIn(monitor)
    if (ref?.kind !== 'object') continue
    spent.set(ref.name, (spent.get(ref.name) ?? 0) + cost)
  }
  return spent
}

/** @param day YYYY-MM-DD, UTC */
function costOfScores(projectId: string, day: string): Sql {
  const since = sql`started_at >= toDateTime64(${bind.string(`${day} 00:00:00`)}, 6, 'UTC')`
  const scores = [
    since,
    sql`position(op_name, ${bind.string('.score:')}) > 0`,
    sql`position(summary, ${bind.string('"usage"')}) > 0`,
    COUNTS,
  ]
  const models = sql`SELECT DISTINCT arrayJoin(${modelsOf(sql`summary`)}) AS model
    ${visible('calls', projectId, scores, [since])}`
  return sql`WITH ${pricesOf(projectId, models)} AS prices
    SELECT monitor, sum(coalesce(${totalCost(sql`prices`, sql`usages`, sql`started_at`)}, 0)) AS cost
    FROM (SELECT ${mark('monitor')} AS monitor, ${usagesOf(sql`summary`)} AS usages, started_at
      ${visible('calls', projectId, scores, [since])})
    WHERE monitor != '' GROUP BY monitor HAVING cost > 0`
}

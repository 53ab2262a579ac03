/** SQL that formats times for answers: ISO 8601, UTC, `Z`, µs if not zero. */
import { type Sql, sql } from '../../platform/clickhouse/sql.js'

/** The text of a DateTime64(6); NULL stays NULL. */
export function isoText(time: Sql): Sql {
  return sql`replaceOne(formatDateTime(${time}, '%Y-%m-%dT%H:%i:%S.%fZ', 'UTC'), '.000000Z', 'Z')`
}

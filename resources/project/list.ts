/** SQL that lists projects. Pure. */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Grant } from '../../platform/http/principal.js'

/** One row a project that somebody with these grants may read, by name. */
export function projectsOf(grants: readonly Grant[]): Sql {
  const scopes = bind.strings(grants.map(({ scope }) => scope))
  return sql`SELECT name AS project_id, formatDateTime(min(created_at), '%Y-%m-%dT%H:%i:%S.%fZ') AS created_at
    FROM projects
    WHERE has(${scopes}, '*') OR has(${scopes}, name) OR has(${scopes}, splitByChar('/', name)[1])
    GROUP BY name ORDER BY name LIMIT 10000`
}

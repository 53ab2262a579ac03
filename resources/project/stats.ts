/** SQL that sums the bytes a project stores. Pure. */

import { callsOf } from '../../domain/calls/calls-of.js'
import { oneRow } from '../../domain/calls/unsettled.js'
import { folded } from '../../domain/objects/versions-sql.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { ofProject } from '../objects/labels-sql.js'

/** What is summed. */
export type Stored = 'traces' | 'objects' | 'tables' | 'files'

/** One row with the column `bytes`. @param project internal id */
export function storedBytes(what: Stored, project: string): Sql {
  const where = ofProject(project)
  switch (what) {
    case 'traces':
      return sql`SELECT sum(bytes) AS bytes FROM (
        SELECT bytes FROM calls_open WHERE ${where} AND ${oneRow('calls_open', project)}
        UNION ALL SELECT bytes FROM ${callsOf(project)} WHERE ${where} AND ${oneRow('calls', project)})`
    case 'objects':
      return sql`SELECT sum(bytes) AS bytes FROM (${folded(where)}) WHERE live`
    case 'tables':
      return sql`SELECT sum(bytes) AS bytes FROM table_rows WHERE project_id = ${bind.string(project)}`
    case 'files':
      return sql`SELECT sum(bytes) AS bytes FROM (SELECT any(bytes) AS bytes FROM files
        WHERE ${where} AND chunk = 0 GROUP BY digest)`
  }
}

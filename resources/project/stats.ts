/** SQL that sums the bytes a project stores. Pure. */

import { rowsOfBoth } from '../../domain/calls/read/visible.js'
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
      return sql`SELECT sum(bytes) AS bytes FROM (${rowsOfBoth(sql`bytes`, project, [])})`
    case 'objects':
      return sql`SELECT sum(bytes) AS bytes FROM (${folded(where)}) WHERE live`
    case 'tables':
      return sql`SELECT sum(bytes) AS bytes FROM table_rows WHERE project_id = ${bind.string(project)}`
    case 'files':
      return sql`SELECT sum(bytes) AS bytes FROM (SELECT any(bytes) AS bytes FROM files
        WHERE ${where} AND chunk = 0 GROUP BY digest)`
  }
}

/** The statement that reads one call by its id. Pure. */

import type { CallReadReq } from '../../contract/calls-read.js'
import { chosenColumns } from '../../domain/calls/read/columns.js'
import { callLine, type LineOptions, lineColumns } from '../../domain/calls/read/line.js'
import { baseColumns, bothTables, definitions, traceSizes, visible } from '../../domain/calls/read/page.js'
import { costsOfCalls } from '../../domain/costs/expression.js'
import { bind, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../platform/ids/project.js'

/** One row, one column: the whole answer. */
export function readStatement(request: CallReadReq): Sql {
  const projectId = projectIdOf(request.project_id)
  const id = sql`id = ${bind.string(request.id)}`
  const line: LineOptions = {
    project: request.project_id,
    columns: chosenColumns(null),
    whole: 'all',
    storageSize: request.include_storage_size === true,
    usernames: false,
    traceSize: request.include_total_storage_size === true,
    costs: request.include_costs === true ? costsOfCalls(projectId) : undefined,
  }
  const rows = bothTables((table) => {
    const columns = join([...baseColumns(table), ...lineColumns(line)], sql`, `)
    return sql`SELECT ${columns} ${visible(table, projectId, [id])}`
  })
  const ofTrace = sql`trace_id IN (${bothTables((table) => sql`SELECT trace_id ${visible(table, projectId, [id])}`)})`
  return sql`${definitions(line)}SELECT concat('{"call":', if(count() = 0, 'null', argMax(line, (ver, whole))), '}') AS answer FROM (
  SELECT ver, whole, ${callLine(line)} AS line FROM (
  ${rows}) AS seen
  ${traceSizes(projectId, line, [ofTrace])})`
}

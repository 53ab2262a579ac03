/** The statement that reads one call by its id. Pure. */
import { bind, join, type Sql, sql } from '../../common/clickhouse/sql.js'
import type { CallReadReq } from '../../common/contract/calls-read.js'
import { projectIdOf } from '../../common/ids/project.js'
import { costsOfCalls } from '../costs/expression.js'
import { chosenColumns } from './columns.js'
import { callLine, type LineOptions, lineColumns } from './line.js'
import { baseColumns, bothTables, definitions, traceSizes, visible } from './page.js'

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

import { projectSql, sqlTables } from '../../contract/sql.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import { FORMATS, type ProjectSql } from './project-sql.js'
import { VIEWS } from './views.js'

export function sqlRoutes(statements: ProjectSql): Bound[] {
  const run = serve(projectSql, async ({ body, principal, signal }) => {
    const { project_id: project, query, format, params } = body
    const given = Object.entries({
      seconds: body.limits?.seconds,
      readRows: body.limits?.read_rows,
      readBytes: body.limits?.read_bytes,
      resultRows: body.limits?.result_rows,
      resultBytes: body.limits?.result_bytes,
    }).filter(([, most]) => most != null)
    const limits = Object.fromEntries(given)
    const request = { project, query, format, params, limits }
    return new Reply(200, FORMATS[format].type, await statements.run(request, principal.caller, signal))
  })
  const tables = serve(sqlTables, () => ({
    tables: VIEWS.map(({ name, doc, columns }) => ({
      name,
      description: doc,
      columns: columns.map((one) => ({ name: one.name, type: one.type, description: one.doc })),
    })),
  }))
  return [run, tables]
}

import { filesStats } from '../../contract/files.js'
import { listProjects, type ProjectsQuery, projectStats } from '../../contract/project.js'
import { rowsOfBoth } from '../../domain/calls/read/visible.js'
import { folded } from '../../domain/objects/versions-sql.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Grant } from '../../platform/http/principal.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { ofProject } from '../objects/labels-sql.js'
import type { Parts } from '../parts.js'

interface Project {
  project_id: string
  created_at: string
}

export function projectRoutes({ store }: Parts): Bound[] {
  const sum = async (wanted: boolean | null, what: Stored, project: string) => {
    if (wanted === false) return 0
    return Number((await store.row<{ bytes: number }>(storedBytes(what, project)))?.bytes ?? 0)
  }
  return [
    serve(listProjects, async ({ principal, query }) => {
      const rows = await store.rows<Project>(projectsOf(principal.whole.grants, query))
      const projects = rows.slice(0, query.limit)
      return { projects, next_cursor: rows.length > projects.length ? projects.at(-1)!.project_id : null }
    }),
    serve(projectStats, async ({ body }) => {
      const project = projectIdOf(body.project_id)
      const [traces, objects, tables, files] = await Promise.all([
        sum(body.include_trace_storage_size, 'traces', project),
        sum(body.include_object_storage_size, 'objects', project),
        sum(body.include_table_storage_size, 'tables', project),
        sum(body.include_file_storage_size, 'files', project),
      ])
      return {
        trace_storage_size_bytes: traces,
        // Spans are stored as calls.
        spans_storage_size_bytes: 0,
        objects_storage_size_bytes: objects,
        tables_storage_size_bytes: tables,
        files_storage_size_bytes: files,
      }
    }),
    serve(filesStats, async ({ body }) => ({
      total_size_bytes: await sum(true, 'files', projectIdOf(body.project_id)),
    })),
  ]
}

/** A page of the projects that somebody with these grants may read, by name, and one more if there is one. */
function projectsOf(grants: readonly Grant[], { search, limit, cursor }: ProjectsQuery): Sql {
  const scopes = bind.strings(grants.map(({ scope }) => scope))
  return sql`SELECT name AS project_id, formatDateTime(min(created_at), '%Y-%m-%dT%H:%i:%S.%fZ') AS created_at
    FROM projects
    WHERE (has(${scopes}, '*') OR has(${scopes}, name) OR has(${scopes}, splitByChar('/', name)[1]))
      AND name > ${bind.string(cursor)} AND positionCaseInsensitiveUTF8(name, ${bind.string(search)}) > 0
    GROUP BY name ORDER BY name LIMIT ${bind.int(limit + 1)}`
}

/** What is summed. */
type Stored = 'traces' | 'objects' | 'tables' | 'files'

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

/** `heddle projects`: the projects of the store, or of a server. */
import { listProjects } from '../../contract/project.js'
import { sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { type AnswerTo, answerOf } from '../contract-client.js'
import type { Target } from '../http-client.js'
import { list, type Shown } from '../shown.js'

interface Project {
  project: string
  /** ISO 8601; null: it has no calls */
  newest_call: string | null
}

/** Those that the key of `to` may read, by name. */
export async function projectsOf(to: Target): Promise<Shown> {
  const shown: { project: string; created_at: string }[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: AnswerTo<typeof listProjects> = await answerOf(to, listProjects, undefined, {
      query: { cursor },
    })
    for (const { project_id: project, created_at } of page.projects) shown.push({ project, created_at })
    // An older server has no pages.
    cursor = page.next_cursor ?? null
  }
  return list(
    shown,
    ['PROJECT', 'CREATED'],
    ({ project, created_at }) => [project, created_at],
    'no projects',
  )
}

/** Those with the newest calls first. */
export async function projectList(store: Store): Promise<Shown> {
  const projects = await store.rows<Project>(sql`
    SELECT name AS project, if(newest = 0, NULL, formatDateTime(newest, '%Y-%m-%dT%H:%i:%SZ')) AS newest_call
    FROM (SELECT DISTINCT project_id, name FROM projects) AS projects
    LEFT JOIN (
      SELECT project_id, max(started_at) AS newest
      FROM (SELECT project_id, started_at FROM calls UNION ALL SELECT project_id, started_at FROM calls_open)
      GROUP BY project_id
    ) AS calls USING (project_id)
    ORDER BY newest DESC, project`)
  return list(
    projects,
    ['PROJECT', 'NEWEST CALL'],
    ({ project, newest_call: newest }) => [project, newest ?? '-'],
    'no projects',
  )
}

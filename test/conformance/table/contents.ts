/** Everything that the lists of a project show, to tell whether a request changed anything. */
import type { Row } from '../../support/api.js'
import type { World } from './operation.js'

const TABLES_ALONE = {
  include_trace_storage_size: false,
  include_object_storage_size: false,
  include_file_storage_size: false,
}

/** Two of these are equal exactly when nobody who reads the project could tell a difference. */
export async function contentsOf({ api, project }: World): Promise<Record<string, unknown>> {
  const body = { project_id: project }
  const sorted = (rows: Row[]) => rows.map((row) => JSON.stringify(row)).sort()
  const queues = api.lines('/annotation_queues/query', body)
  const itemsOf = ({ id }: Row) => api.ok(`/annotation_queues/${id}/items/query`, body)
  const parts = {
    // Far more than a test writes: a page costs the engine a fifth of what a list without an end does.
    calls: api.calls(project, { limit: 1_000 }).then(sorted),
    objects: api.ok('/objs/query', { ...body, include_tags_and_aliases: true }),
    costs: api.ok('/cost/query', body),
    feedback: api.ok('/feedback/query', body),
    queues,
    items: queues.then((all) => Promise.all(all.map(itemsOf))),
    // The rows of tables have no list. What the other sizes are of has one above.
    sizes: api.ok('/project/stats', { ...body, ...TABLES_ALONE }),
    files: api.ok('/files/query_stats', body),
  }
  const values = await Promise.all(Object.values<Promise<unknown>>(parts))
  return Object.fromEntries(Object.keys(parts).map((name, i) => [name, values[i]]))
}

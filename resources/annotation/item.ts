/** An item as the table and its neighbours give it and as answers do, and the SQL that lists items. Pure. */
import type { AnnotationQueueItem, AnnotationState, ItemsQuery } from '../../contract/annotation.js'
import { columnTerms, orderBy, pageOf } from '../../domain/lists/sql.js'
import { bind, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { derivedId } from '../../platform/ids/derived.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { isoOfMicros, isoOrNull } from '../../platform/time/iso.js'

export interface ItemRow {
  id: string
  call_id: string
  started_us: number
  ended_us: number
  call_op_name: string
  call_trace_id: string
  display_fields: string[]
  added_by: string
  created_us: number
  state: AnnotationState
  annotator: string
  updated_us: number
  position: number
}

const EQUAL = new Map([
  ['id', sql`id`],
  ['call_id', sql`call_id`],
  ['call_op_name', sql`call_op_name`],
  ['call_trace_id', sql`call_trace_id`],
  ['added_by', sql`added_by`],
] as const)
const SORTABLE = new Map([
  ...EQUAL,
  ['call_started_at', sql`call_started_at`],
  ['call_ended_at', sql`call_ended_at`],
  ['created_at', sql`created_at`],
  ['updated_at', sql`updated_us`],
  ['annotation_state', sql`state`],
])

/**
 * SQL of the items of a queue.
 * @param whose state they have; absent: the newest over all annotators
 * @throws 422 for a field to sort by
 */
export function listItems(
  queueId: string,
  query: Omit<ItemsQuery, 'include_position' | 'own_progress'>,
  whose?: string,
): Sql {
  const projectId = bind.string(projectIdOf(query.project_id))
  const queue = bind.string(queueId)
  const { filter, sort_by, limit, offset } = query
  // What items have themselves is looked for before their progress is: one item costs no walk over the queue.
  const equal = [...EQUAL].flatMap(([field, column]) => {
    const value = filter?.[field] ?? null
    return value === null ? [] : [sql` AND ${column} = ${bind.string(value)}`]
  })
  const one = filter?.id == null ? sql`` : sql` AND item_id = ${bind.string(filter.id)}`
  const own = whose === undefined ? sql`` : sql` AND annotator_id = ${bind.string(whose)}`
  const states = filter?.annotation_states ?? []
  const wanted = states.length > 0 ? sql`WHERE state IN ${bind.strings(states)}` : sql``
  const terms = columnTerms(sort_by ?? [], SORTABLE)
  const order = orderBy(terms, terms.length > 0 ? [sql`id`] : [sql`created_at`, sql`id`])
  return sql`SELECT id, call_id, toUnixTimestamp64Micro(call_started_at) AS started_us,
    toUnixTimestamp64Micro(call_ended_at) AS ended_us, call_op_name, call_trace_id, display_fields, added_by,
    toUnixTimestamp64Micro(created_at) AS created_us, state, annotator, updated_us,
    row_number() OVER (ORDER BY ${order}) AS position
  FROM (
    SELECT items.*, if(progress.item_id = '', 'unstarted', progress.newest) AS state,
      progress.annotator AS annotator,
      if(progress.item_id = '', toUnixTimestamp64Micro(created_at), progress.changed_us) AS updated_us
    FROM (
      SELECT * FROM annotation_queue_items FINAL
      WHERE project_id = ${projectId} AND queue_id = ${queue}${join(equal, sql``)}
    ) AS items
    LEFT JOIN (
      SELECT item_id, toString(argMax(state, (updated_at, ver))) AS newest,
        argMax(annotator_id, (updated_at, ver)) AS annotator, toUnixTimestamp64Micro(max(updated_at)) AS changed_us
      FROM annotation_progress FINAL
      WHERE project_id = ${projectId} AND queue_id = ${queue}${one}${own}
      GROUP BY item_id
    ) AS progress ON items.id = progress.item_id
  )
  ${wanted}
  ORDER BY position${pageOf(limit, offset)}`
}

/** The id of a call's item in a queue: the same each time. */
export const itemIdOf = (queueId: string, callId: string) => derivedId(`${queueId}\n${callId}`)

/** @param positions whether the answer tells them */
export function itemOf(
  project: string,
  queueId: string,
  row: ItemRow,
  positions: boolean,
): AnnotationQueueItem {
  return {
    id: row.id,
    project_id: project,
    queue_id: queueId,
    call_id: row.call_id,
    call_started_at: isoOfMicros(row.started_us),
    call_ended_at: isoOrNull(row.ended_us),
    call_op_name: row.call_op_name,
    call_trace_id: row.call_trace_id,
    display_fields: row.display_fields,
    added_by: row.added_by,
    annotation_state: row.state,
    annotator_user_id: row.annotator || null,
    created_at: isoOfMicros(row.created_us),
    created_by: row.added_by,
    updated_at: isoOfMicros(row.updated_us),
    deleted_at: null,
    position_in_queue: positions ? row.position : null,
  }
}

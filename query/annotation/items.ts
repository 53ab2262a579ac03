/** Items of a queue and each annotator's progress on them. Knows nothing of HTTP or of how calls are stored inside. */
import { createHash } from 'node:crypto'
import { bind, sql } from '../../common/clickhouse/sql.js'
import type { Store } from '../../common/clickhouse/store.js'
import type { AnnotationQueueItem, AnnotationState } from '../../common/contract/annotation.js'
import { errors } from '../../common/errors/catalog.js'
import { projectIdOf } from '../../common/ids/project.js'
import type { Leases } from '../../common/leases/lease.js'
import { isoOfMicros, isoOrNull, nowMicros } from '../../common/time/iso.js'
import { type Order, orderBy, pageOf } from './queues.js'
import { decide } from './state.js'

interface ItemRow {
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

/** What a list of items may be narrowed by; absent and null mean no condition. */
export interface ItemFilter {
  id?: string | null | undefined
  call_id?: string | null | undefined
  call_op_name?: string | null | undefined
  call_trace_id?: string | null | undefined
  added_by?: string | null | undefined
  annotation_states?: AnnotationState[] | null | undefined
}

const SORTABLE = new Set([
  'id',
  'call_id',
  'call_started_at',
  'call_ended_at',
  'call_op_name',
  'call_trace_id',
  'added_by',
  'created_at',
  'updated_at',
  'annotation_state',
])
const EQUAL = ['id', 'call_id', 'call_op_name', 'call_trace_id', 'added_by'] as const

export class Items {
  constructor(
    private readonly store: Store,
    private readonly leases: Leases,
  ) {}

  /** Puts calls into a queue. Unknown calls are left out; those already there are counted as duplicates. */
  async add(
    project: string,
    queueId: string,
    userId: string,
    callIds: readonly string[],
    displayFields: string[],
  ) {
    const projectId = projectIdOf(project)
    const ids = [...new Set(callIds)]
    const repeated = callIds.length - ids.length
    const [queued, calls] = await Promise.all([
      this.store.rows<{ call_id: string }>(sql`
        SELECT call_id FROM annotation_queue_items FINAL
        WHERE project_id = ${bind.string(projectId)} AND queue_id = ${bind.string(queueId)}
          AND id IN ${bind.strings(ids.map((id) => itemIdOf(queueId, id)))}`),
      this.store.rows<{ id: string; started: string; ended: string; op: string; trace: string }>(sql`
        SELECT id, toString(started_at) AS started, toString(ended_at) AS ended, op_name AS op, trace_id AS trace
        FROM (
          SELECT id, started_at, ended_at, op_name, trace_id, ver FROM calls
          WHERE project_id = ${bind.string(projectId)} AND id IN ${bind.strings(ids)}
          UNION ALL
          SELECT id, started_at, ended_at, op_name, trace_id, ver FROM calls_open
          WHERE project_id = ${bind.string(projectId)} AND id IN ${bind.strings(ids)} AND kind = 'start'
        )
        ORDER BY ver DESC LIMIT 1 BY id`),
    ])
    const known = new Map(calls.map((call) => [call.id, call]))
    const before = new Set(queued.map((item) => item.call_id))
    const now = nowMicros()
    const rows = ids.flatMap((id, i) => {
      const call = known.get(id)
      if (!call || before.has(id)) return []
      return {
        project_id: projectId,
        queue_id: queueId,
        id: itemIdOf(queueId, id),
        call_id: id,
        call_started_at: call.started,
        call_ended_at: call.ended,
        call_op_name: call.op,
        call_trace_id: call.trace,
        display_fields: displayFields,
        added_by: userId,
        // One µs apart, so that the order of the request is the order of the queue.
        created_at: isoOfMicros(now + i),
        ver: String(2n ** 63n - BigInt(now + i)),
      }
    })
    await this.store.insertRows('annotation_queue_items', rows)
    return {
      added_count: rows.length,
      duplicates: before.size + (before.size > 0 || rows.length > 0 ? repeated : 0),
    }
  }

  /** The items of a queue with the newest state over all annotators. */
  async list(
    project: string,
    queueId: string,
    options: {
      filter: ItemFilter
      orders: readonly Order[]
      limit?: number | null | undefined
      offset?: number | null | undefined
      positions: boolean
    },
  ): Promise<AnnotationQueueItem[]> {
    const { filter, orders } = options
    const projectId = bind.string(projectIdOf(project))
    let where = sql``
    for (const field of EQUAL) {
      const value = filter[field]
      if (value != null) where = sql`${where} AND ${COLUMN[field]} = ${bind.string(value)}`
    }
    if (filter.annotation_states?.length)
      where = sql`${where} AND state IN ${bind.strings(filter.annotation_states)}`
    const order = orderBy(orders, sql`created_at ASC, id ASC`, SORTABLE)
    const rows = await this.store.rows<ItemRow>(sql`
      SELECT id, call_id, toUnixTimestamp64Micro(call_started_at) AS started_us,
        toUnixTimestamp64Micro(call_ended_at) AS ended_us, call_op_name, call_trace_id, display_fields, added_by,
        toUnixTimestamp64Micro(created_at) AS created_us, state, annotator, updated_us,
        row_number() OVER (ORDER BY ${order}) AS position
      FROM (
        SELECT items.*, if(progress.item_id = '', 'unstarted', progress.newest) AS state,
          state AS annotation_state, progress.annotator AS annotator,
          if(progress.item_id = '', toUnixTimestamp64Micro(created_at), progress.updated_us) AS updated_us,
          updated_us AS updated_at
        FROM (
          SELECT * FROM annotation_queue_items FINAL
          WHERE project_id = ${projectId} AND queue_id = ${bind.string(queueId)}
        ) AS items
        LEFT JOIN (
          SELECT item_id, toString(argMax(state, (updated_at, ver))) AS newest,
            argMax(annotator_id, (updated_at, ver)) AS annotator, toUnixTimestamp64Micro(max(updated_at)) AS updated_us
          FROM annotation_progress FINAL
          WHERE project_id = ${projectId} AND queue_id = ${bind.string(queueId)}
          GROUP BY item_id
        ) AS progress ON items.id = progress.item_id
      )
      WHERE 1 ${where}
      ORDER BY position
      ${pageOf(options.limit, options.offset)}`)
    return rows.map((row) => itemOf(project, queueId, row, options.positions))
  }

  /**
   * Moves an item on in one annotator's progress and returns it with that annotator's state.
   * @throws 404 for an unknown item, 400 for a move that the states do not allow
   */
  async progress(
    project: string,
    queueId: string,
    itemId: string,
    userId: string,
    to: string,
  ): Promise<AnnotationQueueItem> {
    const projectId = projectIdOf(project)
    const one = { filter: { id: itemId }, orders: [], positions: false }
    return this.leases.hold(`annotation/${projectId}/${itemId}/${userId}`, async (fence) => {
      const [items, mine] = await Promise.all([
        this.list(project, queueId, one),
        this.store.row<{ state: AnnotationState }>(sql`
          SELECT state FROM annotation_progress FINAL
          WHERE project_id = ${bind.string(projectId)} AND queue_id = ${bind.string(queueId)}
            AND item_id = ${bind.string(itemId)} AND annotator_id = ${bind.string(userId)}`),
      ])
      if (items.length === 0) throw errors.notFound(`The item "${itemId}" of annotation queue "${queueId}"`)
      const from = mine?.state ?? 'unstarted'
      const move = decide(from, to)
      if (move === 'refuse')
        throw errors.badRequest(
          `An item that is ${from} can't become "${to}"; see the states of annotation queues.`,
        )
      if (move === 'stay') return items[0]!
      await this.store.insertRows('annotation_progress', [
        {
          project_id: projectId,
          queue_id: queueId,
          item_id: itemId,
          annotator_id: userId,
          state: to,
          updated_at: isoOfMicros(nowMicros()),
          ver: String(fence),
        },
      ])
      return (await this.list(project, queueId, one))[0]!
    })
  }
}

const COLUMN = {
  id: sql`id`,
  call_id: sql`call_id`,
  call_op_name: sql`call_op_name`,
  call_trace_id: sql`call_trace_id`,
  added_by: sql`added_by`,
}

/** The id of a call's item in a queue: the same each time, in the shape of a UUID. */
function itemIdOf(queueId: string, callId: string): string {
  const hex = createHash('sha256').update(`${queueId}\n${callId}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function itemOf(project: string, queueId: string, row: ItemRow, positions: boolean): AnnotationQueueItem {
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

/** Items of a queue and each annotator's progress on them. */

import type { AnnotationQueueItem, AnnotationState, ItemsQuery } from '../../contract/annotation.js'
import { newestOf, rowsOfBoth } from '../../domain/calls/read/visible.js'
import { mapPieces } from '../../domain/lists/json.js'
import { streamRows } from '../../platform/clickhouse/row-stream.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Limits, Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { projectIdOf } from '../../platform/ids/project.js'
import type { Leases } from '../../platform/leases/lease.js'
import { isoOfMicros, nowMicros } from '../../platform/time/iso.js'
import { type ItemRow, itemIdOf, itemOf, listItems } from './item.js'

/** What an item keeps of its call. */
interface CallFacts {
  id: string
  started: string
  ended: string
  op: string
  trace: string
}

/** Who puts which calls where. */
export interface Addition {
  project: string
  queueId: string
  userId: string
  callIds: readonly string[]
  displayFields: readonly string[]
}

export class Items {
  constructor(
    private readonly store: Store,
    private readonly leases: Leases,
    private readonly limits: Limits,
  ) {}

  /**
   * Puts calls into a queue. Unknown calls are left out; those already there, or named before in the same request, are
   * counted as duplicates. One addition to a queue at a time, so that a call is counted as added once.
   */
  async add(addition: Addition): Promise<{ added_count: number; duplicates: number }> {
    const projectId = projectIdOf(addition.project)
    return this.leases.hold(`annotation-items/${projectId}/${addition.queueId}`, async () => {
      const ids = [...new Set(addition.callIds)]
      const [calls, queued] = await Promise.all([
        this.calls(projectId, ids),
        this.queued(projectId, addition.queueId, ids),
      ])
      const fresh = ids.flatMap((id) => (queued.has(id) ? [] : (calls.get(id) ?? [])))
      await this.store.insertRows('annotation_queue_items', rowsOf(addition, fresh))
      const there = addition.callIds.filter((id) => queued.has(id) || calls.has(id))
      return { added_count: fresh.length, duplicates: there.length - fresh.length }
    })
  }

  /** The items of a queue, in pieces. @param whose state they have; undefined: the newest of any annotator */
  list(
    queueId: string,
    query: ItemsQuery,
    whose: string | undefined,
    signal: AbortSignal,
  ): AsyncIterable<AnnotationQueueItem[]> {
    const { project_id, include_position } = query
    const rows = streamRows<ItemRow>(this.store, listItems(queueId, query, whose), {
      limits: this.limits,
      signal,
    })
    return mapPieces(rows, (row) => itemOf(project_id, queueId, row, include_position))
  }

  /**
   * Moves an item on in one annotator's progress and returns it as lists show it.
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
    return this.leases.hold(`annotation/${projectId}/${itemId}/${userId}`, async (fence) => {
      const [item, from] = await Promise.all([
        this.item(project, queueId, itemId),
        this.stateOf(projectId, queueId, itemId, userId),
      ])
      if (!item) throw errors.notFound(`The item "${itemId}" of annotation queue "${queueId}"`)
      const state = reached(from, to)
      if (state === undefined)
        throw errors.badRequest(
          `An item that is ${from} can't become "${to.slice(0, 100)}"; see the states of annotation queues.`,
        )
      if (state === from) return item
      const updated_at = isoOfMicros(nowMicros())
      await this.store.insertRows('annotation_progress', [
        {
          project_id: projectId,
          queue_id: queueId,
          item_id: itemId,
          annotator_id: userId,
          state,
          updated_at,
          ver: String(fence),
        },
      ])
      // Another annotator whose clock is ahead stays the newest.
      if (item.annotator_user_id !== null && item.updated_at > updated_at) return item
      return { ...item, annotation_state: state, annotator_user_id: userId, updated_at }
    })
  }

  private async item(
    project: string,
    queueId: string,
    itemId: string,
  ): Promise<AnnotationQueueItem | undefined> {
    const query = { project_id: project, filter: { id: itemId }, sort_by: null, limit: null, offset: null }
    const row = await this.store.row<ItemRow>(listItems(queueId, query))
    return row && itemOf(project, queueId, row, false)
  }

  private async stateOf(
    projectId: string,
    queueId: string,
    itemId: string,
    userId: string,
  ): Promise<AnnotationState> {
    const state = await this.store.value<AnnotationState>(sql`
      SELECT state FROM annotation_progress FINAL
      WHERE project_id = ${bind.string(projectId)} AND queue_id = ${bind.string(queueId)}
        AND item_id = ${bind.string(itemId)} AND annotator_id = ${bind.string(userId)}`)
    return state ?? 'unstarted'
  }

  /** Those of `ids` that are in the queue. */
  private async queued(projectId: string, queueId: string, ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.store.rows<{ call_id: string }>(sql`
      SELECT call_id FROM annotation_queue_items FINAL
      WHERE project_id = ${bind.string(projectId)} AND queue_id = ${bind.string(queueId)}
        AND id IN ${bind.strings(ids.map((id) => itemIdOf(queueId, id)))}`)
    return new Set(rows.map((row) => row.call_id))
  }

  /** The calls that there are, running or whole. */
  private async calls(projectId: string, ids: readonly string[]): Promise<Map<string, CallFacts>> {
    const seen = rowsOfBoth(sql`id, started_at, ended_at, op_name, trace_id, ver`, projectId, [
      sql`id IN ${bind.strings(ids)}`,
    ])
    const facts = sql`id, toString(started_at) AS started, toString(ended_at) AS ended, op_name AS op, trace_id AS trace`
    const rows = await this.store.rows<CallFacts>(newestOf(facts, seen))
    return new Map(rows.map((call) => [call.id, call]))
  }
}

function rowsOf({ project, queueId, userId, displayFields }: Addition, calls: readonly CallFacts[]) {
  return calls.map((call) => {
    // Each its own µs, so that the order of the request is the order of the queue.
    const now = nowMicros()
    return {
      project_id: projectIdOf(project),
      queue_id: queueId,
      id: itemIdOf(queueId, call.id),
      call_id: call.id,
      call_started_at: call.started,
      call_ended_at: call.ended,
      call_op_name: call.op,
      call_trace_id: call.trace,
      display_fields: displayFields,
      added_by: userId,
      created_at: isoOfMicros(now),
      ver: String(2n ** 63n - BigInt(now)),
    }
  })
}

const MOVES: Record<AnnotationState, readonly AnnotationState[]> = {
  unstarted: ['in_progress', 'completed', 'skipped'],
  in_progress: ['in_progress', 'completed', 'skipped'],
  completed: ['completed'],
  skipped: ['skipped'],
}

/** The state of this name, if an annotator may go there from `from`; each may stay where it is, but `unstarted`. */
export function reached(from: AnnotationState, name: string): AnnotationState | undefined {
  return MOVES[from].find((state) => state === name)
}

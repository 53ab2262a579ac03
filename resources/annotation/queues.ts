/** Queues themselves: create, list, read, change, delete, counts. */

import type { AnnotationQueue, QueuesQuery } from '../../contract/annotation.js'
import { mapPieces } from '../../domain/lists/json.js'
import { columnTerms, orderBy, pageOf } from '../../domain/lists/sql.js'
import { streamRows } from '../../platform/clickhouse/row-stream.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Limits, Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import type { Leases } from '../../platform/leases/lease.js'
import { isoOfMicros, isoOrNull, nowMicros } from '../../platform/time/iso.js'

interface QueueRow {
  id: string
  name: string
  description: string
  scorer_refs: string[]
  created_us: number
  created_by: string
  updated_us: number
  deleted_us: number
}

const COLUMNS = sql`id, name, description, scorer_refs, created_by,
  toUnixTimestamp64Micro(created_at) AS created_us, toUnixTimestamp64Micro(updated_at) AS updated_us,
  toUnixTimestamp64Micro(deleted_at) AS deleted_us`
const SORTABLE = new Map([
  ['id', sql`id`],
  ['name', sql`name`],
  ['description', sql`description`],
  ['created_at', sql`created_at`],
  ['created_by', sql`created_by`],
  ['updated_at', sql`updated_at`],
])

export class Queues {
  constructor(
    private readonly store: Store,
    private readonly leases: Leases,
    private readonly limits: Limits,
  ) {}

  /** Makes a queue and returns its id. */
  async create(
    project: string,
    userId: string,
    fields: Pick<AnnotationQueue, 'name' | 'description' | 'scorer_refs'>,
  ): Promise<string> {
    const id = uuid7()
    const now = nowMicros()
    const times = { created_us: now, created_by: userId, updated_us: now, deleted_us: 0 }
    // Under the lease that changes have, too: its fences order the versions of the row.
    await this.leases.hold(leaseOf(project, id), (fence) =>
      this.write(project, { ...fields, ...times, id }, fence),
    )
    return id
  }

  /** The live queues of a project, in pieces. @throws 422 for a field that queues are not sorted by */
  list(query: QueuesQuery, signal: AbortSignal): AsyncIterable<AnnotationQueue[]> {
    const rows = streamRows<QueueRow>(this.store, listQueues(query), { limits: this.limits, signal })
    return mapPieces(rows, (row) => queueOf(query.project_id, row))
  }

  /** The id of the live queue with this name, the oldest if there are some. */
  named(project: string, name: string): Promise<string | undefined> {
    return this.store.value<string>(sql`SELECT id FROM annotation_queues FINAL
      WHERE project_id = ${bind.string(projectIdOf(project))} AND name = ${bind.string(name)}
        AND toUnixTimestamp64Micro(deleted_at) = 0 ORDER BY created_at, id LIMIT 1`)
  }

  /** A live queue; 404 if there is none. */
  async read(project: string, id: string): Promise<AnnotationQueue> {
    return queueOf(project, await this.row(project, id))
  }

  /** Changes what is given, leaves the rest; two changes at once both hold. */
  async update(
    project: string,
    id: string,
    changes: { name?: string | null; description?: string | null; scorer_refs?: string[] | null },
  ): Promise<AnnotationQueue> {
    return this.change(project, id, (row) => ({
      ...row,
      name: changes.name ?? row.name,
      description: changes.description ?? row.description,
      scorer_refs: changes.scorer_refs ?? row.scorer_refs,
    }))
  }

  /** Deletes a queue softly and returns it. */
  async remove(project: string, id: string): Promise<AnnotationQueue> {
    return this.change(project, id, (row, now) => ({ ...row, deleted_us: now }))
  }

  /** Items of each queue, and those that any annotator completed or skipped; unknown queues have none. */
  async stats(project: string, ids: readonly string[]) {
    const projectId = bind.string(projectIdOf(project))
    const rows = await this.store.rows<{ queue_id: string; total: number; done: number }>(sql`
      SELECT queue_id, count() AS total, countIf((queue_id, id) IN (
        SELECT queue_id, item_id FROM annotation_progress FINAL
        WHERE project_id = ${projectId} AND queue_id IN ${bind.strings(ids)} AND state IN ('completed', 'skipped')
      )) AS done
      FROM annotation_queue_items FINAL
      WHERE project_id = ${projectId} AND queue_id IN ${bind.strings(ids)}
      GROUP BY queue_id`)
    const found = new Map(rows.map((row) => [row.queue_id, row]))
    return ids.map((id) => ({
      queue_id: id,
      total_items: found.get(id)?.total ?? 0,
      completed_items: found.get(id)?.done ?? 0,
    }))
  }

  private async change(
    project: string,
    id: string,
    next: (row: QueueRow, now: number) => QueueRow,
  ): Promise<AnnotationQueue> {
    return this.leases.hold(leaseOf(project, id), async (fence) => {
      const now = nowMicros()
      const row = { ...next(await this.row(project, id), now), updated_us: now }
      await this.write(project, row, fence)
      return queueOf(project, row)
    })
  }

  private async row(project: string, id: string): Promise<QueueRow> {
    const row = await this.store.row<QueueRow>(sql`
      SELECT ${COLUMNS} FROM annotation_queues FINAL
      WHERE project_id = ${bind.string(projectIdOf(project))} AND id = ${bind.string(id)}`)
    if (!row) throw errors.notFound(`The annotation queue "${id}"`)
    if (row.deleted_us !== 0)
      throw errors.deleted(`The annotation queue "${id}"`, isoOfMicros(row.deleted_us))
    return row
  }

  private async write(project: string, row: QueueRow, ver: bigint): Promise<void> {
    const { created_us, updated_us, deleted_us, ...rest } = row
    await this.store.insertRows('annotation_queues', [
      {
        ...rest,
        project_id: projectIdOf(project),
        created_at: isoOfMicros(created_us),
        updated_at: isoOfMicros(updated_us),
        deleted_at: isoOfMicros(deleted_us),
        ver: String(ver),
      },
    ])
  }
}

/** SQL of the queues that `query` asks for. */
export function listQueues({ project_id, name, sort_by, limit, offset }: QueuesQuery): Sql {
  const named = name === null ? sql`` : sql` AND positionCaseInsensitiveUTF8(name, ${bind.string(name)}) > 0`
  const terms = columnTerms(sort_by ?? [], SORTABLE)
  const order = orderBy(terms, terms.length > 0 ? [sql`id`] : [sql`created_at DESC`, sql`id DESC`])
  return sql`SELECT ${COLUMNS} FROM annotation_queues FINAL
    WHERE project_id = ${bind.string(projectIdOf(project_id))} AND deleted_us = 0${named}
    ORDER BY ${order}${pageOf(limit, offset)}`
}

function leaseOf(project: string, id: string): string {
  return `annotation-queue/${projectIdOf(project)}/${id}`
}

function queueOf(project: string, row: QueueRow): AnnotationQueue {
  return {
    id: row.id,
    project_id: project,
    name: row.name,
    description: row.description,
    scorer_refs: row.scorer_refs,
    created_at: isoOfMicros(row.created_us),
    created_by: row.created_by,
    updated_at: isoOfMicros(row.updated_us),
    deleted_at: isoOrNull(row.deleted_us),
  }
}

/** Queues themselves: create, list, read, change, delete, counts. Knows nothing of HTTP or of what is annotated. */
import { bind, ident, join, type Sql, sql } from '../../common/clickhouse/sql.js'
import type { Store } from '../../common/clickhouse/store.js'
import type { AnnotationQueue } from '../../common/contract/annotation.js'
import { errors } from '../../common/errors/catalog.js'
import { projectIdOf } from '../../common/ids/project.js'
import { uuid7 } from '../../common/ids/uuid7.js'
import type { Leases } from '../../common/leases/lease.js'
import { isoOfMicros, isoOrNull, nowMicros } from '../../common/time/iso.js'

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

export interface Order {
  field: string
  direction: 'asc' | 'desc'
}

const COLUMNS = sql`id, name, description, scorer_refs, created_by,
  toUnixTimestamp64Micro(created_at) AS created_us, toUnixTimestamp64Micro(updated_at) AS updated_us,
  toUnixTimestamp64Micro(deleted_at) AS deleted_us`
const SORTABLE = new Set(['id', 'name', 'description', 'created_at', 'created_by', 'updated_at'])

/** ORDER BY terms of `orders`, or of `fallback` when there are none; a field outside `sortable` is a 422. */
export function orderBy(orders: readonly Order[], fallback: Sql, sortable: ReadonlySet<string>): Sql {
  if (orders.length === 0) return fallback
  const terms = orders.map(({ field, direction }) => {
    if (!sortable.has(field)) throw errors.badField(field)
    return direction === 'asc' ? sql`${ident(field)} ASC` : sql`${ident(field)} DESC`
  })
  return join([...terms, sql`id ASC`], sql`, `)
}

/** LIMIT and OFFSET; absent, null and nothing-or-less mean no limit. */
export function pageOf(limit: number | null | undefined, offset: number | null | undefined): Sql {
  const skip = Math.max(0, offset ?? 0)
  if (!limit || limit < 1)
    return skip ? sql`LIMIT ${bind.uint('9223372036854775807')} OFFSET ${bind.uint(skip)}` : sql``
  return sql`LIMIT ${bind.uint(limit)} OFFSET ${bind.uint(skip)}`
}

export class Queues {
  constructor(
    private readonly store: Store,
    private readonly leases: Leases,
  ) {}

  /** Makes a queue and returns its id. */
  async create(
    project: string,
    userId: string,
    fields: Pick<AnnotationQueue, 'name' | 'description' | 'scorer_refs'>,
  ): Promise<string> {
    const id = uuid7()
    const now = nowMicros()
    await this.write(
      project,
      { ...fields, id, created_us: now, created_by: userId, updated_us: now, deleted_us: 0 },
      now,
    )
    return id
  }

  /** The live queues of a project. */
  async list(
    project: string,
    options: {
      name?: string | null
      orders: readonly Order[]
      limit?: number | null
      offset?: number | null
    },
  ): Promise<AnnotationQueue[]> {
    const named = options.name == null ? sql`` : sql`AND name = ${bind.string(options.name)}`
    const rows = await this.store.rows<QueueRow>(sql`
      SELECT ${COLUMNS} FROM annotation_queues FINAL
      WHERE project_id = ${bind.string(projectIdOf(project))} AND deleted_us = 0 ${named}
      ORDER BY ${orderBy(options.orders, sql`created_at DESC, id DESC`, SORTABLE)}
      ${pageOf(options.limit, options.offset)}`)
    return rows.map((row) => queueOf(project, row))
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
    return this.leases.hold(`annotation-queue/${projectIdOf(project)}/${id}`, async (fence) => {
      const now = nowMicros()
      const row = { ...next(await this.row(project, id), now), updated_us: now }
      await this.write(project, row, fence)
      return queueOf(project, row)
    })
  }

  private async row(project: string, id: string): Promise<QueueRow> {
    const row = await this.store.row<QueueRow>(sql`
      SELECT ${COLUMNS} FROM annotation_queues FINAL
      WHERE project_id = ${bind.string(projectIdOf(project))} AND id = ${bind.string(id)} AND deleted_us = 0`)
    if (!row) throw errors.notFound(`The annotation queue "${id}"`)
    return row
  }

  private async write(project: string, row: QueueRow, ver: number | bigint): Promise<void> {
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

/**
 * Sees to it that the ops which spans name exist as objects, with the file that stands in for their source. What could
 * not be stored stays on the list, so nothing is acknowledged before it is there.
 */

import { OP_FILE, PLACEHOLDERS, SPAN_OP, SPAN_OP_DIGEST } from '../../domain/refs/placeholder-op.js'
import { pieces } from '../../platform/clickhouse/pieces.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { Lru } from '../../platform/lru/lru.js'
import type { SpanOp } from '../otlp/projects.js'

const REMEMBERED = 100_000
const SOURCE = PLACEHOLDERS.op

export class OpObjects {
  private missing = new Map<string, SpanOp>()
  private readonly stored = new Lru<true>(REMEMBERED)
  private readonly filed = new Lru<true>(REMEMBERED)
  private storing: Promise<void> | undefined

  /** @param version gives the version of the next row, µs since the epoch */
  constructor(
    private readonly store: Store,
    private readonly version: () => number,
  ) {}

  /** Resolves when `ops`, and all that were asked for before, are stored. At once, mostly. */
  async ensure(ops: readonly SpanOp[]): Promise<void> {
    for (const op of ops) if (!this.stored.has(keyOf(op))) this.missing.set(keyOf(op), op)
    while (this.missing.size > 0) {
      this.storing ??= this.storeMissing().finally(() => {
        this.storing = undefined
      })
      await this.storing
    }
  }

  private async storeMissing(): Promise<void> {
    for (const some of pieces([...this.missing.values()])) {
      await this.addFiles(new Set(some.map(({ projectId }) => projectId)))
      await this.addOps(some)
      for (const op of some) {
        this.stored.set(keyOf(op), true)
        this.missing.delete(keyOf(op))
      }
    }
  }

  private async addOps(ops: readonly SpanOp[]): Promise<void> {
    const ids = [...new Set(ops.map(({ projectId }) => projectId))]
    const names = [...new Set(ops.map(({ name }) => name))]
    const found = await this.store.rows<{ project_id: string; object_id: string }>(sql`
      SELECT project_id, object_id FROM objects /* only object_id = ${bind.strings(names)} */
      WHERE project_id IN ${bind.strings(ids)} AND object_id IN ${bind.strings(names)}
        AND digest = ${bind.string(SPAN_OP_DIGEST)}
      GROUP BY project_id, object_id
      HAVING max(written_ver) > max(deleted_ver)`)
    const there = new Set(found.map(({ project_id, object_id }) => `${project_id} ${object_id}`))
    const rows = ops.filter((op) => !there.has(keyOf(op))).map((op) => opRow(op, this.version()))
    if (rows.length > 0) await this.store.insert('objects', 'JSONEachRow', [Buffer.from(rows.join('\n'))])
  }

  private async addFiles(projects: ReadonlySet<string>): Promise<void> {
    const fresh = [...projects].filter((project) => !this.filed.has(project))
    if (fresh.length === 0) return
    const found = await this.store.rows<{ project_id: string }>(sql`
      SELECT DISTINCT project_id FROM files
      WHERE project_id IN ${bind.strings(fresh)} AND digest = ${bind.string(SOURCE.digest)}`)
    const there = new Set(found.map(({ project_id }) => project_id))
    const rows = fresh
      .filter((project) => !there.has(project))
      .map((project) => fileRow(project, this.version()))
    if (rows.length > 0) await this.store.insert('files', 'JSONEachRow', [Buffer.from(rows.join('\n'))])
    for (const project of fresh) this.filed.set(project, true)
  }
}

function keyOf({ projectId, name }: SpanOp): string {
  return `${projectId} ${name}`
}

function opRow({ projectId, name }: SpanOp, ver: number): string {
  return JSON.stringify({
    project_id: projectId,
    object_id: name,
    digest: SPAN_OP_DIGEST,
    kind: 'op',
    base_class: '',
    leaf_class: '',
    val: SPAN_OP,
    bytes: Buffer.byteLength(SPAN_OP),
    created: { at: ver, by: '' },
    written_ver: ver,
  })
}

function fileRow(projectId: string, ver: number): string {
  return JSON.stringify({
    project_id: projectId,
    digest: SOURCE.digest,
    chunk: 0,
    chunks: 1,
    name: OP_FILE,
    content: SOURCE.text,
    bytes: Buffer.byteLength(SOURCE.text),
    created_at: timeOf(ver),
    ver,
  })
}

function timeOf(micros: number): string {
  return new Date(micros / 1000).toISOString()
}

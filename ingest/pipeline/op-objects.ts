/** Sees to it that the ops which spans name exist as objects. Remembers what it has seen stored, up to a limit. */
import { bind, sql } from '../../common/clickhouse/sql.js'
import type { Store } from '../../common/clickhouse/store.js'
import { chunks } from '../merge/touched.js'
import type { OpObject } from '../threads/task.js'

const REMEMBERED = 100_000

export class OpObjects {
  private readonly stored = new Set<string>()

  constructor(
    private readonly store: Store,
    private readonly version: () => number,
  ) {}

  /** Resolves when each of `ops` is stored. */
  async ensure(ops: readonly OpObject[]): Promise<void> {
    const unknown = new Map<string, OpObject>()
    for (const op of ops) if (!this.stored.has(keyOf(op))) unknown.set(keyOf(op), op)
    for (const some of chunks([...unknown.values()])) await this.add(some)
  }

  private async add(ops: readonly OpObject[]): Promise<void> {
    const keys = bind.tuples(
      ['String', 'String', 'String'],
      ops.map(({ projectId, objectId, digest }) => [projectId, objectId, digest]),
    )
    const found = await this.store.rows<Pick<OpObject, 'projectId' | 'objectId' | 'digest'>>(sql`
      SELECT project_id AS projectId, object_id AS objectId, digest FROM objects
      WHERE (project_id, object_id, digest) IN ${keys}
      GROUP BY project_id, object_id, digest
      HAVING argMax(deleted_at, ver) = toDateTime64(0, 6)`)
    const there = new Set(found.map(keyOf))
    const missing = ops.filter((op) => !there.has(keyOf(op)))
    if (missing.length > 0) {
      const rows = missing.map((op) => JSON.stringify(rowOf(op, this.version())))
      await this.store.insert('objects', 'JSONEachRow', [Buffer.from(rows.join('\n'))])
    }
    if (this.stored.size + ops.length > REMEMBERED) this.stored.clear()
    for (const op of ops) this.stored.add(keyOf(op))
  }
}

function keyOf({ projectId, objectId, digest }: Pick<OpObject, 'projectId' | 'objectId' | 'digest'>): string {
  return `${projectId} ${objectId} ${digest}`
}

function rowOf({ projectId, objectId, digest, val, userId }: OpObject, ver: number) {
  return {
    project_id: projectId,
    object_id: objectId,
    digest,
    kind: 'op',
    base_class: '',
    leaf_class: '',
    val,
    bytes: Buffer.byteLength(val),
    user_id: userId,
    created_at: ver,
    ver,
  }
}

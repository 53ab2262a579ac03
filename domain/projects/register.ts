/**
 * Stores the names of projects, to map internal ids back to names. A name is stored when a project is first seen, and
 * never changes.
 */
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { Lru } from '../../platform/lru/lru.js'
import { nowMicros } from '../../platform/time/iso.js'
import { nextVersion } from '../../platform/time/versions.js'

const LIMIT = 200_000

export class ProjectRegister {
  private readonly names = new Lru<string>(LIMIT)
  private readonly pending = new Map<string, Promise<void>>()

  constructor(private readonly store: Store) {}

  /** Resolves when all these `entity/project` names are stored; usually at once. */
  async note(names: Iterable<string>): Promise<void> {
    const waits: Promise<void>[] = []
    const fresh: string[] = []
    for (const name of new Set(names)) {
      if (this.names.has(projectIdOf(name))) continue
      const wait = this.pending.get(name)
      if (wait) waits.push(wait)
      else fresh.push(name)
    }
    if (fresh.length > 0) waits.push(this.register(fresh))
    await Promise.all(waits)
  }

  /** The `entity/project` of an internal id, if this process knows it; see {@link learn}. */
  nameOf(id: string): string | undefined {
    return this.names.get(id)
  }

  /** Loads the names of these internal ids for {@link nameOf}. */
  async learn(ids: Iterable<string>): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => !this.names.has(id))
    if (unknown.length > 0) await this.read(unknown)
  }

  private register(names: readonly string[]): Promise<void> {
    const done = this.add(names).finally(() => {
      for (const name of names) this.pending.delete(name)
    })
    for (const name of names) this.pending.set(name, done)
    return done
  }

  private async add(names: readonly string[]): Promise<void> {
    await this.read(names.map(projectIdOf))
    const missing = names.filter((name) => !this.names.has(projectIdOf(name)))
    if (missing.length === 0) return
    const [created_at, ver] = [nowMicros(), nextVersion()]
    const rows = missing.map((name) =>
      JSON.stringify({ project_id: projectIdOf(name), name, created_at, ver }),
    )
    await this.store.insert('projects', 'JSONEachRow', [Buffer.from(rows.join('\n'))])
    for (const name of missing) this.names.set(projectIdOf(name), name)
  }

  private async read(ids: readonly string[]): Promise<void> {
    const rows = await this.store.rows<{ project_id: string; name: string }>(
      sql`SELECT DISTINCT project_id, name FROM projects WHERE project_id IN ${bind.strings(ids)}`,
    )
    for (const { project_id, name } of rows) this.names.set(project_id, name)
  }
}

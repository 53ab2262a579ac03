/** Creates, replaces and purges feedback, with one insert per request. */

import { verOfChange, verOfMade } from '../../domain/feedback/version.js'
import { RowBinary } from '../../platform/clickhouse/row-binary.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { derivedId } from '../../platform/ids/derived.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { nowMicros } from '../../platform/time/iso.js'
import { nextVersion } from '../../platform/time/versions.js'
import type { Entry, Wanted } from './entry.js'
import { addDeletion, addRow, COLUMNS, type RowKey, type Stored } from './row.js'

const EPOCH = sql`toDateTime64(0, 6, 'UTC')`

export class FeedbackStore {
  constructor(private readonly store: Store) {}

  /**
   * Stores all entries or none. Resolves when they can be read.
   * @param attempt identifies the request, the same for each retry; undefined: unknown
   */
  async write(wanted: Wanted, userId: string, attempt: string | undefined): Promise<Stored[]> {
    await this.checkQueues(wanted.entries)
    const made = wanted.entries.map((entry, i) => ({
      ...entry,
      id: entry.id ?? (attempt === undefined ? uuid7() : derivedId(`feedback ${i} ${attempt}`)),
      user_id: userId,
      created: nowMicros(),
      project_id: projectIdOf(entry.project),
    }))
    const rows = [...(await this.store.changed('feedback', made))]
    const block = new RowBinary(
      rows.reduce((sum, { payload, scorer }) => sum + payload.length + scorer.length + 512, 0),
    )
    const again =
      wanted.replaced === undefined
        ? await this.purgedAmong(wanted.entries)
        : await this.addReplaced(block, wanted.replaced, rows[0]!)
    for (const row of rows)
      addRow(block, row, again.has(row.id) ? verOfChange(nextVersion()) : verOfMade(row.created))
    await this.insert(block)
    return rows
  }

  /** Deletes the project's feedback with these ids; unknown ids are ignored. */
  async purge(project: string, ids: readonly string[]): Promise<void> {
    const block = new RowBinary(4096)
    const ver = verOfChange(nextVersion())
    for (const key of await this.keysOf(project, ids)) addDeletion(block, project, key, ver)
    await this.insert(block)
  }

  /** Adds the deletion of the replaced feedback to the block. @returns ids whose rows must be overwritten */
  private async addReplaced(block: RowBinary, replaced: string, row: Stored): Promise<Set<string>> {
    const ver = verOfChange(nextVersion())
    for (const key of await this.keysOf(row.project, [replaced])) {
      const itself = key.id === row.id && key.weave_ref === row.weave_ref
      if (!itself) addDeletion(block, row.project, key, ver)
    }
    const purged = await this.purgedAmong([row])
    return row.id === replaced ? purged.add(row.id) : purged
  }

  /** Ids that were purged and are stored again: a new row needs a version above the deletion's. */
  private async purgedAmong(entries: readonly Pick<Entry, 'project' | 'id'>[]): Promise<Set<string>> {
    const ids = entries.flatMap(({ id }) => (id === undefined ? [] : [id]))
    if (ids.length === 0) return new Set()
    const projects = new Set(entries.map(({ project }) => projectIdOf(project)))
    const rows = await this.store.rows<{ id: string }>(sql`SELECT DISTINCT id FROM feedback
      WHERE project_id IN ${bind.strings([...projects])} AND deleted = 1 AND id IN ${bind.strings(ids)}`)
    return new Set(rows.map(({ id }) => id))
  }

  private keysOf(project: string, ids: readonly string[]): Promise<RowKey[]> {
    if (ids.length === 0) return Promise.resolve([])
    return this.store.rows<RowKey>(keysStatement(project, ids))
  }

  private async checkQueues(entries: readonly Entry[]): Promise<void> {
    const asked = entries.filter(({ queue_id }) => queue_id !== '')
    if (asked.length === 0) return
    const keys = new Map(
      asked.map(({ project, queue_id }) => [`${project} ${queue_id}`, [projectIdOf(project), queue_id]]),
    )
    const rows = await this.store.rows<{ project_id: string; id: string }>(sql`SELECT project_id, id
      FROM annotation_queues FINAL
      WHERE (project_id, id) IN ${bind.tuples(['String', 'String'], [...keys.values()])} AND deleted_at = ${EPOCH}`)
    const live = new Set(rows.map(({ project_id, id }) => `${project_id} ${id}`))
    const missing = asked.find(({ project, queue_id }) => !live.has(`${projectIdOf(project)} ${queue_id}`))
    if (missing) throw errors.badRequest(`Annotation queue "${missing.queue_id}" not found.`)
  }

  private async insert(block: RowBinary): Promise<void> {
    if (block.pos > 0) await this.store.insert(`feedback (${COLUMNS})`, 'RowBinary', [block.bytes()])
  }
}

function keysStatement(project: string, ids: readonly string[]): Sql {
  return sql`SELECT DISTINCT call_id, weave_ref, id FROM feedback
    WHERE project_id = ${bind.string(projectIdOf(project))} AND id IN ${bind.strings(ids)}`
}

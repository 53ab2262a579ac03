/**
 * The files of batches: uploaded ones are in the artifact store, results are rows of batches. Removes what has expired,
 * and contents of uploads that were never finished.
 */
import type { Artifacts } from '../../platform/artifacts/artifacts.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { uuid7, uuid7Time } from '../../platform/ids/uuid7.js'
import type { Leases } from '../../platform/leases/lease.js'
import { openBatches } from './batch-table.js'
import {
  bytesOfKey,
  expiredFiles,
  type FileRow,
  fileRow,
  filesKnown,
  markDeleted,
  putFile,
} from './file-table.js'
import { batchProblems } from './problems.js'
import { deleteResults, resultBytes, resultLines } from './result-table.js'

/** Contents without a row may still be about to get one for this long. */
const OLD_MS = 24 * 3_600_000
const PART = 1000
const PREFIX = 'batches'
const keyOf = (id: string) => `${PREFIX}/${id}.jsonl`
const UPLOADED = /^batches\/(file-([\w-]{36}))\.jsonl$/

export interface FileParts {
  store: Store
  leases: Leases
  artifacts: Artifacts
  /** the most bytes of a key's uploads; 0: no limit */
  fileLimit: number
}

/** An upload. */
export type NewFile = Pick<FileRow, 'owner' | 'key_id' | 'filename'> & {
  content: Uint8Array
  /** entity/project whose rules mask it; empty: those of nobody's */
  project: string
  /** how long it is kept */
  seconds: number
}

export class BatchFiles {
  constructor(private readonly parts: FileParts) {}

  /** Stores an upload. @throws `FILES_LIMIT` (429) */
  async add({ content: sent, seconds, project, ...file }: NewFile): Promise<FileRow> {
    const { store, leases, artifacts } = this.parts
    const [masked] = await store.changed('files', [
      { project_id: project && projectIdOf(project), content: sent },
    ])
    const { content } = masked!
    const id = `file-${uuid7()}`
    const created_at = Math.floor(Date.now() / 1000)
    const row: FileRow = {
      ...{ ...file, id, bytes: content.length, batch_id: '', failed: 0 },
      ...{ created_at, expires_at: created_at + seconds },
    }
    await this.admit(row)
    await artifacts.put(keyOf(id), content)
    // One at a time, so that uploads that come together can't exceed the limit.
    await leases.hold(`batch-files ${row.key_id}`, async () => {
      await this.admit(row)
      await putFile(store, row)
    })
    return row
  }

  private async admit({ key_id, bytes }: FileRow): Promise<void> {
    const { store, fileLimit } = this.parts
    if (fileLimit > 0 && (await bytesOfKey(store, key_id)) + bytes > fileLimit)
      throw batchProblems.filesFull(fileLimit)
  }

  /** Adds the file of a batch's results; adding it again replaces it. @returns undefined if it would be empty */
  async addResults(of: Omit<FileRow, 'id' | 'filename' | 'bytes'>): Promise<FileRow | undefined> {
    const { batch_id, failed } = of
    const bytes = await resultBytes(this.parts.store, batch_id, failed)
    if (bytes === 0) return undefined
    const kind = failed ? 'errors' : 'output'
    const id = `file-${batch_id.replace(/^batch_/, '')}-${kind}`
    const row = { ...of, id, bytes, filename: `${batch_id}_${kind}.jsonl` }
    await putFile(this.parts.store, row)
    return row
  }

  /** @throws `UNKNOWN_FILE` (404) */
  async find(owner: string, id: string): Promise<FileRow> {
    const row = await fileRow(this.parts.store, owner, id)
    if (!row) throw batchProblems.noFile(id)
    return row
  }

  /** The content of an upload; undefined if it is gone. */
  input(id: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined> {
    return this.parts.artifacts.get(keyOf(id), undefined, signal)
  }

  /** @throws `UNKNOWN_FILE` (404) if it was deleted meanwhile */
  async content({ id, batch_id, failed }: FileRow, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    if (batch_id !== '') return resultLines(this.parts.store, batch_id, failed, signal)
    const content = await this.input(id, signal)
    if (!content) throw batchProblems.noFile(id)
    return content
  }

  /** @throws `FILE_IN_USE` (409) if a batch still reads it */
  async delete(row: FileRow): Promise<void> {
    const { store } = this.parts
    if (row.batch_id === '' && (await openBatches(store, { inputFile: row.id })).length > 0)
      throw batchProblems.inUse(row.id)
    await markDeleted(store, [row])
    await this.remove(row)
  }

  private async remove({ id, batch_id, failed }: FileRow): Promise<void> {
    if (batch_id === '') await this.parts.artifacts.delete(keyOf(id))
    else await deleteResults(this.parts.store, batch_id, failed)
  }

  /** Removes expired files, and contents without a row. */
  async clean(now = Date.now()): Promise<void> {
    const { store, artifacts } = this.parts
    for (const row of await expiredFiles(store, PART)) {
      await this.remove(row)
      await markDeleted(store, [row])
    }
    let old: string[] = []
    const remove = async () => {
      const known = await filesKnown(store, old)
      for (const id of old) if (!known.has(id)) await artifacts.delete(keyOf(id))
      old = []
    }
    for await (const key of artifacts.keys(PREFIX)) {
      const [, id, uuid = ''] = UPLOADED.exec(key) ?? []
      if (id === undefined || now - (uuid7Time(uuid) ?? now) < OLD_MS) continue
      old.push(id)
      if (old.length === PART) await remove()
    }
    if (old.length > 0) await remove()
  }
}

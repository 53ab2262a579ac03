/** Files by the digest of their bytes: written once, read as a stream. Knows no HTTP. */
import { bind, sql } from '../../common/clickhouse/sql.js'
import type { Store } from '../../common/clickhouse/store.js'
import { errors } from '../../common/errors/catalog.js'
import { nowMicros } from '../../common/time/iso.js'
import { Gather } from '../gather.js'
import { FILE_COLUMNS, fileRows, type NewFile } from './row.js'

const BATCH_BYTES = 16 << 20

/** A file that is being read. */
export interface OpenFile {
  /** size of the whole content */
  bytes: number
  content: AsyncIterable<Uint8Array>
}

export class FileStore {
  private readonly writes: Gather<NewFile, undefined>

  constructor(private readonly store: Store) {
    this.writes = new Gather((files) => this.add(files), {
      lanes: 2,
      weight: BATCH_BYTES,
      weigh: ({ content }) => content.length,
    })
  }

  /** Resolves when the file is stored, by this call or before. All its pieces come at once or not at all. */
  async write(file: NewFile): Promise<void> {
    await this.writes.ask(file)
  }

  /** Opens a file, or undefined if there is none. Ending the iteration early ends the query. */
  async open(project: string, digest: string, signal?: AbortSignal): Promise<OpenFile | undefined> {
    // The first row has the size before its content, so that one statement is enough for small and large.
    const statement = sql`SELECT concat(if(chunk = 0, concat(toString(bytes), '\n'), ''), content) FROM files
      WHERE project_id = ${bind.string(project)} AND digest = ${bind.string(digest)}
      ORDER BY chunk LIMIT 1 BY chunk`
    const settings = { max_threads: 1, max_block_size: '2' }
    const stream = await this.store.stream(statement, 'RawBLOB', { settings, ...(signal && { signal }) })
    const pieces = stream[Symbol.asyncIterator]()
    let head = Buffer.alloc(0)
    let line = -1
    while (line < 0) {
      const next = await pieces.next()
      if (next.done) return undefined
      head = head.length === 0 ? Buffer.from(next.value) : Buffer.concat([head, next.value])
      line = head.indexOf(0x0a)
    }
    const bytes = Number(head.toString('latin1', 0, line))
    return { bytes, content: whole(head.subarray(line + 1), pieces, bytes) }
  }

  private async add(files: readonly NewFile[]): Promise<undefined[]> {
    const key = ({ project, digest }: NewFile) => `${project} ${digest}`
    const fresh = new Map(files.map((file) => [key(file), file]))
    const rows = await this.store.rows<{ project_id: string; digest: string }>(
      sql`SELECT DISTINCT project_id, digest FROM files WHERE chunk = 0 AND (project_id, digest) IN ${bind.tuples(
        ['String', 'String'],
        files.map(({ project, digest }) => [project, digest]),
      )}`,
    )
    for (const { project_id, digest } of rows) fresh.delete(`${project_id} ${digest}`)
    const ver = nowMicros()
    const pieces = [...fresh.values()].flatMap((file) => fileRows(file, ver))
    if (pieces.length > 0) await this.store.insert(`files (${FILE_COLUMNS})`, 'RowBinary', pieces)
    return files.map(() => undefined)
  }
}

/** The content, piece by piece; throws at its end if it is not `bytes` long. */
async function* whole(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array> {
  let seen = first.length
  try {
    if (first.length > 0) yield first
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      seen += next.value.length
      yield next.value
    }
  } finally {
    await rest.return?.()
  }
  if (seen !== bytes) throw errors.internal()
}

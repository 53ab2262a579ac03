/** Stores files by the digest of their bytes; reads them as streams. */
import type { Artifacts, ByteRange } from '../../platform/artifacts/artifacts.js'
import { Batcher } from '../../platform/batch/batcher.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { nextVersion } from '../../platform/time/versions.js'
import { CHUNK, FILE_COLUMNS, fileRows, type NewFile } from './row.js'

const BATCH_BYTES = 16 << 20
/** One piece at a time, in order. */
const ONE_BY_ONE = { max_threads: 1, max_block_size: '2' }

export interface OpenFile {
  /** size of the whole content */
  bytes: number
  content: AsyncIterable<Uint8Array>
}

/** A file that is read in parts. */
export interface FileParts {
  bytes: number
  read(range: ByteRange, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
}

/** Where contents are stored that are too large for rows. */
export interface Outside {
  artifacts: Artifacts
  /** contents up to this size are stored in rows */
  inlineBytes: number
}

export class FileStore {
  private readonly writes: Batcher<NewFile, undefined>

  /** @param outside undefined: every content is stored in rows */
  constructor(
    private readonly store: Store,
    private readonly outside?: Outside,
  ) {
    this.writes = new Batcher((files) => this.add(files), {
      concurrency: 2,
      weight: BATCH_BYTES,
      weigh: ({ content }) => content.length,
    })
  }

  /** Resolves when the file is stored, now or before. Its pieces are stored all or none. */
  async write(file: NewFile): Promise<void> {
    await this.writes.ask(file)
  }

  /** Opens a file, or undefined if there is none. Ending the iteration early ends the query. */
  async open(project: string, digest: string, signal: AbortSignal): Promise<OpenFile | undefined> {
    // The first row has the sizes before its content, so that one statement reads small and large files.
    const statement = sql`SELECT concat(if(chunk = 0, concat(toString(bytes), ' ', toString(chunks), '\n'), ''), content)
      FROM files WHERE ${one(project, digest)} ORDER BY chunk LIMIT 1 BY chunk`
    const pieces = (await this.stream(statement, signal))[Symbol.asyncIterator]()
    let head = Buffer.alloc(0)
    let line = -1
    while (line < 0) {
      const next = await pieces.next()
      if (next.done) return undefined
      head = head.length === 0 ? Buffer.from(next.value) : Buffer.concat([head, next.value])
      line = head.indexOf(0x0a)
    }
    const [bytes = 0, chunks] = head.toString('latin1', 0, line).split(' ').map(Number)
    if (chunks !== 0) return { bytes, content: whole(head.subarray(line + 1), pieces, bytes) }
    await pieces.return?.()
    return { bytes, content: await this.artifact(project, digest, { from: 0, to: bytes }, signal) }
  }

  /** The size of a file and a function that reads parts, or undefined if there is none. */
  async parts(project: string, digest: string): Promise<FileParts | undefined> {
    const row = await this.store.row<{ bytes: number; chunks: number }>(
      sql`SELECT bytes, chunks FROM files WHERE ${one(project, digest)} AND chunk = 0 LIMIT 1`,
    )
    if (!row) return undefined
    const read = row.chunks === 0 ? this.artifact : this.rows
    return {
      bytes: Number(row.bytes),
      read: (range, signal) => read.call(this, project, digest, range, signal),
    }
  }

  private async artifact(
    project: string,
    digest: string,
    range: ByteRange,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>> {
    if (!this.outside) throw errors.unavailable(new Error('HEDDLE_ARTIFACTS is not what it was'))
    const content = await this.outside.artifacts.get(artifactOf(project, digest), range, signal)
    if (!content)
      throw errors.unavailable(new Error(`the artifact ${artifactOf(project, digest)} is not there`))
    return whole(new Uint8Array(0), content[Symbol.asyncIterator](), range.to - range.from)
  }

  private async rows(
    project: string,
    digest: string,
    { from, to }: ByteRange,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>> {
    const start = sql`greatest(0, ${bind.int(from)} - toInt64(chunk) * ${bind.int(CHUNK)})`
    const end = sql`${bind.int(to)} - toInt64(chunk) * ${bind.int(CHUNK)}`
    const statement = sql`SELECT substring(content, ${start} + 1, ${end} - ${start}) FROM files
      WHERE ${one(project, digest)} AND chunk >= ${bind.uint(Math.floor(from / CHUNK))}
        AND chunk <= ${bind.uint(Math.floor((to - 1) / CHUNK))} ORDER BY chunk LIMIT 1 BY chunk`
    const pieces = (await this.stream(statement, signal))[Symbol.asyncIterator]()
    return whole(new Uint8Array(0), pieces, to - from)
  }

  private stream(statement: Sql, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    return this.store.stream(statement, 'RawBLOB', { settings: ONE_BY_ONE, signal })
  }

  /** When a file was stored, in µs since the epoch, and its size; undefined if there is none. */
  async stored(project: string, digest: string): Promise<{ at: number; bytes: number } | undefined> {
    return this.store.row(sql`SELECT toUnixTimestamp64Micro(created_at) AS at, bytes FROM files
      WHERE ${one(project, digest)} AND chunk = 0 LIMIT 1`)
  }

  /** Those of `digests` whose files are stored. */
  async existing(project: string, digests: readonly string[]): Promise<Set<string>> {
    const rows = await this.store.rows<{ digest: string }>(
      sql`SELECT DISTINCT digest FROM files
        WHERE chunk = 0 AND project_id = ${bind.string(project)} AND digest IN ${bind.strings(digests)}`,
    )
    return new Set(rows.map(({ digest }) => digest))
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
    const ver = nextVersion()
    const pieces: Uint8Array[] = []
    const named = [...fresh.values()].map((file) => ({ ...file, project_id: file.project }))
    for (const file of await this.store.changed('files', named)) {
      const outside = this.outside !== undefined && file.content.length > this.outside.inlineBytes
      // The content first, so that no row exists without it.
      if (outside) await this.outside.artifacts.put(artifactOf(file.project, file.digest), file.content)
      pieces.push(...fileRows(file, ver, outside))
    }
    if (pieces.length > 0) await this.store.insert(`files (${FILE_COLUMNS})`, 'RowBinary', pieces)
    return files.map(() => undefined)
  }
}

const artifactOf = (project: string, digest: string) => `files/${project}/${digest}`

const one = (project: string, digest: string) =>
  sql`project_id = ${bind.string(project)} AND digest = ${bind.string(digest)}`

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

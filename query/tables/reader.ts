/**
 * Reads tables: whole ones in ranges of a few megabytes, each its own statement, so that neither side ever holds a
 * table; sorted or filtered ones in one statement that may use the disk. Lines are the store's bytes.
 */
import type { Limits, Store } from '../../common/clickhouse/store.js'
import { DigestList } from './digest-list.js'
import {
  type Choice,
  chosenLines,
  placesOf,
  type Range,
  rangeLines,
  rowDigests,
  rowsAt,
  type Spot,
  type TableKey,
  tableSizes,
} from './sql.js'

const RANGE_BYTES = 8 << 20
const MOST_ROWS = 25_000
/** Where the limits say nothing. */
const DEFAULT_LIMITS = { seconds: 60, memoryBytes: 400 << 20 }
/** The part of its memory that a sort may hold before it goes to disk. */
const SORTED_IN_MEMORY = 0.25

/** Rows and bytes of a table. */
export interface Size {
  digest: string
  count: number
  bytes: number
}

export class TableReader {
  constructor(
    private readonly store: Store,
    private readonly limits: Limits = {},
  ) {}

  /** The sizes of those tables that are there. */
  sizes(project: string, digests: readonly string[]): Promise<Size[]> {
    if (digests.length === 0) return Promise.resolve([])
    return this.store.rows<Size>(tableSizes(project, digests))
  }

  async size({ project, digest }: TableKey): Promise<Size | undefined> {
    return (await this.sizes(project, [digest]))[0]
  }

  /** The digests of a table's rows in order. */
  async rowDigests(table: TableKey): Promise<DigestList> {
    const pieces: Uint8Array[] = []
    for await (const piece of await this.store.stream(rowDigests(table), 'TSVRaw')) pieces.push(piece)
    return DigestList.ofLines(Buffer.concat(pieces))
  }

  /** The texts of rows, in order; undefined where there is none. */
  async texts(keys: readonly { project: string; digest: string }[]): Promise<(string | undefined)[]> {
    const byProject = new Map<string, Set<string>>()
    for (const { project, digest } of keys)
      byProject.set(project, (byProject.get(project) ?? new Set()).add(digest))
    const found = new Map<string, string>()
    const read = async (project: string, digests: ReadonlySet<string>) => {
      const spots = await this.spots(project, digests)
      if (spots.length === 0) return
      const rows = await this.store.rows<Spot & { val: string }>(rowsAt(project, spots))
      const texts = new Map(rows.map((row) => [`${row.upload} ${row.n}`, row.val] as const))
      for (const { digest, upload, n } of spots) {
        const text = texts.get(`${upload} ${n}`)
        if (text !== undefined) found.set(`${project} ${digest}`, text)
      }
    }
    await Promise.all([...byProject].map(([project, digests]) => read(project, digests)))
    return keys.map(({ project, digest }) => found.get(`${project} ${digest}`))
  }

  /** Where the rows of these digests lie: in two steps they are found in half the time that one statement takes. */
  private async spots(project: string, digests: ReadonlySet<string>): Promise<(Spot & { digest: string })[]> {
    const rows = await this.store.rows<Spot & { digest: string }>(placesOf(project, [...digests]))
    return rows.filter(({ digest }) => digests.has(digest))
  }

  /** Lines of the rows between two positions, in one statement. */
  lines(table: TableKey, range: Range, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    return this.store.stream(rangeLines(table, range), 'RawBLOB', {
      limits: { ...DEFAULT_LIMITS, ...this.limits },
      signal,
    })
  }

  /** Lines of the rows between two positions, however many. While one range is taken, the next one is read. */
  async *ranges(table: TableKey, size: Size, whole: Range, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const rows = Math.min(MOST_ROWS, Math.max(1, Math.floor((RANGE_BYTES * size.count) / (size.bytes + 1))))
    const end = Math.min(whole.to, size.count)
    const read = (from: number) => {
      const lines = this.range(table, { from, to: Math.min(end, from + rows) }, signal)
      lines.catch(() => undefined)
      return lines
    }
    let next = whole.from < end ? read(whole.from) : undefined
    for (let from = whole.from; from < end; from += rows) {
      const lines = await next!
      if (from + rows < end) next = read(from + rows)
      yield* lines
    }
  }

  /** Lines of chosen rows. */
  async chosen(table: TableKey, choice: Choice, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const { rowDigests } = choice
    const spots = rowDigests ? await this.spots(table.project, new Set(rowDigests)) : []
    if (rowDigests && spots.length === 0) return nothing()
    const limits = { ...DEFAULT_LIMITS, ...this.limits }
    const settings = {
      max_bytes_before_external_sort: String(Math.floor(limits.memoryBytes * SORTED_IN_MEMORY)),
    }
    return this.store.stream(chosenLines(table, { ...choice, spots }), 'RawBLOB', {
      settings,
      limits,
      signal,
    })
  }

  private async range(table: TableKey, range: Range, signal: AbortSignal): Promise<Uint8Array[]> {
    const pieces: Uint8Array[] = []
    for await (const piece of await this.lines(table, range, signal)) pieces.push(piece)
    return pieces
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

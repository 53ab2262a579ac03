/**
 * Reads tables: whole ones in ranges of a few megabytes, one statement each, so that neither side ever holds a table;
 * sorted or filtered ones in one statement that may use the disk. A sort order is cached for later pages, since the
 * content of a table's digest never changes. Lines are the store's bytes.
 */

import type { SortBy } from '../../contract/calls-read.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { collect } from '../../platform/bytes/collect.js'
import type { Sql } from '../../platform/clickhouse/sql.js'
import type { Limits, Store } from '../../platform/clickhouse/store.js'
import { Lru } from '../../platform/lru/lru.js'
import { ENTRY_BYTES, MOST_ENTRIES, placeAt, RowDirectories, type RowDirectory } from './row-directory.js'
import {
  type Choice,
  chosenLines,
  directoryOf,
  linesAt,
  PLACE_BYTES,
  type Place,
  placesOf,
  type Range,
  rangeLines,
  rowDigests,
  rowsAt,
  type Spot,
  sortedPlaces,
  type TableKey,
  tableSizes,
} from './sql.js'

const RANGE_BYTES = 8 << 20
const MOST_ROWS = 25_000
/** The most rows of a cached sort order, and the most bytes of all cached orders. */
const ORDERED_ROWS = 50_000
const ORDERED_BYTES = 24 << 20
/** The most characters of a cached order's key. */
const LONG_NAME = 1000
/** The most rows of a page that is read by its places. */
const PLACED_ROWS = 1000
/** The share of its memory limit that a sort may use before it spills to disk. */
const SORTED_IN_MEMORY = 0.25

/** Rows and bytes of a table. */
export interface Size {
  digest: string
  count: number
  bytes: number
}

/** A row of a table, by internal project id and digests. */
export interface RowKey {
  project: string
  table: string
  digest: string
}

type DigestSpot = Spot & { digest: string }

export class TableReader {
  /** as {@link sortedPlaces} gives them */
  private readonly orders = new Lru<Buffer>(ORDERED_BYTES, (order) => order.length + LONG_NAME)
  private readonly directories = new RowDirectories((table) => this.entries(table))

  constructor(
    private readonly store: Store,
    private readonly limits: Required<Limits>,
  ) {}

  /** The sizes of the tables that exist. */
  sizes(project: string, digests: readonly string[]): Promise<Size[]> {
    if (digests.length === 0) return Promise.resolve([])
    return this.store.rows<Size>(tableSizes(project, digests))
  }

  async size({ project, digest }: TableKey): Promise<Size | undefined> {
    return (await this.sizes(project, [digest]))[0]
  }

  /** The digests of a table's rows in order, one per line. */
  rowDigests(table: TableKey): Promise<Uint8Array<ArrayBuffer>> {
    return this.store.bytes(rowDigests(table), 'TSVRaw')
  }

  /** The texts of rows, in order; undefined for a missing row. */
  async texts(keys: readonly RowKey[]): Promise<(string | undefined)[]> {
    const found = new Map<string, string>()
    const read = async (rows: readonly RowKey[]) => {
      const { project, table } = rows[0]!
      const digests = new Set(rows.map(({ digest }) => digest))
      const spots = await this.spots(project, digests, this.directories.of({ project, digest: table }))
      if (spots.length === 0) return
      const read = await this.store.rows<Spot & { val: string }>(rowsAt(project, spots))
      const texts = new Map(read.map((row) => [`${row.upload} ${row.n}`, row.val] as const))
      for (const { digest, upload, n } of spots) {
        const text = texts.get(`${upload} ${n}`)
        if (text !== undefined) found.set(`${project} ${digest}`, text)
      }
    }
    await Promise.all([...groupBy(keys, ({ project, table }) => `${project} ${table}`).values()].map(read))
    return keys.map(({ project, digest }) => found.get(`${project} ${digest}`))
  }

  /** Where the rows of these digests are stored: two steps take half the time of one statement. */
  private async spots(
    project: string,
    digests: ReadonlySet<string>,
    directory: RowDirectory | undefined,
  ): Promise<DigestSpot[]> {
    const known = [...digests].flatMap((digest) => {
      const [place] = directory?.find(digest) ?? []
      return place ? [{ digest, upload: place.upload, n: place.n }] : []
    })
    if (known.length === digests.size) return known
    const others = new Set(digests)
    for (const { digest } of known) others.delete(digest)
    const rows = await this.store.rows<DigestSpot>(placesOf(project, [...others]))
    return [...known, ...rows.filter(({ digest }) => others.has(digest))]
  }

  /** Lines of the rows between two positions, in one statement. */
  lines(table: TableKey, range: Range, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    return this.store.stream(rangeLines(table, range), 'RawBLOB', { limits: this.limits, signal })
  }

  /** Lines of the rows between two positions, any number. The next range is read while one is consumed. */
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

  /** Lines of chosen rows; none if the table doesn't exist. */
  async chosen(table: TableKey, choice: Choice, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const { rowDigests, limit, offset, sortBy } = choice
    const page = limit !== null && limit <= PLACED_ROWS && offset + limit <= ORDERED_ROWS
    if (rowDigests === null && page) {
      const order = await this.order(table, sortBy, signal)
      const places = placesIn(order.subarray(offset * PLACE_BYTES, (offset + limit) * PLACE_BYTES))
      return this.placed(table.project, places, signal)
    }
    const directory = rowDigests ? this.directories.of(table) : undefined
    if (rowDigests && directory && sortBy.length === 0) {
      const places = [...new Set(rowDigests)].flatMap((digest) => directory.find(digest))
      places.sort((a, b) => a.position - b.position)
      const asked = places.slice(offset, limit === null ? undefined : offset + limit)
      if (asked.length <= PLACED_ROWS) return this.placed(table.project, asked, signal)
    }
    const [size, spots] = await Promise.all([
      this.size(table),
      rowDigests ? this.spots(table.project, new Set(rowDigests), directory) : undefined,
    ])
    if (!size || spots?.length === 0) return nothing()
    return this.sorted(chosenLines(table, { ...choice, ...(spots && { spots }) }), 'RawBLOB', signal)
  }

  /** The entries of a table's directory, unless there are too many, or rows are missing, which may come later. */
  private async entries(table: TableKey): Promise<Buffer | undefined> {
    const size = await this.size(table)
    if (!size || size.count > MOST_ENTRIES) return undefined
    const entries = await collect(await this.sorted(directoryOf(table), 'RowBinary'))
    return entries.length === size.count * ENTRY_BYTES ? entries : undefined
  }

  /** The places of a table's first rows in the order of `sortBy`. */
  private async order(table: TableKey, sortBy: readonly SortBy[], signal: AbortSignal): Promise<Buffer> {
    const name = JSON.stringify([table.project, table.digest, sortBy])
    const known = this.orders.get(name)
    if (known) return known
    // The order of an incomplete table would be wrong.
    if (!(await this.size(table))) return Buffer.alloc(0)
    const places = sortedPlaces(table, sortBy, ORDERED_ROWS)
    const order = await collect(await this.sorted(places, 'RowBinary', signal))
    if (name.length <= LONG_NAME) this.orders.set(name, order)
    return order
  }

  private async placed(
    project: string,
    places: readonly Place[],
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>> {
    if (places.length === 0) return nothing()
    return this.store.stream(linesAt(project, places), 'RawBLOB', { limits: this.limits, signal })
  }

  /** Runs a statement that sorts, on disk if necessary. */
  private sorted(statement: Sql, format: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const { limits } = this
    const inMemory = Math.floor(limits.memoryBytes * SORTED_IN_MEMORY)
    const settings = { max_bytes_before_external_sort: String(inMemory) }
    return this.store.stream(statement, format, { settings, limits, ...(signal && { signal }) })
  }

  private async range(table: TableKey, range: Range, signal: AbortSignal): Promise<Uint8Array[]> {
    const pieces: Uint8Array[] = []
    for await (const piece of await this.lines(table, range, signal)) pieces.push(piece)
    return pieces
  }
}

function placesIn(order: Buffer): Place[] {
  return Array.from({ length: order.length / PLACE_BYTES }, (_, i) => placeAt(order, i * PLACE_BYTES))
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

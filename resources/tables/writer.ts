/**
 * Stores tables: rows first, those that are not there yet; then the list; the table itself last, so that a table that
 * is there is whole. Writing one again changes nothing.
 */
import { randomUUID } from 'node:crypto'
import { Batcher } from '../../platform/batch/batcher.js'
import { inTurns } from '../../platform/batch/turns.js'
import { RowBinary } from '../../platform/clickhouse/row-binary.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { nowMicros } from '../../platform/time/iso.js'
import { DigestList } from './digest-list.js'
import { RecentTables } from './recent-tables.js'
import type { RowSet } from './rows.js'
import {
  adoptList,
  bytesOf,
  type Copied,
  copyList,
  placesOf,
  type Spot,
  type TableKey,
  tableSizes,
} from './sql.js'
import { type Changed, portions } from './update.js'

/** Digests that are sent along with a statement; longer lists are stored for it to read. */
const SENT_ALONG = 1000
/** Rows whose places are found by one statement, or copied by one. */
const SLICE = 100_000
/** Rows that are written in one turn of the event loop: about ten milliseconds. */
const TURN_ROWS = 20_000
/** Bytes from which rows are large, and how many large requests are written at once. */
const LARGE = 1 << 20
const LARGE_AT_ONCE = 2
/** Most pieces of a list that one statement copies, and how many such statements run at once. */
const PIECES = 50
const COPIES_AT_ONCE = 2

interface Place extends Spot {
  bytes: number
}

interface Plan {
  /** of each row of the set */
  places: Place[]
  block: RowBinary
}

const INDEX = 'table_index (project_id, digest, position, row_digest, upload, n, bytes)'

export class TableWriter {
  /** Large ones go through here: each is in memory several times, in the store as well, while it is written. */
  private readonly large = new Batcher<() => Promise<void>, void>(([write]) => Promise.all([write!()]), {
    items: 1,
    concurrency: LARGE_AT_ONCE,
  })

  private readonly recent = new RecentTables()

  constructor(private readonly store: Store) {}

  /** Resolves when the table and its rows are stored. @param order which of `rows` stands at each position */
  create(table: TableKey, order: Uint32Array, rows: RowSet, userId: string): Promise<void> {
    const write = () => this.write(table, order, rows, userId)
    return rows.texts.length < LARGE ? write() : this.large.ask(write)
  }

  private async write(table: TableKey, order: Uint32Array, rows: RowSet, userId: string): Promise<void> {
    const there = await this.isThere(table)
    if (!there) {
      const plan = await this.plan(table.project, rows)
      let bytes = 0
      const list = new RowBinary(order.length * 160 + 64)
      for await (const { from, to } of inTurns(order.length, TURN_ROWS))
        for (let position = from; position < to; position++) {
          const row = order[position]!
          const place = plan.places[row]!
          bytes += place.bytes
          indexRow(list, table, position, rows.digests[row]!, place)
        }
      await Promise.all([this.insertRows(plan.block), this.insert(INDEX, list)])
      await this.finish(table, order.length, bytes, userId)
    }
    this.recent.note(table, rows.digests[0], order.length)
  }

  /** The same for rows that were stored before. */
  async createFromDigests(table: TableKey, rowDigests: DigestList, userId: string): Promise<void> {
    if (await this.isThere(table)) return
    const known = await this.beginning(table.project, rowDigests)
    await this.copy(table, known.pieces)
    await this.adopt(table, rowDigests, known.length)
    const isWhole = known.length === rowDigests.length
    await this.finish(table, rowDigests.length, isWhole ? known.bytes : await this.bytesOf(table), userId)
  }

  /** The tables that the list begins with, as far as they are known and still there. */
  private async beginning(
    project: string,
    rowDigests: DigestList,
  ): Promise<{ pieces: Copied[]; length: number; bytes: number }> {
    const pieces = await this.recent.beginning(project, rowDigests)
    if (pieces.length === 0) return { pieces, length: 0, bytes: 0 }
    const digests = [...new Set(pieces.map(({ table }) => table))]
    const sizes = await this.store.rows<{ digest: string; bytes: number }>(tableSizes(project, digests))
    const bytesOf = new Map(sizes.map(({ digest, bytes }) => [digest, bytes]))
    const gone = pieces.findIndex(({ table }) => !bytesOf.has(table))
    const there = gone < 0 ? pieces : pieces.slice(0, gone)
    const length = there.reduce((sum, { range }) => sum + range.to, 0)
    return { pieces: there, length, bytes: there.reduce((sum, { table }) => sum + bytesOf.get(table)!, 0) }
  }

  private async copy(to: TableKey, pieces: readonly Copied[]): Promise<void> {
    const all = [...portions(pieces, SLICE, PIECES)]
    for (let next = 0; next < all.length; next += COPIES_AT_ONCE) {
      const some = all.slice(next, next + COPIES_AT_ONCE)
      await Promise.all(some.map((portion) => this.store.run(copyList(to, portion))))
    }
  }

  /** Stores the list from the row `from` on, with the places of its rows. */
  private async adopt(table: TableKey, rowDigests: DigestList, from: number): Promise<void> {
    if (from >= rowDigests.length) return
    const list = randomUUID()
    await this.addList(list, rowDigests, from)
    const slices = Math.ceil((rowDigests.length - from) / SLICE)
    for (let slice = 0; slice < slices; slice++) await this.store.run(adoptList(table, list, slice, slices))
  }

  /** Stores what `base` has become: rows of its own first, then the pieces of its list. */
  async change(base: TableKey, changed: Changed, rows: RowSet, userId: string): Promise<void> {
    const table = { project: base.project, digest: changed.digest }
    const [there, plan] = await Promise.all([this.isThere(table), this.plan(table.project, rows)])
    if (there) return
    await this.insertRows(plan.block)
    const places = new Map(rows.digests.map((digest, row) => [digest, plan.places[row]!]))
    const list = new RowBinary(4096)
    const copied: Copied[] = []
    let position = 0
    for (const piece of changed.pieces) {
      if ('base' in piece) {
        copied.push({ table: base.digest, range: piece.base, at: position })
        position += piece.base.to - piece.base.from
      } else
        for (const digest of piece.digests) indexRow(list, table, position++, digest, places.get(digest)!)
    }
    await this.insert(INDEX, list)
    await this.copy(table, copied)
    await this.finish(table, changed.length, await this.bytesOf(table), userId)
  }

  /** Where each row lies or will lie, and the block of those that are not there yet. */
  private async plan(project: string, { digests, texts, ends }: RowSet): Promise<Plan> {
    const known = await this.known(project, digests)
    const upload = nowMicros()
    const block = new RowBinary(texts.length + digests.length * 96 + 64)
    let n = 0
    const placeOf = (digest: string, i: number): Place => {
      const from = ends[i - 1] ?? 0
      const to = ends[i]!
      const bytes = to - from
      const there = known.get(digest)
      if (there) return { ...there, bytes }
      block.ascii(project)
      block.uint64(upload)
      block.uint32(n)
      block.ascii(digest)
      block.blob(texts, from, to)
      block.uint64(bytes)
      return { upload, n: n++, bytes }
    }
    const places: Place[] = []
    for await (const { from, to } of inTurns(digests.length, TURN_ROWS))
      for (let i = from; i < to; i++) places.push(placeOf(digests[i]!, i))
    return { places, block }
  }

  private insertRows(block: RowBinary): Promise<void> {
    return this.insert('table_rows (project_id, upload, n, digest, val, bytes)', block)
  }

  private async insert(into: string, rows: RowBinary): Promise<void> {
    if (rows.pos > 0) await this.store.insert(into, 'RowBinary', [rows.bytes()])
  }

  private async isThere({ project, digest }: TableKey): Promise<boolean> {
    return (await this.store.row(tableSizes(project, [digest]))) !== undefined
  }

  private async known(project: string, digests: readonly string[]): Promise<Map<string, Spot>> {
    const known = new Map<string, Spot>()
    if (digests.length === 0) return known
    const sentAlong = digests.length <= SENT_ALONG
    const list = randomUUID()
    if (!sentAlong) await this.addList(list, DigestList.of(digests))
    const rows = await this.store.rows<Spot & { digest: string }>(
      placesOf(project, sentAlong ? digests : { list }),
    )
    for (const { digest, upload, n } of rows) known.set(digest, { upload, n })
    return known
  }

  private async bytesOf(table: TableKey): Promise<number> {
    return Number((await this.store.row<{ bytes: number }>(bytesOf(table)))?.bytes ?? 0)
  }

  private async addList(list: string, digests: DigestList, first = 0): Promise<void> {
    const at = Math.floor(Date.now() / 1000)
    for (let from = first; from < digests.length; from += SLICE) {
      const to = Math.min(digests.length, from + SLICE)
      const block = new RowBinary((to - from) * 96)
      digests.each(from, to, (bytes, start, end, position) => {
        block.ascii(list)
        block.uint32(position)
        block.blob(bytes, start, end)
        block.uint32(at)
      })
      await this.insert('table_lists (list, position, row_digest, at)', block)
    }
  }

  private async finish(
    { project, digest }: TableKey,
    rows: number,
    bytes: number,
    userId: string,
  ): Promise<void> {
    const ver = nowMicros()
    await this.store.insertRows('tables', [
      { project_id: project, digest, rows, bytes, user_id: userId, created_at: ver, ver },
    ])
  }
}

function indexRow(rows: RowBinary, table: TableKey, position: number, digest: string, place: Place): void {
  rows.ascii(table.project)
  rows.ascii(table.digest)
  rows.uint32(position)
  rows.ascii(digest)
  rows.uint64(place.upload)
  rows.uint32(place.n)
  rows.uint64(place.bytes)
}

/**
 * Stores tables: first the new rows, then the list, and the table itself last, so that an existing table is complete.
 * Writing one again changes nothing.
 */
import { randomUUID } from 'node:crypto'
import { Batcher } from '../../platform/batch/batcher.js'
import { Bytes } from '../../platform/bytes/bytes.js'
import { RowBinary } from '../../platform/clickhouse/row-binary.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { nowMicros } from '../../platform/time/iso.js'
import { nextVersion } from '../../platform/time/versions.js'
import type { Workers } from '../workers/workers.js'
import type { Blocks, Placing } from './blocks.js'
import { DigestList } from './digest-list.js'
import type { NewVersion } from './prepare.js'
import { RecentTables } from './recent-tables.js'
import type { RowSet } from './rows.js'
import { adoptList, bytesOf, type Copied, copyList, placesOf, type TableKey, tableSizes } from './sql.js'
import { portions } from './update.js'

/** The most digests sent with a statement; longer lists are stored for it to read. */
const SENT_ALONG = 1000
/** Rows whose places one statement finds or copies. */
const SLICE = 100_000
/** A request with more bytes of rows than this is large; and how many large ones are written at once. */
const LARGE = 1 << 20
const LARGE_AT_ONCE = 2
/** The most pieces of a list that one statement copies, and how many such statements run at once. */
const PIECES = 50
const COPIES_AT_ONCE = 2
/** Bytes of a row in blocks, beside its text. */
const ROW_BYTES = 200

const INDEX = 'table_index (project_id, digest, position, row_digest, upload, n, bytes)'

/** Rows in the order of a table. */
type Listed = Pick<Blocks, 'digests' | 'order'>

export class TableWriter {
  /** limits concurrent large writes: each is in memory several times, here and in the store */
  private readonly large = new Batcher<() => Promise<void>, void>(([write]) => Promise.all([write!()]), {
    items: 1,
    concurrency: LARGE_AT_ONCE,
  })

  private readonly recent = new RecentTables()

  constructor(
    private readonly store: Store,
    private readonly workers: Workers,
  ) {}

  /**
   * Resolves when the table and its rows are stored. It transfers the memory of `order` and `rows` away, and returns the
   * parts that an answer needs.
   * @param order the index in `rows` of the row at each position
   */
  create(table: TableKey, order: Uint32Array<ArrayBuffer>, rows: RowSet, userId: string): Promise<Listed> {
    const write = () => this.write(table, order, rows, userId)
    if (rows.texts.length < LARGE) return write()
    return new Promise((resolve, reject) => {
      this.large.ask(async () => resolve(await write())).catch(reject)
    })
  }

  private async write(
    table: TableKey,
    order: Uint32Array<ArrayBuffer>,
    rows: RowSet,
    userId: string,
  ): Promise<Listed> {
    let listed: Listed = { digests: rows.digests, order }
    if (!(await this.isThere(table))) {
      const blocks = await this.blocks(table, { rows, order })
      await Promise.all([this.insertRows(blocks.rows), this.insert(INDEX, blocks.list)])
      await this.finish(table, blocks.order.length, blocks.bytes, userId)
      listed = blocks
    }
    const digests = DigestList.over(listed.digests)
    this.recent.note(table, digests.length > 0 ? digests.at(0) : undefined, listed.order.length)
    return listed
  }

  private async blocks(
    table: TableKey,
    placing: Pick<Placing, 'rows' | 'order' | 'positions'>,
  ): Promise<Blocks> {
    const { order, positions } = placing
    const rows = await this.masked(table.project, placing.rows)
    const known = await this.known(table.project, DigestList.over(rows.digests))
    const bytes = rows.texts.length + known.length + (rows.ends.length + order.length) * ROW_BYTES
    const placed = { table, rows, order, ...(positions && { positions }), known, upload: nowMicros() }
    return this.workers.run('blocks', placed, bytes)
  }

  /** Stores a table of rows that are already stored. */
  async createFromDigests(table: TableKey, rowDigests: DigestList, userId: string): Promise<void> {
    if (await this.isThere(table)) return
    const known = await this.beginning(table.project, rowDigests)
    await this.copy(table, known.pieces)
    await this.adopt(table, rowDigests, known.length)
    const isWhole = known.length === rowDigests.length
    await this.finish(table, rowDigests.length, isWhole ? known.bytes : await this.bytesOf(table), userId)
  }

  /** The remembered tables that the list begins with and that still exist. */
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

  /** Stores the list from row `from` on, with the places of its rows. */
  private async adopt(table: TableKey, rowDigests: DigestList, from: number): Promise<void> {
    if (from >= rowDigests.length) return
    const list = randomUUID()
    await this.addList(list, rowDigests, from)
    const slices = Math.ceil((rowDigests.length - from) / SLICE)
    for (let slice = 0; slice < slices; slice++) await this.store.run(adoptList(table, list, slice, slices))
  }

  /** Stores a changed version of `base`: first the new rows, then the kept parts of its list. */
  async change(base: TableKey, made: NewVersion, userId: string): Promise<void> {
    const table = { project: base.project, digest: made.digest }
    if (await this.isThere(table)) return
    const blocks = await this.blocks(table, made)
    await this.insertRows(blocks.rows)
    await this.insert(INDEX, blocks.list)
    const copied = made.kept.map((kept) => ({ ...kept, table: base.digest }))
    await this.copy(table, copied)
    await this.finish(table, made.length, await this.bytesOf(table), userId)
  }

  /** The rows as they are to be stored, under the digests of what was sent. */
  private async masked(project_id: string, rows: RowSet): Promise<RowSet> {
    const texts: { project_id: string; val: Uint8Array }[] = []
    for (let i = 0; i < rows.ends.length; i++)
      texts.push({ project_id, val: rows.texts.subarray(i === 0 ? 0 : rows.ends[i - 1], rows.ends[i]) })
    const stored = await this.store.changed('table_rows', texts)
    if (stored === texts) return rows
    const all = new Bytes(rows.texts.length)
    const ends = stored.map(({ val }) => {
      all.copy(val, 0, val.length)
      return all.pos
    })
    // In memory of its own: it is handed over to a thread.
    const made = new Uint8Array(all.pos)
    made.set(all.buf.subarray(0, all.pos))
    return { ...rows, texts: made, ends: Uint32Array.from(ends) }
  }

  private insertRows(block: Uint8Array): Promise<void> {
    return this.insert('table_rows (project_id, upload, n, digest, val, bytes)', block)
  }

  private async insert(into: string, block: Uint8Array): Promise<void> {
    if (block.length > 0) await this.store.insert(into, 'RowBinary', [block])
  }

  private async isThere({ project, digest }: TableKey): Promise<boolean> {
    return (await this.store.row(tableSizes(project, [digest]))) !== undefined
  }

  /** The places of the rows that are already stored, in RowBinary. */
  private async known(project: string, digests: DigestList): Promise<Uint8Array<ArrayBuffer>> {
    if (digests.length === 0) return new Uint8Array()
    const sentAlong = digests.length <= SENT_ALONG
    const list = randomUUID()
    if (!sentAlong) await this.addList(list, digests)
    return this.store.bytes(placesOf(project, sentAlong ? [...digests.texts()] : { list }), 'RowBinary')
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
      await this.insert('table_lists (list, position, row_digest, at)', block.bytes())
    }
  }

  private async finish(
    { project, digest }: TableKey,
    rows: number,
    bytes: number,
    userId: string,
  ): Promise<void> {
    const stored = { created_at: nowMicros(), ver: nextVersion() }
    await this.store.insertRows('tables', [
      { project_id: project, digest, rows, bytes, user_id: userId, ...stored },
    ])
  }
}

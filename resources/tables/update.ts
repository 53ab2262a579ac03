/** Applies changes to a table's list: the result is pieces of the old list and new rows. Pure. */
import { createHash } from 'node:crypto'
import { errors } from '../../platform/errors/catalog.js'
import type { DigestList } from './digest-list.js'
import type { Copied, Range } from './sql.js'

/** A change of a list; `row` is the index of a new row. */
export type Change =
  | { kind: 'append'; row: number }
  | { kind: 'pop'; index: number }
  | { kind: 'insert'; index: number; row: number }

/** A range of the old list, its end exclusive, or new rows. */
type Piece = { base: Range } | { rows: number[] }

/** The most new rows in one piece: inserting a row moves those behind it. */
const LONGEST = 4096

/** The most changes inside a list: each makes pieces, and finding a position goes piece by piece. */
const MOST_INSIDE = 10_000

/** Splits copies into portions of at most `rows` rows and `pieces` pieces. */
export function* portions(copied: readonly Copied[], rows: number, pieces: number): Generator<Copied[]> {
  let portion: Copied[] = []
  let room = rows
  for (const { table, range, at } of copied)
    for (let { from } = range; from < range.to; ) {
      const to = Math.min(range.to, from + room)
      portion.push({ table, range: { from, to }, at: at + from - range.from })
      room -= to - from
      from = to
      if (room > 0 && portion.length < pieces) continue
      yield portion
      portion = []
      room = rows
    }
  if (portion.length > 0) yield portion
}

/** A list after changes. */
export interface Changed {
  digest: string
  length: number
  /** the kept ranges of the old list, and their new positions */
  kept: { range: Range; at: number }[]
  /** the index of the new row at each of `positions` */
  order: Uint32Array<ArrayBuffer>
  positions: Uint32Array<ArrayBuffer>
  /** digest of the row that each change added or removed */
  touched: string[]
}

/** Digests of the new rows. */
interface Rows {
  digestOf(row: number): string
}

/** Applies `changes` to the list `base`. @throws 400 for an index out of range, 413 for too many changes inside */
export function applyChanges(base: DigestList, changes: readonly Change[], rows: Rows): Changed {
  if (changes.filter(({ kind }) => kind !== 'append').length > MOST_INSIDE)
    throw errors.tooMany('pops and inserts', MOST_INSIDE)
  const list = new PieceList(base.length)
  const touched = changes.map((change) => {
    if (change.kind === 'append') {
      list.insert(list.length, change.row)
      return rows.digestOf(change.row)
    }
    const most = change.kind === 'pop' ? list.length - 1 : list.length
    if (change.index < 0 || change.index > most)
      throw errors.badRequest(
        `No row ${change.index} to ${change.kind}: the table then has ${list.length} rows.`,
      )
    if (change.kind === 'insert') {
      list.insert(change.index, change.row)
      return rows.digestOf(change.row)
    }
    const popped = list.remove(change.index)
    return 'row' in popped ? rows.digestOf(popped.row) : base.at(popped.position)
  })
  return { ...placesOf(list), digest: digestOf(base, list.pieces, rows), length: list.length, touched }
}

function placesOf({ pieces }: PieceList): Pick<Changed, 'kept' | 'order' | 'positions'> {
  const kept: Changed['kept'] = []
  const [order, positions]: [number[], number[]] = [[], []]
  let at = 0
  for (const piece of pieces) {
    if ('base' in piece) kept.push({ range: piece.base, at })
    else
      for (const [i, row] of piece.rows.entries()) {
        order.push(row)
        positions.push(at + i)
      }
    at += sizeOf(piece)
  }
  return { kept, order: Uint32Array.from(order), positions: Uint32Array.from(positions) }
}

function digestOf(base: DigestList, pieces: readonly Piece[], rows: Rows): string {
  const hash = createHash('sha256')
  for (const piece of pieces) {
    if ('base' in piece) hash.update(base.joined(piece.base.from, piece.base.to))
    else for (const row of piece.rows) hash.update(rows.digestOf(row))
  }
  return hash.digest('hex')
}

const sizeOf = (piece: Piece) => ('base' in piece ? piece.base.to - piece.base.from : piece.rows.length)

/** The non-empty pieces of a list. */
class PieceList {
  readonly pieces: Piece[]

  constructor(public length: number) {
    this.pieces = length > 0 ? [{ base: { from: 0, to: length } }] : []
  }

  /** Inserts `row` before the one at `index`, or at the end. */
  insert(index: number, row: number): void {
    const [i, at] = this.place(index)
    this.length++
    const piece = this.pieces[i]
    const before = this.pieces[i - 1]
    if (piece && 'rows' in piece) {
      piece.rows.splice(at, 0, row)
      if (piece.rows.length > LONGEST) this.pieces.splice(i, 1, ...halvesOf(piece.rows))
    } else if (at === 0 && before && 'rows' in before && before.rows.length < LONGEST) before.rows.push(row)
    else this.split(i, at, { rows: [row] })
  }

  /** Removes the row at `index`. @returns the new row, or its position in the old list */
  remove(index: number): { row: number } | { position: number } {
    const [i, at] = this.place(index)
    const piece = this.pieces[i]!
    this.length--
    if ('rows' in piece) {
      const [row] = piece.rows.splice(at, 1)
      if (piece.rows.length === 0) this.pieces.splice(i, 1)
      return { row: row! }
    }
    const position = piece.base.from + at
    this.split(i, at, undefined)
    const rest = this.pieces.findIndex((one, n) => n >= i && 'base' in one && one.base.from === position)
    this.shorten(rest)
    return { position }
  }

  /** Splits the piece `i` before its row `at`, with `between` in the gap. */
  private split(i: number, at: number, between: Piece | undefined): void {
    const piece = this.pieces[i]
    const parts: Piece[] = []
    if (piece && 'base' in piece) {
      const { from, to } = piece.base
      if (at > 0) parts.push({ base: { from, to: from + at } })
      if (between) parts.push(between)
      if (from + at < to) parts.push({ base: { from: from + at, to } })
      this.pieces.splice(i, 1, ...parts)
    } else if (between) this.pieces.splice(i, 0, between)
  }

  /** Removes the first row of the piece `i`, a range of the old list. */
  private shorten(i: number): void {
    const piece = this.pieces[i]
    if (!piece || !('base' in piece)) return
    if (piece.base.to - piece.base.from === 1) this.pieces.splice(i, 1)
    else piece.base.from++
  }

  /** The piece that holds `index`, and the place in it; past the end, the number of pieces. */
  private place(index: number): [number, number] {
    if (index === this.length) return [this.pieces.length, 0]
    let left = index
    for (const [i, piece] of this.pieces.entries()) {
      const size = sizeOf(piece)
      if (left < size) return [i, left]
      left -= size
    }
    return [this.pieces.length, 0]
  }
}

function halvesOf(rows: number[]): Piece[] {
  const middle = rows.length >> 1
  return [{ rows: rows.slice(0, middle) }, { rows: rows.slice(middle) }]
}

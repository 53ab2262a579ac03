/** A table's list after changes, as pieces of the list before and rows of its own. Pure. */
import { createHash } from 'node:crypto'
import { errors } from '../../platform/errors/catalog.js'
import type { DigestList } from './digest-list.js'
import type { Change } from './prepare.js'
import type { Copied, Range } from './sql.js'

/** Rows of the list before, the last position not included, or rows by digest. */
export type Piece = { base: Range } | { digests: string[] }

/** Looking for a place goes piece by piece, and these make pieces. */
const MOST_INSIDE = 10_000

/** The same rows in portions of at most `rows` rows and `pieces` pieces. */
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

export interface Changed {
  pieces: Piece[]
  digest: string
  length: number
  /** of the row that each change put in or took out */
  touched: string[]
}

/** Applies `changes` to the list `base`. @throws 400 for an index that is not there, 413 for too many inside */
export function applyChanges(base: DigestList, changes: readonly Change[]): Changed {
  if (changes.filter(({ kind }) => kind !== 'append').length > MOST_INSIDE)
    throw errors.tooMany('pops and inserts', MOST_INSIDE)
  const list = new PieceList(base.length)
  const touched = changes.map((change) => {
    if (change.kind === 'append') {
      list.insert(list.length, change.digest)
      return change.digest
    }
    const most = change.kind === 'pop' ? list.length - 1 : list.length
    if (change.index < 0 || change.index > most)
      throw errors.badRequest(
        `No row ${change.index} to ${change.kind}: the table then has ${list.length} rows.`,
      )
    if (change.kind === 'insert') {
      list.insert(change.index, change.digest)
      return change.digest
    }
    const popped = list.remove(change.index)
    return typeof popped === 'string' ? popped : base.at(popped)
  })
  return { pieces: list.pieces, digest: digestOf(base, list.pieces), length: list.length, touched }
}

function digestOf(base: DigestList, pieces: readonly Piece[]): string {
  const hash = createHash('sha256')
  for (const piece of pieces) {
    if ('base' in piece) hash.update(base.joined(piece.base.from, piece.base.to))
    else for (const digest of piece.digests) hash.update(digest)
  }
  return hash.digest('hex')
}

const sizeOf = (piece: Piece) => ('base' in piece ? piece.base.to - piece.base.from : piece.digests.length)

/** The pieces of a list, none of them empty. */
class PieceList {
  readonly pieces: Piece[]

  constructor(public length: number) {
    this.pieces = length > 0 ? [{ base: { from: 0, to: length } }] : []
  }

  /** Puts `digest` before the row at `index`, or at the end. */
  insert(index: number, digest: string): void {
    const [i, at] = this.place(index)
    this.length++
    const piece = this.pieces[i]
    const before = this.pieces[i - 1]
    if (piece && 'digests' in piece) piece.digests.splice(at, 0, digest)
    else if (at === 0 && before && 'digests' in before) before.digests.push(digest)
    else this.split(i, at, { digests: [digest] })
  }

  /** Takes out the row at `index`: its digest, or its position in the list before. */
  remove(index: number): string | number {
    const [i, at] = this.place(index)
    const piece = this.pieces[i]!
    this.length--
    if ('digests' in piece) {
      const [digest] = piece.digests.splice(at, 1)
      if (piece.digests.length === 0) this.pieces.splice(i, 1)
      return digest!
    }
    const position = piece.base.from + at
    this.split(i, at, undefined)
    const rest = this.pieces.findIndex((one, n) => n >= i && 'base' in one && one.base.from === position)
    this.shorten(rest)
    return position
  }

  /** Cuts the piece `i` before its row `at`, with `between` in the cut. */
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

  /** Takes the first row off the piece `i`, of the list before. */
  private shorten(i: number): void {
    const piece = this.pieces[i]
    if (!piece || !('base' in piece)) return
    if (piece.base.to - piece.base.from === 1) this.pieces.splice(i, 1)
    else piece.base.from++
  }

  /** The piece that holds `index` and where in it; behind the last one, the number of pieces. */
  private place(index: number): [number, number] {
    if (index === this.length) {
      const last = this.pieces.at(-1)
      return last && 'digests' in last
        ? [this.pieces.length - 1, last.digests.length]
        : [this.pieces.length, 0]
    }
    let left = index
    for (const [i, piece] of this.pieces.entries()) {
      const size = sizeOf(piece)
      if (left < size) return [i, left]
      left -= size
    }
    return [this.pieces.length, 0]
  }
}

/**
 * A block of calls, built column by column and sent to ClickHouse in one piece (Native format). Values go straight into
 * the columns' bytes: set a row's values, then call `endRow`; values not set are unset ('' , the epoch, the smallest
 * Int64). Knows the table's columns and nothing of the source of values.
 */

import { Bytes } from '../../platform/bytes/bytes.js'
import type { BlockLayout } from './block-reader.js'
import { type Column, Int64Column, IntColumn, StringColumn, UInt32ArrayColumn } from './column.js'
import { LowCardinalityColumn } from './low-cardinality.js'
import { type CallTable, type KindOf, type SentColumn, sentColumns } from './schema.js'

/** A position in a block to roll back to. */
export interface BlockMark {
  readonly rows: number
  readonly marks: readonly number[]
}

/** The column class for each kind. */
const COLUMNS_BY_KIND = {
  text: () => new StringColumn(),
  textOrUnset: () => new StringColumn(),
  json: () => new StringColumn(),
  sharedText: () => new LowCardinalityColumn(),
  time: () => new Int64Column(),
  timeOrUnset: () => new Int64Column(),
  integerOrUnset: () => new Int64Column('smallest'),
  uint8: () => new IntColumn(1),
  uint32: () => new IntColumn(4),
  uint64: () => new Int64Column(),
  hashes: () => new UInt32ArrayColumn(),
  half: () => new IntColumn(1),
}

type NamedColumns = { readonly [Name in SentColumn]: ReturnType<(typeof COLUMNS_BY_KIND)[KindOf<Name>]> }

/** A block has all columns, whichever of them it sends. */
const SENT = sentColumns('calls_open')

/** The index of a column in {@link CallBlock.columns}. */
export const columnIndexOf = (name: SentColumn): number => SENT.findIndex((column) => column.name === name)

/** Has a property per column. Defined one by one, the engine compiles them to plain loads. */
const Named = class {
  constructor() {
    for (const { name, kind } of SENT) {
      const value = COLUMNS_BY_KIND[kind as KindOf<SentColumn>]()
      Object.defineProperty(this, name, { value, enumerable: true })
    }
  }
} as new () => NamedColumns

export class CallBlock extends Named {
  readonly table: CallTable
  /** By index, for loops over columns. */
  readonly columns: readonly Column[]
  readonly #sent: readonly { name: SentColumn; sentType: string }[]
  readonly #marks: number[]
  /** Text columns and the others, with their indexes. */
  readonly #textColumns: readonly StringColumn[]
  readonly #textIndexes: readonly number[]
  readonly #otherColumns: readonly Column[]
  readonly #otherIndexes: readonly number[]
  #rows = 0

  constructor(table: CallTable = 'calls') {
    super()
    this.table = table
    this.#sent = sentColumns(table)
    this.columns = SENT.map(({ name }) => this[name])
    this.#marks = this.columns.map(() => 0)
    const indexes = this.columns.map((_, index) => index)
    this.#textIndexes = indexes.filter((index) => this.columns[index] instanceof StringColumn)
    this.#otherIndexes = indexes.filter((index) => !this.#textIndexes.includes(index))
    this.#textColumns = this.#textIndexes.map((index) => this.columns[index] as StringColumn)
    this.#otherColumns = this.#otherIndexes.map((index) => this.columns[index]!)
  }

  /** The names of its columns. */
  get names(): readonly SentColumn[] {
    return SENT.map(({ name }) => name)
  }

  /** The number of rows closed by `endRow`. */
  get rows(): number {
    return this.#rows
  }

  /** The approximate size of `encode`'s result (without names and types). */
  get byteLength(): number {
    return this.columns.reduce((sum, column) => sum + column.byteLength, 0)
  }

  /**
   * Closes the row: unset columns get their unset value; `bytes`, if not set, the size of the four JSON texts, and
   * `span_indexed` whether there is no span to index.
   */
  endRow(): void {
    const rows = ++this.#rows
    const marks = this.#marks
    if (this.bytes.count < rows) this.bytes.number(this.#texts(rows))
    if (this.span_indexed.count < rows) this.span_indexed.int(this.#hasSpan(rows) ? 0 : 1)
    const texts = this.#textColumns
    const indexes = this.#textIndexes
    // Loop over columns of one class separately: the engine compiles that to plain loads.
    for (let i = 0; i < texts.length; i++) {
      const column = texts[i]!
      if (column.count < rows) column.unset()
      marks[indexes[i]!] = column.pos
    }
    const others = this.#otherColumns
    const otherIndexes = this.#otherIndexes
    for (let i = 0; i < others.length; i++) {
      const column = others[i]!
      if (column.count < rows) column.unset()
      marks[otherIndexes[i]!] = column.mark()
    }
  }

  /** Closes `count` rows whose values were appended by column; columns that have none are unset. */
  endRows(count: number): void {
    this.#rows += count
    for (const column of this.columns) while (column.count < this.#rows) column.unset()
    this.noteEnds()
  }

  #hasSpan(rows: number): boolean {
    return this.otel_span.count === rows && this.otel_span.lastLength > 0
  }

  #texts(rows: number): number {
    let size = 0
    for (const column of [this.inputs, this.output, this.attributes, this.summary]) {
      if (column.count === rows) size += column.lastLength
    }
    return size
  }

  /** Records the ends of the columns, after closed rows of one were rewritten. */
  noteEnds(): void {
    for (let i = 0; i < this.columns.length; i++) this.#marks[i] = this.columns[i]!.mark()
  }

  /** Drops values appended since the last `endRow`. */
  dropRow(): void {
    this.rollback({ rows: this.#rows, marks: this.#marks })
  }

  /** The position after the last closed row. */
  mark(): BlockMark {
    return { rows: this.#rows, marks: [...this.#marks] }
  }

  /** Drops every row closed, and every value appended, after `mark`. */
  rollback(mark: BlockMark): void {
    this.#rows = mark.rows
    this.columns.forEach((column, i) => {
      this.#marks[i] = mark.marks[i]!
      column.rewind(mark.rows, mark.marks[i]!)
    })
  }

  /** Empties the block, keeping its memory. */
  clear(): void {
    this.rollback({ rows: 0, marks: this.columns.map(() => 0) })
    for (const column of this.columns) {
      if (column instanceof StringColumn) column.shrink()
      else if (column instanceof LowCardinalityColumn) column.forget()
    }
  }

  /** Encodes the rows as one Native block, for an insert into `insertTarget(table)`. Leaves the block unchanged. */
  encode(): Uint8Array<ArrayBuffer> {
    return this.layout().bytes as Uint8Array<ArrayBuffer>
  }

  /**
   * Like {@link encode}, with the columns' offsets. Uses the memory `spare` if it is large enough, since reused memory
   * is three times as fast as new memory. `clear` the block to build the next.
   */
  layout(spare?: ArrayBufferLike): BlockLayout {
    const size = this.byteLength + this.#sent.length * 64 + 16
    const out = spare !== undefined && spare.byteLength >= size ? Bytes.over(spare) : new Bytes(size)
    const at = new Map<SentColumn, number>()
    out.varint(this.#sent.length)
    out.varint(this.#rows)
    for (const { name, sentType } of this.#sent) {
      out.varint(name.length)
      out.utf8(name)
      out.varint(sentType.length)
      out.utf8(sentType)
      at.set(name, out.pos)
      this[name].write(out)
    }
    return { bytes: new Uint8Array(out.buf.buffer, 0, out.pos), rows: this.#rows, at }
  }
}

/**
 * A block of calls, built column by column and sent to ClickHouse in one piece (Native format). Values go straight
 * into the columns' bytes: set what a row has, then `endRow`; what was not set is unset ('' , the epoch, the
 * smallest Int64). Knows the table's columns and nothing of where a value comes from.
 */
import type { BlockLayout } from './block-reader.js'
import { Bytes } from './bytes.js'
import { type Column, Int64Column, IntColumn, StringColumn, UInt32ArrayColumn } from './column.js'
import { CALL_COLUMNS, type CallColumn, type CallTable, KIND_COLUMN } from './columns.js'
import { LowCardinalityColumn } from './low-cardinality.js'

/** A place in a block that it can be rolled back to. */
export interface BlockMark {
  readonly rows: number
  readonly marks: readonly number[]
}

export class CallBlock implements Record<CallColumn, Column> {
  readonly project_id = new StringColumn()
  readonly id = new StringColumn()
  readonly trace_id = new StringColumn()
  readonly parent_id = new StringColumn()
  readonly thread_id = new StringColumn()
  readonly turn_id = new StringColumn()
  readonly op_name = new StringColumn()
  readonly display_name = new StringColumn()
  readonly started_at = new Int64Column()
  readonly ended_at = new Int64Column()
  readonly exception = new StringColumn()
  readonly inputs = new StringColumn()
  readonly output = new StringColumn()
  readonly attributes = new StringColumn()
  readonly summary = new StringColumn()
  readonly otel_span = new StringColumn()
  readonly otel_shape = new LowCardinalityColumn()
  readonly otel_origin = new LowCardinalityColumn()
  readonly descendant_errors = new IntColumn(4)
  readonly user_id = new StringColumn()
  readonly run_id = new StringColumn()
  readonly run_step = new Int64Column('smallest')
  readonly run_step_end = new Int64Column('smallest')
  readonly leaves = new UInt32ArrayColumn()
  readonly bytes = new Int64Column()
  readonly ver = new Int64Column()
  readonly kind = new IntColumn(1)

  readonly table: CallTable
  readonly #sent: readonly (readonly [CallColumn, string])[]
  readonly #columns: readonly Column[]
  readonly #marks: number[]
  #rows = 0

  constructor(table: CallTable = 'calls') {
    this.table = table
    this.#sent = table === 'calls' ? CALL_COLUMNS : [...CALL_COLUMNS, KIND_COLUMN]
    this.#columns = [...CALL_COLUMNS.map(([name]) => this[name]), this.kind]
    this.#marks = this.#columns.map(() => 0)
  }

  /** Rows that `endRow` has closed. */
  get rows(): number {
    return this.#rows
  }

  /** Bytes that `encode` will return, nearly (without names and types). */
  get byteLength(): number {
    return this.#columns.reduce((sum, column) => sum + column.byteLength, 0)
  }

  /** Closes the row: unset columns get their unset value; `bytes`, if not set, the size of the four JSON texts. */
  endRow(): void {
    const rows = ++this.#rows
    const columns = this.#columns
    const marks = this.#marks
    if (this.bytes.count < rows) this.bytes.number(this.#texts(rows))
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i]!
      if (column.count < rows) column.unset()
      marks[i] = column.mark()
    }
  }

  #texts(rows: number): number {
    let size = 0
    for (const column of [this.inputs, this.output, this.attributes, this.summary]) {
      if (column.count === rows) size += column.lastLength
    }
    return size
  }

  /** Drops what was appended since the last `endRow`. */
  dropRow(): void {
    this.rollback({ rows: this.#rows, marks: this.#marks })
  }

  /** The place after the last closed row. */
  mark(): BlockMark {
    return { rows: this.#rows, marks: [...this.#marks] }
  }

  /** Drops every row closed, and every value appended, after `mark`. */
  rollback(mark: BlockMark): void {
    this.#rows = mark.rows
    this.#columns.forEach((column, i) => {
      this.#marks[i] = mark.marks[i]!
      column.rewind(mark.rows, mark.marks[i]!)
    })
  }

  /** Empties the block and keeps its memory for the next one. */
  clear(): void {
    this.rollback({ rows: 0, marks: this.#columns.map(() => 0) })
    for (const column of this.#columns) {
      if (column instanceof StringColumn) column.shrink()
      else if (column instanceof LowCardinalityColumn) column.forget()
    }
  }

  /** The rows as one Native block; the body of `insertStatement(table)`. The block itself is left as it is. */
  encode(): Uint8Array<ArrayBuffer> {
    return this.layout().bytes as Uint8Array<ArrayBuffer>
  }

  /**
   * The same, and where its columns are. Its memory is `spare`, if that is large enough, since memory used before is
   * three times as fast as new memory; else memory of its own. `clear` the block to build the next.
   */
  layout(spare?: ArrayBufferLike): BlockLayout {
    const size = this.byteLength + this.#sent.length * 64 + 16
    const out = spare !== undefined && spare.byteLength >= size ? Bytes.over(spare) : new Bytes(size)
    const at = new Map<CallColumn, number>()
    out.varint(this.#sent.length)
    out.varint(this.#rows)
    this.#sent.forEach(([name, type], i) => {
      out.varint(name.length)
      out.utf8(name)
      out.varint(type.length)
      out.utf8(type)
      at.set(name, out.pos)
      this.#columns[i]!.write(out)
    })
    return { bytes: new Uint8Array(out.buf.buffer, 0, out.pos), rows: this.#rows, at }
  }
}

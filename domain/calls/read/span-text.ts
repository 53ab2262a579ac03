/**
 * Rebuilds the text of an exporter's span from the three columns that store it (`domain/calls/otel-span.ts` defines the
 * marks): the shape with its values filled in, and the shared end.
 */
import { type Bytes, viewOf } from '../../../platform/bytes/bytes.js'
import { MARKS } from '../otel-span.js'
import type { RowCursor } from './row.js'
import { writeMicros } from './write-time.js'

const code = (text: string) => text.charCodeAt(0)
const VALUE = code(MARKS.value)
const START = code(MARKS.start)
const LAST = code(MARKS.end)
const QUOTE = 0x22
/** The key of an object begins after `{"`, and its value after `":`. */
const [KEY, AFTER_KEY] = [2, 2]

/** A parsed shape: the text before each mark, and after the last one. */
interface Shape {
  readonly text: Buffer
  readonly view: DataView
  /** the positions of the marks */
  readonly marks: readonly number[]
}

/** Cached shapes. A list has few, in rows of any order. */
const KEPT = 256

export class SpanText {
  private readonly shapes = new Map<number, Shape>()
  private readonly span: number
  private readonly shape: number
  private readonly origin: number
  private readonly inputs: number
  private readonly output: number
  /** the column of each id and time, by its mark */
  private readonly columns: readonly number[]

  constructor(private readonly row: RowCursor) {
    this.span = row.indexOf('otel_span')
    this.shape = row.indexOf('otel_shape')
    this.origin = row.indexOf('otel_origin')
    this.inputs = row.indexOf('inputs')
    this.output = row.indexOf('output')
    const columns = [] as number[]
    columns[code(MARKS.traceId)] = row.indexOf('trace_id')
    columns[code(MARKS.id)] = row.indexOf('id')
    columns[code(MARKS.parentId)] = row.indexOf('parent_id')
    columns[code(MARKS.start)] = row.indexOf('started_at')
    columns[code(MARKS.end)] = row.indexOf('ended_at')
    this.columns = columns
  }

  /** An estimate of its length, or more. */
  size(): number {
    const { from, to } = this.row
    const of = (index: number) => to[index]! - from[index]!
    const shape = of(this.shape)
    const shared = shape === 0 ? 0 : shape + of(this.origin) + of(this.inputs) + of(this.output)
    return of(this.span) + shared
  }

  /** Appends the text of the row's span. */
  write(out: Bytes): void {
    const { bytes, view, from, to } = this.row
    const end = to[this.span]!
    let value = from[this.span]!
    if (to[this.shape] === from[this.shape]) {
      out.copyView(view, value, end)
      return
    }
    const { text, view: around, marks } = this.shapeOf()
    out.reserve(text.length + end - value)
    let at = 0
    for (const position of marks) {
      out.copyView(around, at, position)
      at = position + 1
      const mark = text[position]!
      if (mark === VALUE) value = this.value(out, value, end)
      else if (mark <= code(MARKS.outputValue)) {
        const column = mark <= code(MARKS.inputsValue) ? this.inputs : this.output
        const isWhole = mark === code(MARKS.inputs) || mark === code(MARKS.output)
        if (isWhole) out.copyView(view, from[column]!, to[column]!)
        // The value of a JSON object with a single key, whose name has no quote.
        else out.copyView(view, bytes.indexOf(QUOTE, from[column]! + KEY) + AFTER_KEY, to[column]! - 1)
      } else {
        const column = this.columns[mark]!
        if (mark < START) out.copyView(view, from[column]!, to[column]!)
        else writeMicros(out, this.row.whole(column))
      }
    }
    out.copyView(around, at, text.length)
    // After the last mark comes what few spans have: events, links, dropped counts.
    out.copyView(view, Math.min(value, end), end)
    out.copyView(view, from[this.origin]!, to[this.origin]!)
  }

  /** Appends the value at `from`, up to the next mark; returns the start of the next one. */
  private value(out: Bytes, from: number, end: number): number {
    const { bytes, view } = this.row
    let to = from
    while (to < end && bytes[to] !== VALUE) to++
    if (from < to) out.copyView(view, from, to)
    return to + 1
  }

  private shapeOf(): Shape {
    const { bytes, from, to } = this.row
    const start = from[this.shape]!
    const end = to[this.shape]!
    // Shapes of equal length are usually the same.
    const known = this.shapes.get(end - start)
    if (known && known.text.compare(bytes, start, end) === 0) return known
    const text = Buffer.from(bytes.subarray(start, end))
    const marks: number[] = []
    for (let i = 0; i < text.length; i++) if (text[i]! >= VALUE && text[i]! <= LAST) marks.push(i)
    const shape = { text, view: viewOf(text), marks }
    if (this.shapes.size >= KEPT) this.shapes.clear()
    this.shapes.set(text.length, shape)
    return shape
  }
}

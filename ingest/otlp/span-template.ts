/**
 * A span's JSON text without its values: what spans of the same attribute keys, kind and status share. Made once, kept
 * with the plan of the keys. How it is stored and read back is in `domain/calls/otel-span.ts`; which values go between
 * is `dump.ts`'s.
 */

import type { Shared } from '../../domain/calls/low-cardinality.js'
import { MARKS } from '../../domain/calls/otel-span.js'
import type { LiteralOffset, Nesting } from './nesting.js'

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']
const STATUSES = ['UNSET', 'OK', 'ERROR']
const HEADS = KINDS.length * STATUSES.length * 8

export interface SpanTemplate extends Shared {
  /** The attributes among the values, by their number in the span; values of the head precede, one of the tail follows. */
  readonly attributes: Int32Array
}

/** What the text around a span's values depends on. */
interface SpanHead {
  readonly kind: number
  readonly statusCode: number
  readonly parentIdFrom: number
  readonly parentIdTo: number
  /** negative: none */
  readonly end: number
}

/** A stretch of the attributes' text that stands in another column, too. */
export interface Cut {
  readonly start: LiteralOffset
  readonly end: LiteralOffset
  readonly mark: string
  /** Smaller than 127, and another one for another stretch or mark. */
  readonly number: number
}

/** The skeletons of the spans of one plan. */
export class SpanTemplates {
  readonly #nesting: Nesting
  readonly #made = new Map<number, SpanTemplate>()

  constructor(nesting: Nesting) {
    this.#nesting = nesting
  }

  /**
   * The skeleton of `span` without the stretches that stand in inputs and output.
   * @param own the span's ids and times are the call's
   */
  of(span: SpanHead, inputs: Cut | undefined, output: Cut | undefined, own: boolean): SpanTemplate {
    const head = headOf(span) * 2 + (own ? 1 : 0)
    const key = ((output?.number ?? 127) * 128 + (inputs?.number ?? 127)) * HEADS + head
    let template = this.#made.get(key)
    if (template === undefined) {
      const cuts = [inputs, output].filter((cut) => cut !== undefined)
      template = templateOf(head, this.#nesting, cuts)
      this.#made.set(key, template)
    }
    return template
  }
}

/** A number for what the text around a span's own values depends on. */
function headOf(span: SpanHead): number {
  const kind = span.kind < KINDS.length ? span.kind : 0
  const status = span.statusCode < STATUSES.length ? span.statusCode : 0
  const hasParent = span.parentIdFrom < span.parentIdTo ? 1 : 0
  return ((kind * STATUSES.length + status) * 2 + hasParent) * 2 + (span.end < 0 ? 0 : 1)
}

/** What stands before each value of the head, and before the attributes. */
function headLiterals(head: number): string[] {
  const kind = KINDS[Math.floor(head / 8 / STATUSES.length)]
  const status = STATUSES[Math.floor(head / 8) % STATUSES.length]
  const hasParent = (head & 4) !== 0
  const hasEnd = (head & 2) !== 0
  const id = (mark: string) => `"${isOwn(head) ? mark : MARKS.value}"`
  const time = (mark: string) => (isOwn(head) ? `"${mark}${MARKS.value}Z"` : MARKS.value)
  const text = [
    `{"name":${MARKS.value},"context":{"trace_id":${id(MARKS.traceId)},"span_id":${id(MARKS.id)}`,
    `,"trace_state":${MARKS.value}},"kind":"${kind}","parent_id":${hasParent ? id(MARKS.parentId) : 'null'}`,
    `,"start_time":${time(MARKS.start)},"end_time":${hasEnd ? time(MARKS.end) : 'null'}`,
    `,"status":{"code":"${status}","message":${MARKS.value}},"attributes":`,
  ]
  return text.join('').split(MARKS.value)
}

function isOwn(head: number): boolean {
  return (head & 1) !== 0
}

/** Offsets count bytes, so the text is built of bytes, each a character, until it is whole. */
function templateOf(head: number, nesting: Nesting, cuts: readonly Cut[]): SpanTemplate {
  const { literals: all, ends, values } = nesting
  const bytes = Buffer.from(all.buffer, all.byteOffset, all.byteLength).toString('latin1')
  const startOf = (piece: number) => (piece === 0 ? 0 : ends[piece - 1]!)
  const literals = headLiterals(head)
  let literal = literals.pop()!
  const attributes: number[] = []
  let at: LiteralOffset = { piece: 0, offset: 0 }
  const copyTo = (to: LiteralOffset) => {
    for (let { piece } = at; piece < to.piece; piece++) {
      literals.push(literal + bytes.slice(startOf(piece) + (piece === at.piece ? at.offset : 0), ends[piece]))
      literal = ''
      attributes.push(values[piece]!)
    }
    const from = startOf(to.piece)
    literal += bytes.slice(from + (to.piece === at.piece ? at.offset : 0), from + to.offset)
    at = to
  }
  for (const { start, end, mark } of [...cuts].sort((a, b) => order(a.start, b.start))) {
    if (order(start, at) < 0) continue
    copyTo(start)
    literal += mark
    at = end
  }
  const last = values.length
  copyTo({ piece: last, offset: ends[last]! - startOf(last) })
  literals.push(literal)
  const text = Buffer.from(literals.join(MARKS.value), 'latin1').toString()
  return { text, index: 0, dictionary: 0, attributes: Int32Array.from(attributes) }
}

function order(a: LiteralOffset, b: LiteralOffset): number {
  return a.piece - b.piece || a.offset - b.offset
}

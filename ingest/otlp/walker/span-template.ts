/**
 * A span's JSON text without its values: what spans of the same attribute keys, kind and status share. Made once, kept
 * with the plan of the keys. How it is stored and read back is in `domain/calls/otel-span.ts`.
 */

import { SPAN_KINDS, SPAN_STATUSES } from '../../../domain/agents/keys.js'
import type { Shared } from '../../../domain/calls/low-cardinality.js'
import { MARKS } from '../../../domain/calls/otel-span.js'
import type { LiteralOffset, Nesting } from './nesting.js'

export interface SpanTemplate extends Shared {
  /** The attributes among the values, by their number in the span; values of the head precede, one of the tail follows. */
  readonly attributes: Int32Array
}

/** What the text around a span's values depends on. */
export interface SpanHead {
  readonly kind: number
  readonly statusCode: number
  readonly hasParent: boolean
  readonly hasEnd: boolean
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
  readonly #made = new Map<string, SpanTemplate>()

  constructor(nesting: Nesting) {
    this.#nesting = nesting
  }

  /** The skeleton of a span whose ids and times are the call's, without the stretches that stand in inputs and output. */
  of(head: SpanHead, inputs: Cut | undefined, output: Cut | undefined): SpanTemplate {
    const { kind, statusCode, hasParent, hasEnd } = head
    const key = [kind, statusCode, hasParent, hasEnd, inputs?.number, output?.number].join()
    let template = this.#made.get(key)
    if (template === undefined) {
      const cuts = [inputs, output].filter((cut) => cut !== undefined)
      template = templateOf(head, this.#nesting, cuts)
      this.#made.set(key, template)
    }
    return template
  }
}

/** What stands before each value of the head, and before the attributes. */
function headLiterals({ kind, statusCode, hasParent, hasEnd }: SpanHead): string[] {
  const time = (mark: string) => `"${mark}${MARKS.value}Z"`
  const text = [
    `{"name":${MARKS.value},"context":{"trace_id":"${MARKS.traceId}","span_id":"${MARKS.id}"`,
    `,"trace_state":${MARKS.value}},"kind":"${SPAN_KINDS[kind] ?? SPAN_KINDS[0]}"`,
    `,"parent_id":${hasParent ? `"${MARKS.parentId}"` : 'null'}`,
    `,"start_time":${time(MARKS.start)},"end_time":${hasEnd ? time(MARKS.end) : 'null'}`,
    `,"status":{"code":"${SPAN_STATUSES[statusCode] ?? SPAN_STATUSES[0]}","message":${MARKS.value}},"attributes":`,
  ]
  return text.join('').split(MARKS.value)
}

/** Offsets count bytes, so the text is built of bytes, each a character, until it is whole. */
function templateOf(head: SpanHead, nesting: Nesting, cuts: readonly Cut[]): SpanTemplate {
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

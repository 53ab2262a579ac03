import { Reader } from 'protobufjs/minimal.js'
import { describe, expect, it } from 'vitest'
import { buildBody, caseOf, spanId, stamp, TRACE_SPANS, traceId } from './span-body.js'

/** Fields of a message by number, in order: bytes, or the varint or fixed value as text. */
function fields(bytes: Uint8Array): Map<number, (Uint8Array | string)[]> {
  const reader = Reader.create(bytes)
  const found = new Map<number, (Uint8Array | string)[]>()
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    const value =
      (tag & 7) === 2 ? reader.bytes() : (tag & 7) === 1 ? String(reader.fixed64()) : String(reader.uint64())
    found.set(tag >>> 3, [...(found.get(tag >>> 3) ?? []), value])
  }
  return found
}

const inner = (message: Map<number, (Uint8Array | string)[]>, field: number) =>
  (message.get(field) ?? []) as Uint8Array[]

function spansOf(body: Uint8Array) {
  const resource = fields(inner(fields(body), 1)[0]!)
  const scope = fields(inner(resource, 2)[0]!)
  return inner(scope, 2).map((bytes) => {
    const span = fields(bytes)
    const hex = (field: number) =>
      inner(span, field)[0] ? Buffer.from(inner(span, field)[0]!).toString('hex') : undefined
    return {
      size: bytes.length,
      trace: hex(1),
      id: hex(2),
      parent: hex(4),
      start: BigInt(String(span.get(7)?.[0])),
      end: BigInt(String(span.get(8)?.[0])),
      attributes: inner(span, 9).length,
      events: inner(span, 11).length,
      text: Buffer.from(bytes).toString('latin1'),
    }
  })
}

describe('a stamped body', () => {
  const body = buildBody(40, 7, 'bench/any')
  stamp(body, 120, 99, 1_780_000_000_123_456, 10)
  const spans = spansOf(body.bytes)

  it('holds spans of the promised shape', () => {
    expect(spans).toHaveLength(40)
    for (const span of spans) {
      expect([span.attributes, span.events]).toEqual([12, 2])
      expect(span.size).toBeGreaterThan(1_050)
      expect(span.size).toBeLessThan(1_350)
    }
  })

  it('has the ids, times and cases of its numbers', () => {
    for (const [n, span] of spans.entries()) {
      expect(span.id).toBe(spanId(120 + n, 99))
      expect(span.trace).toBe(traceId(120 + n, 99))
      expect(span.parent).toBe(n % TRACE_SPANS === 0 ? undefined : spanId(120 + n - (n % TRACE_SPANS), 99))
      expect(span.start).toBe(BigInt(1_780_000_000_123_456 + n * 10) * 1000n)
      expect(span.end > span.start).toBe(true)
      expect(span.text).toContain(`"case":"${caseOf(120 + n)}"`)
    }
  })

  it('is all new after another stamp', () => {
    const before = new Set(spans.map((span) => span.id))
    stamp(body, 160, 99, 1_780_000_001_000_000, 10)
    for (const span of spansOf(body.bytes)) expect(before.has(span.id)).toBe(false)
  })
})

/** Arbitrary export requests, odd ones above all: keys of the conventions and near them, values of any form. */
import fc from 'fast-check'
import {
  ATTRIBUTES,
  COSTS,
  EVENT_MESSAGES,
  EVENT_VALUES,
  EVENTS,
  FIELDS,
  INPUTS,
  OPERATION_KINDS,
  OUTPUT,
  USAGE,
} from '../../../domain/conventions/table.js'
import { type AnyValue, attribute, type ExportMessage, type KeyValue, type SpanMessage } from './messages.js'

const known = [
  ...INPUTS,
  ...OUTPUT,
  ...[USAGE, COSTS, ATTRIBUTES, FIELDS].flatMap((table) => Object.values(table).flat()),
].map(([key]) => key)
const part = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('a', 'b', '0', '1', '2', '00', 'api_key', 'model', 'otel_span', 'input'),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }).filter((text) => text !== '__proto__'),
  },
)
const key = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...known) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...known), part).map((parts) => parts.join('.')) },
  { weight: 3, arbitrary: fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.')) },
)
/** Texts as attributes have them, and such that look like something else. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    'true',
    'false',
    '12',
    '7.5',
    '2026-01-01T00:00:00Z',
    'line\nline "quoted" \\ \u0001é😀',
  ),
  fc.string({ minLength: 200, maxLength: 300 }),
  fc.json({ maxDepth: 3 }),
  fc.constantFrom(
    '{"api_key":"x","n":1.0,"s":"a\\nb\\ud83d\\ude00"}',
    '[1, 2 ,{"cached_tokens": 4}]',
    '{"a":',
    '[]',
    '{}',
    '[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]',
    '{"index":0,"message":{"role":"assistant","content":"a"}}',
    '{"messages":[[{"lc": 1, "type": "constructor"}]]}',
    'messages=[ChatMessage(role=1)]',
    '"a string"',
    '"{\\"a\\": 1}"',
    '"cut off',
    'ERROR',
    '0.25',
    ...Object.keys(OPERATION_KINDS),
  ),
)
const { anyValue } = fc.letrec<{ anyValue: AnyValue; pair: KeyValue }>((tie) => ({
  anyValue: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text.map((stringValue) => ({ stringValue })),
    fc.boolean().map((boolValue) => ({ boolValue })),
    fc.oneof(fc.maxSafeInteger(), fc.nat(5000)).map((n) => ({ intValue: String(n) })),
    fc.oneof(fc.double(), fc.integer()).map((doubleValue) => ({ doubleValue })),
    fc.uint8Array({ maxLength: 12 }).map((bytesValue) => ({ bytesValue })),
    fc.constant({}),
    fc.array(tie('anyValue'), { maxLength: 3 }).map((values) => ({ arrayValue: { values } })),
    fc
      .uniqueArray(tie('pair'), { maxLength: 3, selector: (pair) => pair.key })
      .map((values) => ({ kvlistValue: { values } })),
  ),
  pair: fc.record({ key: part, value: tie('anyValue') }),
}))
const eventKey = fc.oneof(
  key,
  fc.constantFrom(
    ...['content', 'role', 'exception.message', 'exception.type', ...EVENT_MESSAGES],
    ...Object.values(EVENT_VALUES).flat(),
  ),
)
const pairs = (max: number) => fc.array(fc.record({ key, value: anyValue }), { maxLength: max })
const id = (size: number) =>
  fc.oneof(
    { weight: 10, arbitrary: fc.uint8Array({ minLength: size, maxLength: size }) },
    // Few of them, so that spans have parents.
    { weight: 10, arbitrary: fc.constantFrom(1, 2, 3).map((byte) => Buffer.alloc(size, byte)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }) },
  )
const nanos = fc.oneof(
  { weight: 8, arbitrary: fc.bigInt(1n, 8_990_000_000_000_000_000n) },
  { weight: 1, arbitrary: fc.bigInt(0n, 2n ** 64n - 1n) },
)
const count = fc.constantFrom(undefined, 0, 1, 300)
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const defined = <T extends object>(arbitrary: fc.Arbitrary<T>) =>
  arbitrary.map(
    (value) => Object.fromEntries(Object.entries(value).filter(([, inside]) => inside !== undefined)) as T,
  )
const event = defined(
  fc.record({
    timeUnixNano: optional(nanos.map(String)),
    name: fc.oneof(
      text,
      fc.constantFrom('exception', 'gen_ai.client.inference.operation.details', ...Object.keys(EVENTS)),
    ),
    attributes: fc.array(fc.record({ key: eventKey, value: anyValue }), { maxLength: 4 }),
    droppedAttributesCount: count,
  }),
)
const link = defined(
  fc.record({ traceId: id(16), spanId: id(8), traceState: text, attributes: pairs(2), flags: count }),
)
/** A span. */
export const span = defined(
  fc.record({
    traceId: id(16),
    spanId: id(8),
    parentSpanId: fc.oneof(id(8), fc.constant(Buffer.alloc(8))),
    traceState: optional(text),
    name: fc.oneof(text, fc.string({ minLength: 120, maxLength: 140 })),
    kind: fc.integer({ min: 0, max: 9 }),
    startTimeUnixNano: nanos.map(String),
    endTimeUnixNano: optional(nanos.map(String)),
    attributes: pairs(8),
    events: fc.array(event, { maxLength: 2 }),
    links: fc.array(link, { maxLength: 1 }),
    droppedAttributesCount: count,
    droppedLinksCount: count,
    status: optional(fc.record({ code: fc.integer({ min: 0, max: 4 }), message: text })),
    flags: optional(fc.nat()),
  }),
) as fc.Arbitrary<SpanMessage>
const resource = fc.record({
  attributes: fc.oneof(
    pairs(3),
    fc.constant([attribute('wandb.entity', 'other'), attribute('platform.project', 'named')]),
  ),
})
const scope = fc.record(
  { name: text, version: text, attributes: pairs(2), droppedAttributesCount: count },
  { requiredKeys: ['name', 'version'] },
)
/** A request. */
export const message = fc.record({
  resourceSpans: fc.array(
    fc.record(
      {
        resource,
        scopeSpans: fc.array(
          fc.record({ scope, spans: fc.array(span, { maxLength: 3 }) }, { requiredKeys: ['spans'] }),
          { maxLength: 2 },
        ),
      },
      { requiredKeys: ['scopeSpans'] },
    ),
    { maxLength: 2 },
  ),
}) as fc.Arbitrary<ExportMessage>

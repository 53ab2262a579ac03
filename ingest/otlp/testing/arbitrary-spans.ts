/**
 * Arbitrary spans as instrumentation really sends them: the keys of one convention, each with a value of the form that it
 * has there. Nothing about them is odd, so the walker has to write each.
 */
import fc from 'fast-check'
import {
  ATTRIBUTES,
  COSTS,
  type Convention,
  FIELDS,
  INPUTS,
  OUTPUT,
  type Source,
  USAGE,
} from '../../../domain/conventions/table.js'
import { attribute, type KeyValue, type SpanMessage } from './messages.js'

const sentence = fc.oneof(
  fc.lorem({ maxCount: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    'Zeile eins\nZeile „zwei“ \\ \t',
    '你好，世界。今天天气怎么样？',
    'said "yes"\r\n\r\n- one\n- two',
    '😀',
  ),
)
const name = fc.constantFrom('gpt-4o-mini', 'openai', 'claude-sonnet-4', 'search', 'Agent of Units', 'chat')
const message = fc.record({
  role: fc.constantFrom('user', 'assistant', 'system', 'tool'),
  content: fc.oneof(
    sentence,
    fc.array(fc.record({ type: fc.constant('text'), text: sentence }), { maxLength: 3 }),
  ),
})
const structure = fc.oneof(
  fc.array(message, { maxLength: 4 }),
  fc.record({
    query: sentence,
    limit: fc.nat(50),
    exact: fc.boolean(),
    score: fc.double({ noNaN: true, noDefaultInfinity: true }),
  }),
  fc.record({ messages: fc.array(message, { maxLength: 3 }), model: name, tools: fc.constant(null) }),
)
/** JSON as JavaScript writes it, and as Python does, with spaces and without letters beyond ASCII. */
const json = fc
  .tuple(structure, fc.constantFrom('plain', 'spaced', 'ascii'))
  .map(([value, form]) =>
    form === 'plain'
      ? JSON.stringify(value)
      : form === 'spaced'
        ? JSON.stringify(value, null, 1).replaceAll('\n', ' ')
        : JSON.stringify(value).replace(
            /[\u0080-\uffff]/g,
            (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
          ),
  )
const content = fc.oneof(json, sentence)
const count = fc.nat(200_000)
const price = fc.oneof(
  fc.nat(99_999).map((n) => n / 1_000_000),
  fc.double({ min: 0, max: 10, noNaN: true }),
)

const sourcesOf = (table: Readonly<Record<string, readonly Source[]>>) => Object.values(table).flat()
const VALUES: readonly [readonly Source[], fc.Arbitrary<unknown>][] = [
  [[...INPUTS, ...OUTPUT], content],
  [sourcesOf(USAGE), count],
  [sourcesOf(COSTS), price],
  [sourcesOf(ATTRIBUTES), name],
  [[...FIELDS.threadId, ...FIELDS.conversation], fc.uuid()],
  [FIELDS.isTurn, fc.boolean()],
  [FIELDS.displayName, sentence.filter((text) => text !== '')],
]
/** Beside what a convention knows. */
const BESIDE: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'gen_ai.request.temperature': fc.double({ min: 0, max: 2, noNaN: true }),
  'gen_ai.request.max_tokens': fc.nat(8192),
  'gen_ai.response.finish_reasons': fc.constantFrom(['stop'], ['stop', 'length']),
  'input.mime_type': fc.constantFrom('application/json', 'text/plain'),
  'metadata.attempt': fc.nat(9),
  'metadata.cached': fc.boolean(),
  'http.response.status_code': fc.constantFrom(200, 404, 500),
  'server.address': fc.constantFrom('api.openai.com', '127.0.0.1'),
  'tags.list': fc.array(fc.lorem({ maxCount: 1 }), { maxLength: 3 }),
  'score.exact': fc.double({ noNaN: true, noDefaultInfinity: true }),
  'user.apiKey': fc.constantFrom('sk-123', ''),
  'deployment.environment': fc.constantFrom('test', 'production'),
}

/** The attributes of a span of this convention. */
function attributesOf(convention: Convention): fc.Arbitrary<KeyValue[]> {
  const own = VALUES.flatMap(([sources, value]) =>
    sources.filter(([, of]) => of === convention).map(([key]) => [key, value] as const),
  )
  const all = [...own, ...Object.entries(BESIDE)]
  return fc
    .subarray(all, { maxLength: Math.min(all.length, 14) })
    .chain((chosen) => fc.tuple(...chosen.map(([key, value]) => value.map((of) => attribute(key, of)))))
}

const id = (size: number) =>
  fc.uint8Array({ minLength: size, maxLength: size }).filter((bytes) => bytes.some((byte) => byte !== 0))
const nanos = fc.bigInt(1_700_000_000_000_000_000n, 1_900_000_000_000_000_000n).map(String)

/** A span of one of the conventions. */
export function realisticSpan(conventions: readonly Convention[]): fc.Arbitrary<SpanMessage> {
  return fc.constantFrom(...conventions).chain((convention) =>
    fc.record(
      {
        traceId: id(16),
        spanId: id(8),
        parentSpanId: id(8),
        name: fc.oneof(
          fc.constantFrom('chat gpt-4o-mini', 'invoke_agent Planner', 'execute_tool search', 'agent.run'),
          sentence,
        ),
        kind: fc.nat(5),
        startTimeUnixNano: nanos,
        endTimeUnixNano: nanos,
        attributes: attributesOf(convention),
        events: fc.array(
          fc.record({
            timeUnixNano: nanos,
            name: fc.constantFrom('exception', 'first_token', 'gen_ai.user.message', 'gen_ai.choice'),
            attributes: fc.constantFrom(
              [attribute('sequence', 4)],
              [attribute('exception.message', 'it broke'), attribute('exception.type', 'ValueError')],
              [attribute('content', 'hello'), attribute('role', 'user')],
              [],
            ),
          }),
          { maxLength: 2 },
        ),
        links: fc.array(fc.record({ traceId: id(16), spanId: id(8), attributes: fc.constant([]) }), {
          maxLength: 1,
        }),
        status: fc.record({ code: fc.nat(2), message: fc.constantFrom('', 'it broke: "so"') }),
        flags: fc.constantFrom(257, 1),
      },
      { requiredKeys: ['traceId', 'spanId', 'name', 'startTimeUnixNano', 'attributes'] },
    ),
  )
}

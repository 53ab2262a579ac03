import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { jsonToProtobuf } from './json.js'
import { decoded, requestOf } from './testing/decoded.js'
import { attribute, type ExportMessage, encodeExport, SPAN_ID, TRACE_ID } from './testing/messages.js'

const traceId = TRACE_ID.toString('hex')
const spanId = SPAN_ID.toString('hex')
const span = {
  traceId,
  spanId,
  name: 'n',
  startTimeUnixNano: '1767225600000000000',
  endTimeUnixNano: 1767225601000,
}
const body = (...spans: unknown[]) =>
  Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }))
const send = (json: Buffer) => decoded([requestOf(json, { format: 'json' })])

describe('OTLP JSON', () => {
  it('makes the same rows as protobuf', () => {
    const json = {
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'svc' } }] },
          scopeSpans: [
            {
              scope: {
                name: 's',
                version: '1',
                attributes: [{ key: 'k', value: { stringValue: 'v' } }],
                droppedAttributesCount: 2,
              },
              spans: [
                {
                  ...span,
                  traceId: traceId.toUpperCase(),
                  endTimeUnixNano: '1767225601000000000',
                  parentSpanId: '00000000000000ff',
                  kind: 'SPAN_KIND_CLIENT',
                  traceState: 'a=b',
                  flags: 1,
                  droppedAttributesCount: 1,
                  attributes: [
                    { key: 's', value: { stringValue: 'é\n' } },
                    { key: 'b', value: { boolValue: false } },
                    { key: 'i', value: { intValue: '9007199254740993' } },
                    { key: 'j', value: { intValue: -5 } },
                    { key: 'd', value: { doubleValue: 1.5 } },
                    { key: 'x', value: { doubleValue: 'NaN' } },
                    { key: 'y', value: { bytesValue: 'aGk=' } },
                    { key: 'l', value: { arrayValue: { values: [{ stringValue: 'x' }, {}] } } },
                    { key: 'o', value: { kvlistValue: { values: [{ key: 'k', value: { intValue: 1 } }] } } },
                    { key: 'n', value: null },
                  ],
                  events: [{ timeUnixNano: '5', name: 'e', attributes: [] }],
                  links: [{ traceId, spanId, flags: 2 }],
                  status: { code: 'STATUS_CODE_ERROR', message: 'bad' },
                  somethingNew: { a: [1] },
                },
              ],
            },
          ],
        },
      ],
    }
    const message: ExportMessage = {
      resourceSpans: [
        {
          resource: { attributes: [attribute('service.name', 'svc')] },
          scopeSpans: [
            {
              scope: {
                name: 's',
                version: '1',
                attributes: [{ key: 'k', value: { stringValue: 'v' } }],
                droppedAttributesCount: 2,
              },
              spans: [
                {
                  traceId: TRACE_ID,
                  spanId: SPAN_ID,
                  name: 'n',
                  startTimeUnixNano: '1767225600000000000',
                  endTimeUnixNano: '1767225601000000000',
                  parentSpanId: Buffer.from('00000000000000ff', 'hex'),
                  kind: 3,
                  traceState: 'a=b',
                  flags: 1,
                  droppedAttributesCount: 1,
                  attributes: [
                    attribute('s', 'é\n'),
                    attribute('b', false),
                    attribute('i', 9007199254740993n),
                    attribute('j', -5),
                    attribute('d', 1.5),
                    attribute('x', Number.NaN),
                    attribute('y', Buffer.from('hi')),
                    attribute('l', ['x', null]),
                    attribute('o', { k: 1 }),
                    { key: 'n' },
                  ],
                  events: [{ timeUnixNano: '5', name: 'e' }],
                  links: [{ traceId: TRACE_ID, spanId: SPAN_ID, flags: 2 }],
                  status: { code: 2, message: 'bad' },
                },
              ],
            },
          ],
        },
      ],
    }
    expect(send(Buffer.from(JSON.stringify(json))).raw).toEqual(
      decoded([requestOf(encodeExport(message))]).raw,
    )
  })

  it('takes the names of the .proto, and enums as numbers', () => {
    const snake = {
      trace_id: traceId,
      span_id: spanId,
      kind: 3,
      start_time_unix_nano: '1767225600000000000',
      status: { code: 2, message: 'bad' },
    }
    const [row] = send(
      Buffer.from(JSON.stringify({ resource_spans: [{ scope_spans: [{ spans: [snake] }] }] })),
    ).raw
    expect(row!.exception).toBe('bad')
    expect(row!.otel_span).toContain('"kind":"CLIENT"')
  })

  it.each([
    ['a trace id that is no hex', { traceId: 'xyz' }, /traceId must be hex/],
    ['a number for a text', { name: 5 }, /name must be a text/],
    ['a time in words', { startTimeUnixNano: 'now' }, /startTimeUnixNano must be a whole number/],
    ['a time beyond 64 bits', { startTimeUnixNano: '99999999999999999999' }, /startTimeUnixNano must be/],
    ['an object for a list', { attributes: {} }, /attributes must be a list/],
    ['an unknown kind', { kind: 'SPAN_KIND_NEW' }, /kind must be/],
    [
      'a bad int',
      { attributes: [{ key: 'a', value: { intValue: 1.5 } }] },
      /intValue must be a whole number/,
    ],
    [
      'a bad double',
      { attributes: [{ key: 'a', value: { doubleValue: 'x' } }] },
      /doubleValue must be a number/,
    ],
    ['bad bytes', { attributes: [{ key: 'a', value: { bytesValue: '*' } }] }, /bytesValue must be base64/],
    [
      'a bad bool',
      { attributes: [{ key: 'a', value: { boolValue: 1 } }] },
      /boolValue must be true or false/,
    ],
    ['a list for a span', [], /spans must be an object/],
  ])('%s rejects that span alone', (_, bad, reason) => {
    const batch = send(body(span, Array.isArray(bad) ? bad : { ...span, ...bad }, span))
    expect(batch.results[0]).toMatchObject({ rows: 2, rejected: 1 })
    expect(batch.results[0]!.messages[0]).toMatch(reason)
  })

  it.each([
    ['nothing', ''],
    ['no JSON', '{"resourceSpans":'],
    ['a list', '[]'],
    ['blocks that are no list', '{"resourceSpans":{}}'],
    ['too deep', `{"a":${'['.repeat(2000)}${']'.repeat(2000)}}`],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ])('%s is refused as a whole', (_, text) => {
    expect(send(Buffer.from(text)).results[0]).toMatchObject({ rows: 0, refusal: { status: 400 } })
  })

  it('takes an empty export', () => {
    expect(send(Buffer.from('{}')).results[0]).toMatchObject({
      rows: 0,
      rejected: 0,
      messages: [],
      projects: [],
    })
  })

  it('knows no field that is not in the .proto', () => {
    const proto = readFileSync(new URL('../../proto/otlp/trace.proto', import.meta.url), 'utf8')
    expect(proto).toContain('start_time_unix_nano')
    expect(jsonToProtobuf(Buffer.from('{"constructor":1,"__proto__":2}')).body.length).toBe(0)
  })
})

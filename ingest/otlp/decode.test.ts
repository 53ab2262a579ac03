import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TRUNCATED } from '../../domain/calls/leaves.js'
import { MAX_TEXTS } from '../../domain/calls/low-cardinality.js'
import { MARKS } from '../../domain/calls/otel-span.js'
import { encodingNamed } from '../../platform/http/inflation.js'
import {
  ANY_VALUE,
  ARRAY,
  KEY_VALUE,
  REQUEST,
  RESOURCE_SPANS,
  SCOPE_SPANS,
  SPAN,
} from '../../proto/otlp/tags.js'
import { rounds } from '../../test/support/rounds.js'
import { message } from './testing/arbitrary-messages.js'
import { decoded, expectLeaves, PROJECT, plainRow, requestOf } from './testing/decoded.js'
import {
  attribute,
  decodeExport,
  type ExportMessage,
  encodeExport,
  exportOf,
  type KeyValue,
  SPAN_ID,
  type SpanMessage,
  spanWith,
  strangeRoot,
  TRACE_ID,
} from './testing/messages.js'
import { expectedSpans } from './testing/oracle.js'
import { SpanSource } from './testing/sample-spans.js'

/** `decoded` has compared the rows of the walker with those of the plain writer: here is what both have in common. */
function expectRows(bytes: Buffer, batch: ReturnType<typeof decoded>): void {
  const sent = expectedSpans(decodeExport(bytes)).map((span) => span && JSON.stringify(span))
  expect(batch.rows + batch.results[0]!.rejected).toBe(sent.length)
  // Some may have been refused, and the others are in their order.
  let at = 0
  for (const row of batch.raw) {
    const span = JSON.stringify(JSON.parse(String(row.otel_span)))
    const found = sent.indexOf(span, at)
    if (found < 0) expect(JSON.parse(span)).toEqual(JSON.parse(sent[at] ?? 'null'))
    at = found + 1
    plainRow(row)
    expectLeaves(row)
    expect(Number(row.has_user)).toBe('user_id' in JSON.parse(String(row.attributes)) ? 1 : 0)
    const texts = ['inputs', 'output', 'attributes', 'summary'].map((name) =>
      Buffer.byteLength(row[name] as string),
    )
    expect(Number(row.bytes)).toBe(texts.reduce((a, b) => a + b))
    for (const value of Object.values(row)) if (typeof value === 'string') expect(value).not.toContain('\n}')
  }
}

describe('the walk of the wire', () => {
  it('keeps the spans that protobufjs decodes', () => {
    fc.assert(
      fc.property(message, (generated) => {
        const bytes = encodeExport(generated)
        expectRows(bytes, decoded([requestOf(bytes)]))
      }),
      { numRuns: rounds(120, 250) },
    )
  })

  it('keeps spans as programs send them', () => {
    const bytes = Buffer.from(new SpanSource(7, 1_767_225_600_000).request(200))
    expectRows(bytes, decoded([requestOf(bytes)]))
  })

  it('skips fields it does not know, of every wire type, packed or not', () => {
    const type = strangeRoot.lookupType('heddle.otlp.v1.ExportTraceServiceRequest')
    const strange = {
      strangeVarint: '18446744073709551615',
      strangeFixed64: '1',
      strangeText: 'x'.repeat(200),
      strangeFixed32: 7,
      strangePacked: [1, 2, 300],
      strangeUnpacked: [1, 2, 300],
    }
    const withStrange = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(withStrange)
      if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
      const inside = Object.entries(value).map(([name, item]) => [name, withStrange(item)])
      return { ...Object.fromEntries(inside), ...strange }
    }
    fc.assert(
      fc.property(message, (generated) => {
        const plain = encodeExport(generated)
        const bytes = encodeExport(withStrange(generated) as ExportMessage, type)
        expect(decoded([requestOf(bytes)]).raw).toEqual(decoded([requestOf(plain)]).raw)
      }),
      { numRuns: rounds(50, 100) },
    )
  })

  it('takes groups and field numbers of five bytes as unknown', () => {
    const group = Buffer.from([0x83, 0x01, 0x08, 0x01, 0x84, 0x01, 0xf8, 0xff, 0xff, 0xff, 0x0f, 0x01])
    const bytes = encodeExport(exportOf(spanWith({ input: 'x' })))
    expect(decoded([requestOf(Buffer.concat([group, bytes, group]))]).rows).toBe(1)
  })

  const sample = encodeExport({
    resourceSpans: [
      {
        resource: { attributes: [attribute('service.name', 'svc'), attribute('n', [1, { a: 2.5 }])] },
        scopeSpans: [
          {
            scope: { name: 's', version: '1' },
            spans: [
              spanWith(
                {
                  'gen_ai.prompt.0.content': 'hello',
                  'gen_ai.usage.input_tokens': 300,
                  x: { y: [true, null] },
                },
                {
                  events: [{ timeUnixNano: '1', name: 'e', attributes: [attribute('k', 'v')] }],
                  links: [{ traceId: TRACE_ID, spanId: SPAN_ID, attributes: [attribute('k', 1)] }],
                  status: { code: 2, message: 'bad' },
                },
              ),
              spanWith({ output: 'x'.repeat(200) }),
            ],
          },
        ],
      },
    ],
  })

  it('refuses a message cut off at any byte as a whole, unless what is left is a message', () => {
    const good = encodeExport(exportOf(spanWith({ input: 'good' })))
    for (let length = 0; length < sample.length; length++) {
      const cut = sample.subarray(0, length)
      const batch = decoded([requestOf(good), requestOf(cut), requestOf(good)])
      const [before, broken, after] = batch.results
      expect(before).toMatchObject({ rows: 1, rejected: 0 })
      expect(after).toMatchObject({ rows: 1, rejected: 0 })
      if (length === 0) expect(broken).toMatchObject({ rows: 0, rejected: 0 })
      else expect(broken).toMatchObject({ rows: 0, refusal: { status: 400 } })
      expect(batch.rows).toBe(2)
      expect(batch.raw.length).toBe(2)
      expect([...batch.requests]).toEqual([0, 2])
    }
  })

  it('survives any change of bytes, and the requests beside it too', () => {
    const good = encodeExport(exportOf(spanWith({ input: 'good' })))
    const change = fc.record({ at: fc.nat(sample.length - 1), byte: fc.nat(255) })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const bytes = Buffer.from(sample)
        for (const { at, byte } of changes) bytes[at] = byte
        const batch = decoded([requestOf(bytes), requestOf(good)])
        expect(batch.results[1]).toMatchObject({ rows: 1, rejected: 0 })
        for (const row of batch.raw) plainRow(row)
      }),
      { numRuns: rounds(300, 800) },
    )
  })

  it.each([
    ['a length of 2 GiB', [0x0a, 0xff, 0xff, 0xff, 0xff, 0x07, 0x00]],
    ['a length of eleven bytes', [0x0a, ...Array(11).fill(0xff), 0x01]],
    ['a length beyond its message', [0x0a, 0x04, 0x12, 0x50, 0x0a, 0x00]],
    ['field number 0', [0x00, 0x01]],
    ['an end without its group', [0x0c]],
    ['a group without its end', [0x0b, 0x08, 0x01]],
    ['groups in groups', Array(100_000).fill(0x0b)],
    ['wire type 7', [0x0f, 0x01]],
    ['text', [...Buffer.from('hello, this is no protobuf')]],
  ])('refuses %s', (_, bytes) => {
    const [result] = decoded([requestOf(Buffer.from(bytes))]).results
    expect(result).toMatchObject({ rows: 0, refusal: { status: 400 } })
    expect(result!.refusal!.reason).toMatch(/^The body can't be read as an OTLP trace export: /)
  })
})

const ID = expect.stringMatching(/^[\da-f]+$/) as string

describe('what a span and its call have in common', () => {
  const TIMES = ['2026-01-01T00:00:00.000001000Z', '2026-01-01T00:00:01.500000999Z']
  const cases: [string, SpanMessage, string[], (string | null)[]][] = [
    ['in columns of its own alone', spanWith({}), ['"chat"', '""', '000', '999', '""'], TIMES],
    [
      'nothing of an end that there is not',
      spanWith({}, { endTimeUnixNano: undefined }),
      ['"chat"', '""', '000', '""'],
      [TIMES[0]!, null],
    ],
    [
      'twice where an attribute says another start',
      spanWith({ 'langfuse.startTime': '2026-01-01T00:00:09Z' }),
      ['"chat"', ID, ID, '""', `"${TIMES[0]}"`, `"${TIMES[1]}"`, '""'],
      TIMES,
    ],
  ]

  it.each(cases)('is stored %s', (_, message, values, [start_time, end_time]) => {
    const { stored, raw } = decoded([requestOf(encodeExport(exportOf(message)))])
    const found = String(stored[0]!.otel_span).split(MARKS.value)
    expect(found.slice(0, values.length)).toEqual(values)
    expect(JSON.parse(String(raw[0]!.otel_span))).toMatchObject({ start_time, end_time })
  })
})

describe('spans that can not be stored', () => {
  const cases: [string, SpanMessage, RegExp][] = [
    ['no trace id', spanWith({}, { traceId: Buffer.alloc(0) }), /trace_id must be 16 bytes/],
    ['a trace id of zeros', spanWith({}, { traceId: Buffer.alloc(16) }), /trace_id must be 16 bytes/],
    ['a short span id', spanWith({}, { spanId: Buffer.from('abc') }), /span_id must be 8 bytes/],
    ['a long parent id', spanWith({}, { parentSpanId: Buffer.from('0123456789') }), /parent_span_id must be/],
    ['no start', spanWith({}, { startTimeUnixNano: '0' }), /start_time_unix_nano is missing/],
    [
      'an end in 2300',
      spanWith({}, { endTimeUnixNano: '10413792000000000000' }),
      /end_time_unix_nano is after/,
    ],
    ['deep keys', spanWith({ [Array(80).fill('k').join('.')]: 1 }), /nested deeper than 64 levels/],
    ['a long thread id', spanWith({ 'wandb.thread_id': 'x'.repeat(257) }), /thread_id has more than 256/],
    ['10,001 attributes', spanWith({ ...Array(10_001).fill(1) }), /more than 10000 attributes/],
    ['10,001 events', spanWith({}, { events: Array(10_001).fill({}) }), /more than 10000 events or links/],
    ['10,001 links', spanWith({}, { links: Array(10_001).fill({}) }), /more than 10000 events or links/],
    ['a step in words', spanWith({ 'wandb.wb_run_step': 'three' }), /wb_run_step is not a whole number/],
  ]

  it.each(cases)('%s: rejected alone, with a reason', (_, bad, reason) => {
    const batch = decoded([requestOf(encodeExport(exportOf(spanWith({ a: 1 }), bad, spanWith({ b: 2 }))))])
    expect(batch.results[0]).toMatchObject({ rows: 2, rejected: 1 })
    expect(batch.results[0]!.messages[0]).toMatch(reason)
    expect(batch.raw.map((row) => row.attributes)).toEqual(['{"a":1}', '{"b":2}'])
  })

  it('has 10,000 events, and as many links', () => {
    const events = Array.from({ length: 10_000 }, () => ({ name: 'token', timeUnixNano: '1' }))
    const links = Array(10_000).fill({ traceId: TRACE_ID, spanId: SPAN_ID })
    const { results, raw } = decoded([requestOf(encodeExport(exportOf(spanWith({}, { events, links }))))])
    expect(results[0]).toMatchObject({ rows: 1, rejected: 0 })
    expect(JSON.parse(String(raw[0]!.otel_span)).events).toHaveLength(10_000)
  })

  /** A request whose one attribute is `depth` lists in each other: deeper than protobufjs would write. */
  const nest = (depth: number): Buffer => {
    const field = (tag: number, inside: Buffer) => {
      const { length } = inside
      return Buffer.concat([
        Buffer.from([tag, (length & 127) | 128, (length >> 7) | 128, length >> 14]),
        inside,
      ])
    }
    let value = field(ANY_VALUE.stringValue, Buffer.from('x'))
    for (let i = 0; i < depth; i++) value = field(ANY_VALUE.arrayValue, field(ARRAY.values, value))
    const pair = Buffer.concat([field(KEY_VALUE.key, Buffer.from('v')), field(KEY_VALUE.value, value)])
    const request = encodeExport(exportOf(spanWith({})))
    const span = request.subarray(request.indexOf(TRACE_ID) - 2)
    const spans = field(SCOPE_SPANS.spans, Buffer.concat([span, field(SPAN.attributes, pair)]))
    return field(REQUEST.resourceSpans, field(RESOURCE_SPANS.scopeSpans, spans))
  }

  it('are those with values nested beyond the limit', () => {
    const text = (depth: number) => `${'['.repeat(depth)}"x"${']'.repeat(depth)}`
    expect(decoded([requestOf(nest(64))]).raw[0]!.attributes).toBe(`{"v":${text(64)}}`)
    for (const depth of [65, 5000]) {
      const [result] = decoded([requestOf(nest(depth))]).results
      expect(result).toMatchObject({ rows: 0, rejected: 1 })
      expect(result!.messages[0]).toMatch(/nested deeper than 64 levels/)
    }
  })

  it('are those whose attributes would be nested deeper than JSON may be, where they have to be read', () => {
    const deep = `${'['.repeat(512)}"x"${']'.repeat(512)}`
    const bytes = encodeExport(exportOf(spanWith({ input: 'good' }), spanWith({ otel_span: deep })))
    const [result] = decoded([requestOf(bytes)]).results
    expect(result).toMatchObject({ rows: 1, rejected: 1 })
    expect(result!.messages[0]).toMatch(/in its attributes the text is nested deeper than 512 levels/)
  })

  it('keeps the first twenty reasons', () => {
    const bad = Array.from({ length: 30 }, () => spanWith({ 'wandb.wb_run_step': 'three' }))
    const [result] = decoded([requestOf(encodeExport(exportOf(...bad)))]).results
    expect(result).toMatchObject({ rows: 0, rejected: 30 })
    expect(result!.messages.length).toBe(20)
    expect(result!.messages[0]).toBe('span b7ad6b7169203331: the attribute wb_run_step is not a whole number')
  })

  it('stores what is not UTF-8 with U+FFFD in its place', () => {
    const bytes = encodeExport(exportOf(spanWith({ input: 'abcdefgh', long: 'z'.repeat(20_000) })))
    bytes[bytes.indexOf('abcdefgh') + 3] = 0xff
    bytes[bytes.indexOf('zzzz') + 19_000] = 0xc3
    const [row] = decoded([requestOf(bytes)]).raw
    expect(JSON.parse(row!.inputs as string)).toEqual({ input: 'abc\ufffdefgh' })
    expectLeaves(row!)
    expect(JSON.parse(row!.otel_span as string).attributes.long).toBe(
      `${'z'.repeat(19_000)}\ufffd${'z'.repeat(999)}`,
    )
  })

  it('has TRUNCATED among the leaves of a call with too many', () => {
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`input.k${i}`, `v${i}`]))
    const [row] = decoded([requestOf(encodeExport(exportOf(spanWith(many))))]).raw
    expect((row!.leaves as number[]).length).toBe(256)
    expect((row!.leaves as number[]).at(-1)).toBe(TRUNCATED)
    expectLeaves(row!)
  })
})

describe('sequences of keys', () => {
  it('are forgotten without harm when there are too many', () => {
    // 2,700 fit. Each is decoded in two ways; the slow oracle judges some, the last of them after the forgetting.
    for (let i = 0; i < 30; i++) {
      const spans = Array.from({ length: 100 }, (_, k) =>
        spanWith({ [`a${i}.k${k}`]: k, 'b.c': i, input: 'x' }),
      )
      const bytes = encodeExport(exportOf(...spans))
      const batch = decoded([requestOf(bytes)])
      if (i % 10 === 9) expectRows(bytes, batch)
    }
  })

  it('may be long', () => {
    const many = Object.fromEntries(
      Array.from({ length: 1000 }, (_, i) => [`k${i}.${'y'.repeat(i % 300)}`, i]),
    )
    const bytes = encodeExport(exportOf(spanWith(many), spanWith(many)))
    expectRows(bytes, decoded([requestOf(bytes)]))
  })
})

describe('projects', () => {
  const blockOf = (attributes: KeyValue[], ...spans: SpanMessage[]) => ({
    resource: { attributes },
    scopeSpans: [{ spans }],
  })
  const own = [attribute('wandb.entity', 'e'), attribute('wandb.project', 'p')]

  it('follow the resource of a block, then the header', () => {
    const message = { resourceSpans: [blockOf(own, spanWith({ a: 1 })), blockOf([], spanWith({ a: 2 }))] }
    const { results, ops } = decoded([requestOf(encodeExport(message))])
    expect(results[0]!.projects).toEqual(['e/p', PROJECT])
    expect(ops.map(({ project, name }) => [project, name])).toEqual([
      ['e/p', 'chat'],
      [PROJECT, 'chat'],
    ])
  })

  it('are asked for when there is none', () => {
    const message = encodeExport(exportOf(spanWith({})))
    const [result] = decoded([requestOf(message, { project: undefined })]).results
    expect(result).toMatchObject({ rows: 0, refusal: { status: 400 } })
    expect(result!.refusal!.reason).toMatch(/^Name a project/)
  })

  it('that the caller may not write in reject their spans alone', () => {
    const message = encodeExport({ resourceSpans: [blockOf(own, spanWith({})), blockOf([], spanWith({}))] })
    const allowed = (project: string) => project === PROJECT
    const [result] = decoded([requestOf(message, { allowed })]).results
    expect(result).toMatchObject({ rows: 1, rejected: 1, projects: [PROJECT] })
    expect(result!.messages).toEqual(['span b7ad6b7169203331: This key has no write access to e/p.'])
    const [refused] = decoded([requestOf(message, { allowed: () => false })]).results
    expect(refused).toMatchObject({ rows: 0, refusal: { status: 403 } })
  })

  it('must be entity/project', () => {
    const [result] = decoded([requestOf(encodeExport(exportOf(spanWith({}))), { project: 'a/b/c' })]).results
    expect(result).toMatchObject({ refusal: { status: 400 } })
  })
})

describe('bodies', () => {
  const plain = encodeExport(exportOf(spanWith({ input: 'x'.repeat(5000) })))

  it.each([
    ['identity', plain],
    ['gzip', gzipSync(plain)],
    ['x-gzip', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
  ] as const)('are read as %s', (encoding, body) => {
    expect(decoded([requestOf(body, { encoding: encodingNamed(encoding)! })]).rows).toBe(1)
  })

  it('stop at the limit, compressed or not', () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    const batch = decoded(
      [
        requestOf(bomb, { encoding: 'gzip' }),
        requestOf(Buffer.alloc(2_000_000)),
        requestOf(plain),
        requestOf(deflateSync(Buffer.alloc(50_000_000)), { encoding: 'deflate' }),
      ],
      { maxInflated: 1_000_000 },
    )
    expect(batch.results.map(({ refusal }) => refusal?.status)).toEqual([413, 413, undefined, 413])
    expect(batch.rows).toBe(1)
  })

  it('are refused where little becomes much', () => {
    const events = Array.from({ length: 5000 }, () => ({}))
    const body = encodeExport(exportOf(...Array.from({ length: 10 }, () => spanWith({}, { events }))))
    const options = { maxInflated: body.length }
    const batch = decoded([requestOf(plain), requestOf(body), requestOf(plain)], options)
    expect(batch.results.map(({ refusal }) => refusal?.status)).toEqual([undefined, 413, undefined])
    expect(batch.rows).toBe(2)
  })

  it.each(['gzip', 'deflate', 'zstd'] as const)('that are not %s are refused', (encoding) => {
    for (const body of [plain, Buffer.from('x'), Buffer.alloc(0), gzipSync(plain).subarray(0, 30)]) {
      expect(decoded([requestOf(body, { encoding })]).results[0]).toMatchObject({ refusal: { status: 400 } })
    }
  })

  it('may have more forms than a block keeps apart', () => {
    const count = MAX_TEXTS + 50
    const spans = Array.from({ length: count }, (_, n) => spanWith({ [`key${n}`]: n, input: `in ${n}` }))
    const { raw } = decoded([requestOf(encodeExport(exportOf(...spans)))])
    expect(raw.map(({ otel_span }) => JSON.parse(otel_span as string).attributes)).toEqual(
      spans.map((_, n) => ({ [`key${n}`]: n, input: `in ${n}` })),
    )
  })

  it('wait for the next block when this one is full', () => {
    const batch = decoded([requestOf(plain), requestOf(plain), requestOf(plain)], { maxBlock: 1 })
    expect(batch.results.length).toBe(1)
  })
})

describe('what goes with a batch', () => {
  it('is each op once and facts row by row', () => {
    const bytes = encodeExport(exportOf(spanWith({}), spanWith({}, { name: 'x y' }), spanWith({})))
    for (let again = 0; again < 2; again++) {
      const batch = decoded([requestOf(Buffer.from([0x0a])), requestOf(bytes)])
      expect(batch.ops.map(({ name }) => name)).toEqual(['chat', 'x_y'])
      expect([...batch.requests]).toEqual([1, 1, 1])
      expect([...batch.born]).toEqual([1767225600000.001, 1767225600000.001, 1767225600000.001])
      expect(batch.hashes.length).toBe(6)
      expect([batch.hashes[0], batch.hashes[1]]).toEqual([batch.hashes[4], batch.hashes[5]])
    }
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CallBlock } from '../../../domain/calls/block.js'
import { CONVENTIONS, type Convention } from '../../../domain/conventions/table.js'
import { REQUEST, RESOURCE_SPANS, SCOPE_SPANS } from '../../../proto/otlp/tags.js'
import { rounds } from '../../../test/support/rounds.js'
import { OtlpDecoder } from '../decode.js'
import { Projects } from '../projects.js'
import { NO_RESOURCE, NO_SCOPE } from '../resource.js'
import { originOf } from '../span-json.js'
import { message, span } from '../testing/arbitrary-messages.js'
import { realisticSpan } from '../testing/arbitrary-spans.js'
import { decoded, requestOf, walker, walking } from '../testing/decoded.js'
import { type AnyValue, attribute, encodeExport, exportOf, spanWith } from '../testing/messages.js'
import { SpanSource } from '../testing/sample-spans.js'
import { Wire } from '../wire.js'
import { type Instance, instantiate } from './instance.js'
import { Walker, WalkerBroken } from './walker.js'

/** `decoded` throws where the walker differs from TypeScript in anything. */
describe('the walker writes the same block as TypeScript', () => {
  it('of any requests, many in a batch', () => {
    const requests = fc.array(message, { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(requests, (all) => {
        decoded(all.map((one) => requestOf(encodeExport(one))))
      }),
      { numRuns: rounds(50, 100) },
    )
  })

  it('of any spans, many in a request', () => {
    fc.assert(
      fc.property(fc.array(span, { minLength: 20, maxLength: 60 }), (spans) => {
        decoded([requestOf(encodeExport(exportOf(...spans)))])
      }),
      { numRuns: rounds(15, 40) },
    )
  })

  it('of spans as programs send them, changed somewhere', () => {
    const bytes = Buffer.from(new SpanSource(11, 1_767_225_600_000).request(12))
    const change = fc.record({ at: fc.nat(bytes.length - 1), byte: fc.nat(255) })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), fc.nat(bytes.length), (changes, cut) => {
        const changed = Buffer.from(bytes)
        for (const { at, byte } of changes) changed[at] = byte
        decoded([requestOf(changed), requestOf(bytes), requestOf(changed.subarray(0, cut))])
      }),
      { numRuns: rounds(120, 300) },
    )
  })
})

describe('the walker writes the same block as TypeScript of values', () => {
  const deep = (levels: number) => `${'[{"k":'.repeat(levels / 2)}"x"${'}]'.repeat(levels / 2)}`
  const long = 'x'.repeat(256)
  const texts = [
    ...['', '0', '12', '12.', '12.5', '1.50', '1e3', '1E+3', '-5', '0012', '+5', '.5', '0.0000001', '1.0'],
    ...[
      '123456789012345',
      '1234567890123456',
      '9007199254740993',
      '999999999.9999999',
      'true',
      'false',
      'null',
    ],
    ...[
      '"q"',
      '"',
      '""',
      '"a\\"b"',
      '"{\\"a\\": 1}"',
      '{"a":1}',
      '{"a":1} ',
      '{"a":1}x',
      '{',
      '[',
      '[]',
      '{ }',
      '[1,]',
    ],
    ...[
      '{"a":01}',
      '{"a":1.}',
      '{"a":-}',
      '{"a":tru}',
      '{"a":"\\x"}',
      '{"a":"\\u12g4"}',
      '{"a"\n:\t"b"}',
      '{"a":"\u0001"}',
    ],
    ...['{"a":"\\ud800"}', '{"a":"\\ud83d\\ude00","\\u00e9":"\\n"}', '{"a":"\\udc00\\ud800"}', '{"é":"ü"}'],
    ...[
      '{"api_key":"x"}',
      '{"Authorization":""}',
      '{"x-API-Key": "y"}',
      '{"naïvetoken":"x"}',
      '{"description":"x"}',
    ],
    ...[deep(510), deep(512), deep(514), `[${'"a",'.repeat(300)}1]`, `{"${'k\\n'.repeat(100)}":"v"}`],
    ...[
      long,
      `${long}y`,
      'ü'.repeat(128),
      'ü'.repeat(200),
      'ü'.repeat(300),
      'a\u007fb',
      'a\u0000b',
      'tab\tbed',
      'x'.repeat(1100),
    ],
    ...['ERROR', 'WARNING', '2026-01-01T00:00:00Z', 'chat', 'chat  x', 'execute_tool', 'ÄGENT', 'OpenAI'],
    ...[
      '[ChatMessage(role=1)]',
      'f(x)',
      '1a(b=2',
      '"lc":1,"type":"constructor"',
      '{"lc":1,"type":"constructor"}',
    ],
    ...[
      '[{"role":"user"},{"role":"assistant","content":"a"}]',
      '[{"role":"assistant"}]',
      '[{"role":"tool"}]',
    ],
    ...[
      '{"input_tokens":5,"prompt":7,"input":1.25}',
      '{"input_tokens":"5","total":{"a":1}}',
      '{"input\\u005ftokens":3}',
    ],
  ]
  const numbers = [
    ...[0, -0, 1, -1, 0.1, 1 / 3, 0.001, 0.0009, 1e-6, 1e-7, 5e-324, 1e9, 999_999_999.5, 1e15, 1e21, 1.5e300],
    ...[
      123_456.789,
      0.5,
      2.675,
      100.25,
      1e-3,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      4.35,
      1.000001,
      0.1 + 0.2,
    ],
  ]
  const values: AnyValue[] = [
    ...texts.map((stringValue) => ({ stringValue })),
    ...numbers.map((doubleValue) => ({ doubleValue })),
    ...['0', '-1', '5', '4294967296', '-9223372036854775808', '9223372036854775807'].map((intValue) => ({
      intValue,
    })),
    ...[true, false].map((boolValue) => ({ boolValue })),
    {},
    { arrayValue: { values: [{ stringValue: 'a' }, {}] } },
    { bytesValue: Buffer.from('bytes') },
    { kvlistValue: { values: [{ key: 'role', value: { stringValue: 'x' } }] } },
  ]
  const keys = [
    ...[
      'gen_ai.usage.input_tokens',
      'llm.cost.total',
      'gen_ai.usage.total_tokens',
      'gen_ai.request.model',
      'session.id',
    ],
    ...[
      'gen_ai.conversation.id',
      'wandb.thread_id',
      'wandb.is_turn',
      'logfire.msg',
      'langfuse.observation.level',
    ],
    ...['error.message', 'gen_ai.provider.name', 'gen_ai.operation.name', 'gen_ai.agent.name', 'input.value'],
    ...[
      'output.value',
      'output',
      'inputs',
      'pydantic_ai.all_messages',
      'mlflow.spanInputs',
      'mlflow.spanType',
    ],
    ...[
      'mlflow.chat.tokenUsage',
      'langfuse.observation.usage_details',
      'wandb.call_id',
      'langfuse.startTime',
    ],
    ...[
      'wandb.attributes',
      'otel_span',
      'some.api_key',
      'own.key',
      'llm.input_messages',
      'wandb.display_name',
    ],
  ]

  it.each(keys)('under %s', (key) => {
    const messages = 'llm.input_messages.0.message.content'
    const spans = values.flatMap((value) => [
      spanWith({}, { attributes: [{ key, value }] }),
      spanWith(
        { 'gen_ai.usage.output_tokens': 7, 'session.id': 's', [messages]: 'm' },
        {
          attributes: [{ key, value }, attribute('gen_ai.usage.output_tokens', 7), attribute(messages, 'm')],
          status: { code: 2 },
        },
      ),
    ])
    decoded([requestOf(encodeExport(exportOf(...spans)))])
  })

  it.each([100, 10_000, 200_000, 500_000, 1_040_000, 1_100_000])('of %i bytes', (size) => {
    const spans = ['x', '"', '\u0001', 'é', '{"a": "', '你'].flatMap((text) => {
      const value = text.repeat(Math.ceil(size / Buffer.byteLength(text)))
      return [
        spanWith({ 'input.value': value, 'output.value': 'y', own: 1 }),
        spanWith({ 'input.value': JSON.stringify({ text: value, more: [value.slice(0, 20)] }, null, 1) }),
        spanWith({ 'session.id': value.slice(0, 200), 'gen_ai.request.model': value }),
      ]
    })
    for (const span of spans) decoded([requestOf(encodeExport(exportOf(spanWith({ a: 1 }), span)))])
  })
})

describe('the walker leaves no span to TypeScript', () => {
  it.each(Object.keys(CONVENTIONS) as Convention[])('of %s', (convention) => {
    const spans = fc.array(realisticSpan([convention]), { minLength: 10, maxLength: 40 })
    fc.assert(
      fc.property(spans, (all) => {
        const before = walking.unwalked
        decoded([requestOf(encodeExport(exportOf(...all)))])
        expect(walking.unwalked).toBe(before)
      }),
      { numRuns: rounds(10) },
    )
  })

  it('of the benchmark', () => {
    const before = walking.unwalked
    decoded([requestOf(new SpanSource(3, 1_767_225_600_000).request(1500))])
    expect(walking.unwalked).toBe(before)
  })
})

/** So often the memory is filled. */
const FORGETS = rounds(1, 2)

describe('the memory of a walker', () => {
  /** Sends requests, of which the n-th is `requestAt(n)`, until the walker has forgotten what it remembered of them. */
  function forgets(requestAt: (n: number) => Buffer): void {
    let forgotten = 0
    for (let n = 0; n < 100 * FORGETS && forgotten < FORGETS; n++) {
      const before = walker.remembered
      decoded([requestOf(requestAt(n))])
      expect(walker.remembered).toBeLessThanOrEqual(16 << 20)
      if (walker.remembered < before) forgotten++
    }
    expect(forgotten).toBe(FORGETS)
    for (let n = 0; n < 2; n++) decoded([requestOf(requestAt(n))])
  }

  it('is bounded, however many sequences of keys there are', () => {
    forgets((n) =>
      encodeExport(
        exportOf(
          ...Array.from({ length: 200 }, (_, k) =>
            spanWith({
              [`shape.${n}.${k}`]: k,
              'gen_ai.request.model': 'm',
              'input.value': 'x',
              'output.value': 'y',
            }),
          ),
        ),
      ),
    )
  })

  it('is bounded, however many projects and ops there are', () => {
    forgets((n) =>
      encodeExport({
        resourceSpans: Array.from({ length: 200 }, (_, k) => ({
          resource: {
            attributes: [attribute('platform.entity', `e${n}`), attribute('platform.project', `p${k}`)],
          },
          scopeSpans: [
            {
              spans: [
                spanWith({ 'input.value': 'x' }, { name: `a ${'name'.repeat(200)} of ${k}` }),
                spanWith({ 'input.value': 'x' }, { name: `another ${'name'.repeat(200)} of ${k}` }),
              ],
            },
          ],
        })),
      }),
    )
  })
})

describe('a walker that breaks', () => {
  const body = Buffer.from(new SpanSource(5, 1_767_225_600_000).request(900))

  /** A decoder with a walker whose memory can be spoilt. */
  function breakable() {
    const block = new CallBlock('calls')
    let instance: Instance | undefined
    const walker = new Walker(block, (host) => (instance = instantiate(host)))
    const decoder = new OtlpDecoder(block, new CallBlock('calls_open'), undefined, walker)
    /** Every plan seems to be where no memory is. */
    const spoil = () => {
      const { memory, at } = instance!
      memory.fill(0xf0, at('PLANS'), at('PLANS') + at('CHAINS') * 4)
    }
    return { block, walker, decoder, spoil }
  }

  it('says so', () => {
    const { walker, spoil } = breakable()
    const wire = new Wire(body)
    spoil()
    const project = new Projects().get('team/app')!
    let write = () => {}
    wire.each(0, body.length, REQUEST.resourceSpans, '', (from, to) => {
      wire.each(from, to, RESOURCE_SPANS.scopeSpans, '', (start, end) => {
        wire.each(start, end, SCOPE_SPANS.spans, '', (spanFrom, spanTo) => {
          write = () =>
            walker.write(wire, spanFrom, spanTo, project, originOf(NO_SCOPE, NO_RESOURCE), () => {})
        })
      })
    })
    expect(write).toThrow(WalkerBroken)
  })

  it('loses nothing: the request is decoded again, and another one takes its place', () => {
    const { block, decoder, spoil } = breakable()
    const decode = () => {
      block.clear()
      decoder.decodeBatch([requestOf(body), requestOf(body)], { ver: 1_767_225_600_000_000 })
      return Buffer.from(block.encode())
    }
    const before = decode()
    spoil()
    expect(decode().equals(before)).toBe(true)
    expect(decode().equals(before)).toBe(true)
  })
})

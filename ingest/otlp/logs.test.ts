/** Log records: which are kept, as what, and that what they make of a call depends on nothing but what they are. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Arrival, AS_SENT } from '../../domain/calls/arrival.js'
import { CallBlock } from '../../domain/calls/block.js'
import { readBlock } from '../../domain/calls/testing/read-block.js'
import { EVENT_FIELDS, EVENT_VALUES, EVENTS } from '../../domain/conventions/table.js'
import { operatorMasks } from '../../domain/masking/defaults.js'
import { rulesOf } from '../../domain/masking/snapshot.js'
import { OtlpDecoder } from './decode.js'
import { MAX_RESULTS } from './evaluation-results.js'
import {
  contentOfLogs,
  type Logged,
  type Logs,
  MAX_LOG_BYTES,
  MAX_LOGS,
  putLogs,
  takeLogs,
  unionOf,
  withLogs,
} from './log-records.js'
import { decoded, PROJECT, requestOf } from './testing/decoded.js'
import {
  anyValue,
  attribute,
  encodeExport,
  encodeLogs,
  exportOf,
  type LogMessage,
  recordOf,
  SPAN_ID,
  type SpanMessage,
  spanWith,
  TRACE_ID,
} from './testing/messages.js'

const send = (...records: LogMessage[]) => decoded([requestOf(encodeLogs(...records), { signal: 'logs' })])
/** What one request's records make of a span without content. */
const contentOf = (...records: LogMessage[]) => {
  const { open } = send(...records)
  const { inputs, output } = contentOfLogs(takeLogs(String(open[0]!.otel_span)).logs)
  const parsed = (text: Buffer | undefined) => (text === undefined ? undefined : JSON.parse(text.toString()))
  return { inputs: parsed(inputs), output: parsed(output) }
}

describe('a log record', () => {
  it('waits for the span with its ids', () => {
    const { open, raw, results, waiting } = send(
      recordOf('gen_ai.user.message', {}, { body: anyValue({ content: 'hi' }) }),
    )
    expect(raw).toEqual([])
    expect(results[0]).toMatchObject({ rows: 0, rejected: 0, logs: { taken: 1, ignored: 0 } })
    expect(waiting).toMatchObject({ rows: 1 })
    expect(open).toMatchObject([
      {
        id: SPAN_ID.toString('hex'),
        trace_id: TRACE_ID.toString('hex'),
        kind: '3',
        started_at: '1767225600000002',
      },
    ])
    expect(JSON.parse(String(open[0]!.otel_span))).toEqual({
      logs: [
        {
          timestamp: '2026-01-01T00:00:00.000002000Z',
          name: 'gen_ai.user.message',
          attributes: {},
          body: { content: 'hi' },
        },
      ],
    })
  })

  it('without a span is its trace’s; without a trace it is nobody’s', () => {
    const { open, results } = send(
      recordOf('gen_ai.choice', {}, { spanId: Buffer.alloc(0) }),
      recordOf('gen_ai.choice', {}, { traceId: Buffer.alloc(0) }),
      recordOf('gen_ai.choice', {}, { traceId: Buffer.alloc(16) }),
    )
    expect(open).toMatchObject([{ id: TRACE_ID.toString('hex') }])
    expect(results[0]).toMatchObject({ rejected: 0, logs: { taken: 1, ignored: 2 } })
  })

  it('of anything else is dropped and counted', () => {
    const { open, results } = send(
      recordOf('', {}, { body: anyValue('GET /') }),
      recordOf('http.request', {}),
    )
    expect(open).toEqual([])
    expect(results[0]).toMatchObject({ rejected: 0, logs: { taken: 0, ignored: 2 } })
  })

  it.each([
    ['its name', recordOf('gen_ai.choice', {})],
    ['an attribute', recordOf('', { 'event.name': 'gen_ai.choice' })],
    ['its body', recordOf('', { 'event.name': 'choice' }, { body: anyValue('gen_ai.choice') })],
  ])('is known by %s', (_, record) => {
    expect(send(record).results[0]!.logs.taken).toBe(1)
  })

  it('may have only been observed; without any time it is rejected, and its neighbours are not', () => {
    const observed = recordOf(
      'gen_ai.choice',
      {},
      { timeUnixNano: '0', observedTimeUnixNano: '1767225600000003000' },
    )
    const { open, results } = send(observed, recordOf('gen_ai.choice', {}, { timeUnixNano: '0' }))
    expect(open).toMatchObject([{ started_at: '1767225600000003' }])
    expect(results[0]).toMatchObject({ rejected: 1, logs: { taken: 1 } })
    expect(results[0]!.messages[0]).toContain('time_unix_nano')
  })

  it('holds no credentials', () => {
    const record = recordOf(
      'gen_ai.choice',
      { api_key: 'sk-1' },
      { body: anyValue({ authorization: 'Bearer x' }) },
    )
    expect(String(send(record).open[0]!.otel_span)).not.toMatch(/sk-1|Bearer/)
  })

  it('is masked and sampled as the spans of its trace are', () => {
    const record = recordOf(
      'gen_ai.choice',
      { mail: 'ann@example.com' },
      { body: anyValue({ content: 'to bob@example.com' }) },
    )
    const arriving = ({ sensitiveData = 'off', ...arrival }: Partial<Arrival>) => {
      const open = new CallBlock('calls_open')
      const decoder = new OtlpDecoder(new CallBlock('calls'), open, { ...AS_SENT, ...arrival })
      const request = requestOf(encodeLogs(record), { signal: 'logs' })
      const { snapshot } = operatorMasks({ sensitiveData })
      const masking = snapshot && { rules: rulesOf(snapshot), counts: new Map() }
      return { ...decoder.decodeBatch([request], { ver: 1, masking }), open: readBlock(open.encode()) }
    }
    expect(JSON.stringify(arriving({ sensitiveData: 'pii-v1' }).open)).not.toMatch(/ann@|bob@/)
    const none = arriving({ sampleRate: 0 })
    expect(none.open).toEqual([])
    expect(none.results[0]).toMatchObject({ sampledOut: 1, logs: { taken: 0 } })
  })

  it('is one of so many, and so large, at most', () => {
    const few = Array.from({ length: MAX_LOGS + 3 }, (_, n) => recordOf('gen_ai.choice', { n }))
    expect(send(...few).results[0]).toMatchObject({ rejected: 3, logs: { taken: MAX_LOGS } })
    const large = recordOf('gen_ai.choice', { text: 'x'.repeat(MAX_LOG_BYTES) })
    expect(send(large).results[0]).toMatchObject({ rejected: 1, logs: { taken: 0 } })
  })

  it('comes as JSON, too', () => {
    const traceId = TRACE_ID.toString('hex')
    const spanId = SPAN_ID.toString('hex')
    const good = {
      ...{ traceId, spanId, observedTimeUnixNano: '1767225600000002000', eventName: 'gen_ai.user.message' },
      ...{ severityNumber: 9, severityText: 'INFO', body: { stringValue: 'hi' } },
    }
    const body = (...logRecords: unknown[]) =>
      Buffer.from(JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }))
    const { open, results } = decoded([
      requestOf(body(good, { ...good, spanId: 'zz' }), { signal: 'logs', format: 'json' }),
    ])
    expect(JSON.parse(String(open[0]!.otel_span)).logs).toMatchObject([{ severity: 'INFO', body: 'hi' }])
    expect(results[0]).toMatchObject({ rejected: 1, messages: ['log record zz: spanId must be hex'] })
  })

  it('in a body that can’t be read leaves nothing', () => {
    const bytes = encodeLogs(recordOf('gen_ai.choice', {}), recordOf('gen_ai.choice', {}))
    const { open, results, waiting } = decoded([requestOf(bytes.subarray(0, -3), { signal: 'logs' })])
    expect(open).toEqual([])
    expect(waiting.rows).toBe(0)
    expect(results[0]!.refusal).toMatchObject({
      status: 400,
      reason: expect.stringContaining('OTLP log export'),
    })
  })
})

describe('what log records carry', () => {
  it.each(Object.entries(EVENTS))('%s is a message', (name, { to, role }) => {
    const record = recordOf(name, { 'gen_ai.system': 'openai' }, { body: anyValue({ content: 'hi' }) })
    expect(contentOf(record)[to]).toEqual({
      [`gen_ai.${to === 'inputs' ? 'input' : 'output'}.messages`]: [{ role, content: 'hi' }],
    })
  })

  it('a choice holds its message', () => {
    const body = anyValue({ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'yes' } })
    expect(contentOf(recordOf('gen_ai.choice', {}, { body })).output).toEqual({
      'gen_ai.output.messages': [{ role: 'assistant', content: 'yes' }],
    })
  })

  it('a body that is a message is all of it: what stands beside it says where it was logged', () => {
    const body = anyValue({ role: 'tool', content: 'sunny', tool_call_id: 'call_1' })
    const logged = { 'event.name': 'gen_ai.tool.message', 'code.line.number': 380, CHAT_MESSAGE_INDEX: 2 }
    expect(contentOf(recordOf('', logged, { body })).inputs).toEqual({
      'gen_ai.input.messages': [{ role: 'tool', content: 'sunny', tool_call_id: 'call_1' }],
    })
  })

  it('of a turn of Claude Code is what was asked and the last that was said, whatever it sent meanwhile', () => {
    const at = (second: number, name: string, attributes: object) =>
      recordOf(
        '',
        { 'event.name': name.split('.')[1], ...attributes },
        { timeUnixNano: `17672256${second}000000000`, body: anyValue(name) },
      )
    const said = [
      at(10, 'claude_code.api_request_body', { body: '{"messages":[]}' }),
      at(11, 'claude_code.user_prompt', { prompt: 'weather?' }),
      at(12, 'claude_code.assistant_response', { response: 'Let me look.' }),
      at(13, 'claude_code.tool_result', { tool_name: 'Read', tool_input: '{"file_path":"Paris"}' }),
      at(14, 'claude_code.assistant_response', { response: 'It is sunny.' }),
      at(15, 'claude_code.api_response_body', { body: '{"id":"msg_1"}' }),
    ]
    expect(contentOf(...said)).toEqual({
      inputs: { prompt: 'weather?' },
      output: { response: 'It is sunny.' },
    })
  })

  it.each(
    Object.entries(EVENT_VALUES).flatMap(([to, keys]) =>
      keys.map((key) => [to as keyof typeof EVENT_VALUES, key] as const),
    ),
  )('%s of any event is its %s', (to, key) => {
    const details = recordOf('gen_ai.client.inference.operation.details', {
      [key]: JSON.stringify([{ role: 'user' }]),
    })
    expect(contentOf(details)[to]).toEqual({ [key]: [{ role: 'user' }] })
  })

  it.each(
    Object.entries(EVENT_FIELDS).flatMap(([name, { inputs = [], output = [] }]) => [
      ...inputs.map((key) => [name, 'inputs', key] as const),
      ...output.map((key) => [name, 'output', key] as const),
    ]),
  )('%s: %s is %s', (name, to, key) => {
    expect(contentOf(recordOf('', { 'event.name': name, [key]: 'text' }))[to]).toEqual({ [key]: 'text' })
  })

  it('messages stand in the order of their times', () => {
    const message = (nanos: number, content: string) =>
      recordOf(
        'gen_ai.user.message',
        {},
        { timeUnixNano: `17672256000000${nanos}`, body: anyValue({ content }) },
      )
    const { open } = send(message(50_002, 'second'), message(50_001, 'first'))
    const { inputs } = contentOfLogs(unionOf([takeLogs(String(open[0]!.otel_span)).logs]))
    expect(
      JSON.parse(inputs!.toString())['gen_ai.input.messages'].map(
        ({ content }: { content: string }) => content,
      ),
    ).toEqual(['first', 'second'])
  })
})

const record = fc
  .record({
    time: fc.integer({ min: 0, max: 20 }),
    name: fc.constantFrom('gen_ai.user.message', 'gen_ai.choice', 'gen_ai.other'),
    body: fc.string({ maxLength: 3 }),
  })
  .map(({ time, name, body }) =>
    JSON.stringify({
      timestamp: `2026-01-01T00:00:00.${String(time).padStart(9, '0')}Z`,
      name,
      attributes: {},
      body,
    }),
  )
const logsOf = (records: readonly string[], cut = false): Logs => ({ records, cut })

describe('a call with log records', () => {
  it('is the same in whatever order they came and however often', () => {
    const call = fc.constantFrom<Logged>(
      { inputs: '{}', output: '', otel_span: '{"name":"chat","events":[],"resource":{}}' },
      { inputs: '{"input":1}', output: '', otel_span: '{"name":"chat"}' },
      { inputs: '{}', output: '"own"', otel_span: '{"name":"chat","x":"\\"logs\\":["}' },
    )
    fc.assert(
      fc.property(
        call,
        fc.array(record, { maxLength: 8 }),
        fc.array(fc.array(fc.nat(), { maxLength: 6 }), { maxLength: 5 }),
        (span, records, deliveries) => {
          const expected = withLogs(span, [unionOf([logsOf(records)])])
          let made = span
          for (const delivery of [...deliveries, records.map((_, i) => i)]) {
            const some = records.length === 0 ? [] : delivery.map((n) => records[n % records.length]!)
            made = withLogs(made, [logsOf(some)])
          }
          expect(made).toEqual(expected)
          // The span once more, as it came first, with what the call has by now.
          expect(withLogs(span, [takeLogs(made.otel_span).logs])).toEqual(expected)
        },
      ),
    )
  })

  it('keeps what its span says of itself', () => {
    const logs = logsOf([
      JSON.stringify({ timestamp: '', name: 'gen_ai.choice', attributes: {}, body: 'from a log' }),
    ])
    const span = { inputs: '{"a":1}', output: '"own"', otel_span: '{"name":"n"}' }
    expect(withLogs(span, [logs])).toMatchObject({ inputs: '{"a":1}', output: '"own"' })
    expect(withLogs({ ...span, output: '' }, [logs]).output).toContain('from a log')
  })

  it('has so many at most: always the same ones', () => {
    const records = Array.from(
      { length: MAX_LOGS + 50 },
      (_, n) => `{"timestamp":"${String(n).padStart(6, '0')}"}`,
    )
    const all = unionOf([logsOf(records)])
    expect(all).toMatchObject({ cut: true })
    expect(all.records).toEqual(records.slice(0, MAX_LOGS))
    const later = unionOf([logsOf(records.slice(MAX_LOGS))])
    const halves = [unionOf([logsOf(records.slice(20)), later]), logsOf(records.slice(0, 30))]
    // What was left out once stays out, or another order would give another call.
    expect(unionOf([unionOf(halves), unionOf(halves.toReversed())])).toEqual(unionOf(halves))
    expect(takeLogs(putLogs('{"name":"n"}', all))).toEqual({ span: '{"name":"n"}', logs: all })
    expect(takeLogs(putLogs('', logsOf([])))).toEqual({ span: '', logs: logsOf([]) })
  })
})

describe('how a call was judged', () => {
  const judgement = {
    'gen_ai.evaluation.name': 'relevance',
    'gen_ai.evaluation.score.value': 0.5,
    'gen_ai.evaluation.score.label': 'fair',
    'gen_ai.evaluation.explanation': 'It is "so" so.',
  }
  const event = {
    name: 'gen_ai.evaluation.result',
    timeUnixNano: '1767225600000002000',
    attributes: Object.entries(judgement).map(([key, value]) => attribute(key, value)),
  }
  const spanWithEvents = (...events: SpanMessage['events'] & object) =>
    decoded([requestOf(encodeExport(exportOf(spanWith({ 'input.value': 'hi' }, { events }))))])

  it('is feedback on it, the same from an event and a log record, and each time', () => {
    const [feedback] = spanWithEvents({ name: 'other' }, event).feedback
    expect(feedback).toMatchObject({
      ...{ project: PROJECT, callId: SPAN_ID.toString('hex'), userId: 'ann', name: 'relevance' },
      madeAt: 1_767_225_600_000_002,
    })
    expect(JSON.parse(feedback!.payload)).toEqual({
      output: { score: 0.5, label: 'fair', explanation: 'It is "so" so.' },
    })
    expect(send(recordOf('gen_ai.evaluation.result', judgement)).feedback).toEqual([feedback])
    expect(spanWithEvents(event).feedback).toEqual([feedback])
    const other = { ...judgement, 'gen_ai.evaluation.score.value': 1 }
    expect(send(recordOf('gen_ai.evaluation.result', other)).feedback[0]!.id).not.toBe(feedback!.id)
  })

  it.each([
    [
      'gen_ai.guardrail.result',
      {
        'gen_ai.guardrail.component.name': 'pii',
        'gen_ai.guardrail.verdict.type': 'deny',
        'gen_ai.guardrail.verdict.reason': 'a name',
      },
      'pii',
      { label: 'deny', explanation: 'a name' },
    ],
    ['gen_ai.guardrail.result', { 'error.type': 'timeout' }, 'guardrail', { explanation: 'timeout' }],
    [
      'gen_ai.guardrail.security.finding',
      { 'gen_ai.guardrail.security.risk.category': 'injection', 'gen_ai.guardrail.security.risk.score': 0.9 },
      'guardrail',
      { score: 0.9, label: 'injection' },
    ],
    [
      'gen_ai.security.finding',
      { 'gen_ai.security.guardrail.name': 'shield', 'gen_ai.security.verdict.type': 'warn' },
      'shield',
      { label: 'warn' },
    ],
  ])('by a guardrail, %s, is feedback, too', (name, said, feedbackName, output) => {
    const attributes = Object.entries(said).map(([key, value]) => attribute(key, value))
    const [feedback] = spanWithEvents({ name, attributes }).feedback
    expect(feedback).toMatchObject({ name: feedbackName })
    expect(JSON.parse(feedback!.payload)).toEqual({ output })
    expect(send(recordOf(name, said)).feedback).toMatchObject([
      { name: feedbackName, payload: feedback!.payload },
    ])
  })

  it('needs no name, and has a short one', () => {
    expect(spanWithEvents({ ...event, attributes: [] }).feedback).toMatchObject([
      { name: 'evaluation', payload: '{"output":{}}' },
    ])
    const long = [attribute('gen_ai.evaluation.name', 'x'.repeat(10_000))]
    expect(spanWithEvents({ ...event, attributes: long }).feedback[0]!.name).toHaveLength(128)
  })

  it('is not of a span that is rejected, and bounded in a request', () => {
    const bad = spanWith({}, { spanId: Buffer.alloc(0), events: [event] })
    expect(decoded([requestOf(encodeExport(exportOf(bad)))]).feedback).toEqual([])
    const { feedback, results } = spanWithEvents(...Array.from({ length: MAX_RESULTS + 5 }, () => event))
    expect(feedback).toHaveLength(MAX_RESULTS)
    expect(results[0]).toMatchObject({
      rows: 1,
      rejected: 0,
      messages: [expect.stringContaining('evaluation results')],
    })
  })
})

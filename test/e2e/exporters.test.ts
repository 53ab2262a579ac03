/** The published OpenTelemetry exporters, as processes of their own, against the real server. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Row } from '../support/api.js'
import type { Endpoint } from '../support/endpoint.js'
import { freshProject } from '../support/ids.js'
import { runNode, runPython } from '../support/program.js'
import { sharedServer } from '../support/shared-server.js'

interface Exported {
  traces: { trace: string; spans: [string, string, string] }[]
  answers: unknown[]
}

let server: Endpoint
beforeAll(async () => {
  server = await sharedServer()
})

const COUNT = '120'

function javascript(project: string, resource: boolean, more: Record<string, string>) {
  const [entity, name] = project.split('/')
  return runNode<Exported>(server, 'otel-export', {
    ENDPOINT: `${server.url}/otel/v1/traces`,
    HEADERS: JSON.stringify({ ...server.api.authorization, ...(resource ? {} : { project_id: project }) }),
    RESOURCE: JSON.stringify({
      'service.name': 'agent',
      ...(resource ? { 'wandb.entity': entity, 'wandb.project': name } : {}),
    }),
    COUNT,
    ...more,
  })
}

function basic(): string {
  return `Authorization=${encodeURIComponent(server.api.authorization.authorization ?? '')}`
}

function python(project: string, resource: boolean, more: Record<string, string>) {
  const [entity, name] = project.split('/')
  const authorization = basic()
  return runPython<Exported>(server, 'otel_export', {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${server.url}/otel/v1/traces`,
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: resource ? authorization : `${authorization},project_id=${project}`,
    RESOURCE: JSON.stringify({
      'service.name': 'agent',
      ...(resource ? { 'wandb.entity': entity, 'wandb.project': name } : {}),
    }),
    COUNT,
    ...more,
  })
}

const exporters: [string, (project: string) => Promise<Exported>][] = [
  [
    'JavaScript, protobuf, gzip, resource attributes',
    (project) => javascript(project, true, { COMPRESSION: 'gzip' }),
  ],
  ['JavaScript, protobuf, header', (project) => javascript(project, false, {})],
  [
    'JavaScript, JSON, gzip',
    (project) => javascript(project, true, { ENCODING: 'json', COMPRESSION: 'gzip' }),
  ],
  ['JavaScript, JSON', (project) => javascript(project, false, { ENCODING: 'json' })],
  [
    'Python, protobuf, gzip, resource attributes',
    (project) => python(project, true, { OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'gzip' }),
  ],
  [
    'Python, protobuf, deflate',
    (project) => python(project, false, { OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'deflate' }),
  ],
  ['Python, protobuf, header', (project) => python(project, false, {})],
  [
    'JavaScript, gRPC, gzip',
    (project) =>
      javascript(project, false, {
        ...{ ENCODING: 'grpc', COMPRESSION: 'gzip', ENDPOINT: server.otlpGrpcUrl, HEADERS: '{}' },
        OTEL_EXPORTER_OTLP_HEADERS: `${basic()},project_id=${project}`,
      }),
  ],
  [
    'JavaScript, gRPC, resource attributes',
    (project) =>
      javascript(project, true, {
        ...{ ENCODING: 'grpc', ENDPOINT: server.otlpGrpcUrl, HEADERS: '{}' },
        OTEL_EXPORTER_OTLP_HEADERS: `wandb-api-key=${server.key}`,
      }),
  ],
  [
    'Python, gRPC, gzip, resource attributes',
    (project) =>
      python(project, true, {
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc',
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: server.otlpGrpcUrl,
        OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'gzip',
      }),
  ],
  [
    'Python, gRPC, the project as user name',
    (project) =>
      runPython<Exported>(server, 'otel_export', {
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc',
        OTEL_EXPORTER_OTLP_ENDPOINT: server.otlpGrpcUrl,
        OTEL_EXPORTER_OTLP_HEADERS: `Authorization=${encodeURIComponent(server.api.authorizationAs(project))}`,
        COUNT,
      }),
  ],
  [
    'Python, by the address alone, the project as user name',
    (project) =>
      runPython<Exported>(server, 'otel_export', {
        OTEL_EXPORTER_OTLP_ENDPOINT: server.url,
        OTEL_EXPORTER_OTLP_HEADERS: `Authorization=${encodeURIComponent(server.api.authorizationAs(project))}`,
        COUNT,
      }),
  ],
]

describe.each(exporters)('%s', (_name, run) => {
  it('every span is a call, with what it says', async () => {
    const project = freshProject()
    const { traces, answers } = await run(project)
    expect(answers.length).toBeGreaterThan(0)
    for (const answer of answers) expect([true, { code: 0 }]).toContainEqual(answer)
    expect(await server.api.count(project)).toBe(3 * Number(COUNT))

    const calls = new Map((await server.api.calls(project)).map((call) => [call.id, call]))
    for (const [number, { trace, spans }] of traces.entries()) {
      const [root, chat, tool] = spans.map((id) => calls.get(id)) as [Row, Row, Row]
      expect(root).toMatchObject({
        trace_id: trace,
        parent_id: null,
        thread_id: `conversation-${number % 2}`,
        turn_id: spans[0],
        inputs: { 'input.value': { question: `how many? ${number}`, n: number } },
        output: { 'output.value': { answer: number } },
      })
      expect(chat).toMatchObject({
        trace_id: trace,
        parent_id: spans[0],
        inputs: { 'gen_ai.prompt': [{ role: 'user', content: `how many? ${number} żółć 🧵` }] },
        output: { 'gen_ai.completion': [{ role: 'assistant', content: String(number) }] },
        attributes: {
          model: 'model-small-1',
          provider: 'local',
          operation_name: 'chat',
          finish_reasons: ['stop'],
        },
        summary: {
          usage: {
            'model-small-1': { input_tokens: 10 + number, output_tokens: 5, total_tokens: 15 + number },
          },
        },
      })
      expect(tool).toMatchObject({
        parent_id: spans[0],
        exception: 'no such tool',
        attributes: { kind: 'tool' },
        summary: { weave: { status: 'error' } },
      })
      // Where the batch had the root, too, it is that of the root.
      expect([null, `conversation-${number % 2}`]).toContain(tool.thread_id)
      expect(String(tool.op_name)).toContain('tool.lookup')
    }
    expect(JSON.stringify([...calls.values()])).not.toContain('sk-not-to-be-stored')

    const threads = await server.api.lines('/threads/stream_query', { project_id: project })
    expect(threads.map((thread) => [thread.thread_id, thread.turn_count]).sort()).toEqual([
      ['conversation-0', 60],
      ['conversation-1', 60],
    ])
    expect(await server.api.count(project, { filter: { trace_roots_only: true } })).toBe(Number(COUNT))
    expect(await server.api.count(project, { filter: { trace_ids: [traces[7]!.trace] } })).toBe(3)
    const query = { $expr: { $eq: [{ $getField: 'inputs.input\\.value.n' }, { $literal: 42 }] } }
    expect((await server.api.calls(project, { query })).map((call) => call.id)).toEqual([
      traces[42]!.spans[0],
    ])
  })
})

describe('log records of the Python SDK', () => {
  it.each([
    ['logs', 'http/protobuf'],
    ['spans', 'http/protobuf'],
    ['logs', 'grpc'],
    ['spans', 'grpc'],
  ])('are the messages of their spans, %s first over %s', async (first, protocol) => {
    const project = freshProject()
    const { spans } = await runPython<{ spans: string[] }>(server, 'otel_logs', {
      FIRST: first,
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
      OTEL_EXPORTER_OTLP_ENDPOINT: protocol === 'grpc' ? server.otlpGrpcUrl : server.url,
      OTEL_EXPORTER_OTLP_HEADERS: `Authorization=${encodeURIComponent(server.api.authorizationAs(project))}`,
    })
    const calls = new Map((await server.api.calls(project)).map((call) => [call.id, call]))
    expect(calls.size).toBe(2)
    expect(calls.get(spans[0]!)).toMatchObject({
      inputs: {
        'gen_ai.input.messages': [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'What is 1 + 1?' },
        ],
      },
      output: { 'gen_ai.output.messages': [{ role: 'assistant', content: '2' }] },
      attributes: { kind: 'llm', model: 'gpt-4o' },
    })
    expect(calls.get(spans[1]!)).toMatchObject({
      inputs: {
        'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'And 2 + 2?' }] }],
      },
      output: { 'gen_ai.output.messages': [{ role: 'assistant' }] },
    })
    expect(await server.api.count(project)).toBe(2)
  })
})

describe('an exporter without a key', () => {
  it('is told so', async () => {
    // The SDK's shutdown ends the program with what the exporter was told.
    const program = javascript(freshProject(), false, { HEADERS: '{}' })
    await expect(program).rejects.toThrow(/code: 401[\s\S]*Send an API key/)
  })

  it('is told so over gRPC', async () => {
    const over = { ENCODING: 'grpc', ENDPOINT: server.otlpGrpcUrl, HEADERS: '{}' }
    await expect(javascript(freshProject(), false, over)).rejects.toThrow(
      /UNAUTHENTICATED[\s\S]*Send an API key/,
    )
  })
})

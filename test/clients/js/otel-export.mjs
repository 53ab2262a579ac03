// The OpenTelemetry JavaScript exporter as a user would set it up: a small agent's trace.
// Environment: ENDPOINT, HEADERS (JSON), ENCODING (protobuf, json or grpc), COMPRESSION (gzip or none), RESOURCE
// (JSON), COUNT. Reports trace and span ids, and whether each export was answered well.
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { report } from './result.mjs'

const {
  ENDPOINT,
  HEADERS = '{}',
  ENCODING = 'protobuf',
  COMPRESSION = 'none',
  RESOURCE = '{}',
  COUNT = '1',
} = process.env
const Exporter = { json: JsonExporter, protobuf: ProtobufExporter, grpc: GrpcExporter }[ENCODING]
const exporter = new Exporter({ url: ENDPOINT, headers: JSON.parse(HEADERS), compression: COMPRESSION })

const answers = []
const inner = exporter.export.bind(exporter)
exporter.export = (spans, done) =>
  inner(spans, (answer) => {
    answers.push({ code: answer.code, error: answer.error?.message })
    done(answer)
  })

const provider = new BasicTracerProvider({
  resource: resourceFromAttributes(JSON.parse(RESOURCE)),
  spanProcessors: [new BatchSpanProcessor(exporter, { maxExportBatchSize: 100, scheduledDelayMillis: 100 })],
})
const tracer = provider.getTracer('agent', '1.2.3')

const traces = []
for (let number = 0; number < Number(COUNT); number++) {
  const root = tracer.startSpan('agent.run', { kind: SpanKind.SERVER })
  const inside = trace.setSpan(context.active(), root)
  root.setAttribute('gen_ai.conversation.id', `conversation-${number % 2}`)
  root.setAttribute('input.value', JSON.stringify({ question: `how many? ${number}`, n: number }))
  root.setAttribute('output.value', JSON.stringify({ answer: number }))
  root.addEvent('thought', { text: 'counting', step: 1 })
  const chat = tracer.startSpan('chat model-small', { kind: SpanKind.CLIENT }, inside)
  chat.setAttributes({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'local',
    'gen_ai.request.model': 'model-small',
    'gen_ai.response.model': 'model-small-1',
    'gen_ai.request.temperature': 0.5,
    'gen_ai.usage.input_tokens': 10 + number,
    'gen_ai.usage.output_tokens': 5,
    'gen_ai.prompt.0.role': 'user',
    'gen_ai.prompt.0.content': `how many? ${number} żółć 🧵`,
    'gen_ai.completion.0.role': 'assistant',
    'gen_ai.completion.0.content': String(number),
    'gen_ai.response.finish_reasons': ['stop'],
  })
  chat.end()
  const tool = tracer.startSpan('tool.lookup', {}, inside)
  tool.setAttribute('traceloop.span.kind', 'tool')
  tool.setAttribute('api_key', 'sk-not-to-be-stored')
  tool.setStatus({ code: SpanStatusCode.ERROR, message: 'no such tool' })
  tool.end()
  root.end()
  traces.push({
    trace: root.spanContext().traceId,
    spans: [root, chat, tool].map((span) => span.spanContext().spanId),
  })
}

await provider.shutdown()
report({ traces, answers })

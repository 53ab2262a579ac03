/**
 * Sends spans to a collector in batches, with OpenTelemetry's SDK. docs/operate/monitoring.md lists the environment
 * variables that the SDK reads. Loaded only when tracing is turned on.
 */
import { hostname } from 'node:os'
import { DiagLogLevel, diag, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Attributes, SpanKind as Kind, Span, Tracer } from './tracing.js'
import { OWN_SPANS } from './tracing-spans.js'

const KINDS: Record<Kind, SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}
/** Limit of the final flush: an unreachable collector must not block the process's end. */
const FLUSH_MS = 3000
/** An unreachable collector is reported at most this often. */
const COMPLAIN_MS = 60_000

export interface TracingOptions {
  /** the URL that spans are posted to, with its path */
  url: string
  /** the service name, unless OTEL_SERVICE_NAME is set */
  name: string
  version: string
  /** called when spans could not be sent */
  failed: (why: string) => void
}

export interface Tracing {
  tracer: Tracer
  /** Sends the remaining spans. Never rejects. */
  stop(): Promise<void>
}

/** Creates a tracer that sends spans to `url`. */
export function openTracing({ url, name, version, failed }: TracingOptions): Tracing {
  complainTo(failed)
  // When resources are merged, the later one wins: the operator's.
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({ 'service.name': name, 'service.version': version, 'host.name': hostname() }),
    )
    .merge(detectResources({ detectors: [envDetector] }))
  const exporter = new OTLPTraceExporter({ url, headers: { [OWN_SPANS]: '1' } })
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] })
  const sdk = provider.getTracer('heddle', version)
  return {
    tracer: {
      begin: (spanName, kind, attributes, parent) => {
        const context = parentOf(parent)
        const around = context ? trace.setSpanContext(ROOT_CONTEXT, context) : ROOT_CONTEXT
        return new SdkSpan(sdk.startSpan(spanName, { kind: KINDS[kind], attributes }, around))
      },
    },
    stop: async () => {
      const late = new Promise((resolve) => setTimeout(resolve, FLUSH_MS).unref())
      await Promise.race([provider.shutdown().catch(() => undefined), late])
    },
  }
}

class SdkSpan implements Span {
  ended = false

  constructor(private readonly span: ReturnType<ReturnType<BasicTracerProvider['getTracer']>['startSpan']>) {}

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.span.spanContext()
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  }

  set(attributes: Attributes): void {
    this.span.setAttributes(attributes)
  }

  end(failure?: string): void {
    if (this.ended) return
    this.ended = true
    if (failure !== undefined) {
      this.span.setAttribute('error.type', failure)
      this.span.setStatus({ code: SpanStatusCode.ERROR })
    }
    this.span.end()
  }
}

/** Parses a `traceparent`; undefined if it is not valid W3C. */
function parentOf(traceparent: string | undefined) {
  const [, version, traceId = '', spanId = '', flags = ''] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/.exec(traceparent ?? '') ?? []
  if (version === undefined || version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId))
    return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}

/** The SDK reports errors as JSON, with their stack and the collector's answer. */
function sentenceOf(message: string): string {
  try {
    const error: unknown = JSON.parse(message)
    const named = typeof error === 'object' && error !== null && 'message' in error && error.message
    return typeof named === 'string' && named !== '' ? named : 'the collector does not take them'
  } catch {
    return message
  }
}

/** The SDK reports failures only through this logger. */
function complainTo(failed: (why: string) => void): void {
  let last = Number.NEGATIVE_INFINITY
  const complain = (message: string) => {
    if (performance.now() - last < COMPLAIN_MS) return
    last = performance.now()
    failed(sentenceOf(message))
  }
  const quiet = () => undefined
  diag.setLogger(
    { error: complain, warn: complain, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
}

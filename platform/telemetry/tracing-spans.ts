/** The spans of requests, statements, jobs and calls, named after OpenTelemetry's semantic conventions. */
import type { RouteSpec } from '../http/route.js'
import { type Attributes, childSpan, type Span, tracer } from './tracing.js'

/** Marks our exporter's requests, so that they are not traced if they come back to us. */
export const OWN_SPANS = 'x-heddle-own-spans'

/** The span of an HTTP request; undefined if it is not traced. Continues the caller's `traceparent`. */
export function requestSpan(
  { tag, method, path }: RouteSpec,
  headers: ReadonlyMap<string, string>,
): Span | undefined {
  // Probes arrive every few seconds for ever.
  if (tracer === undefined || tag === 'probes' || path === '/health' || headers.has(OWN_SPANS))
    return undefined
  const about = { 'http.request.method': method, 'http.route': path }
  return tracer.begin(`${method} ${path}`, 'server', about, headers.get('traceparent'))
}

/** Ends a request's span. @param failure the code of the error, if any */
export function endRequest(span: Span, status: number, requestId: string, failure: string | undefined): void {
  span.set({ 'http.response.status_code': status, 'heddle.request.id': requestId })
  // A caller's mistake is not a server failure.
  if (failure !== undefined) span.set({ 'error.type': failure })
  span.end(status >= 500 ? (failure ?? String(status)) : undefined)
}

/** Matches the verb of a statement and the first table that it names. */
const STATEMENT = /^\s*(\w+)(?:[\s\S]*?\b(?:FROM|INTO|UPDATE|TABLE)\s+[`"]?(\w[\w.]*))?/i

/** The span of a ClickHouse statement within another span; never contains its text or values. */
export function statementSpan(kind: string, query: string): Span | undefined {
  const [, verb = '', table] = STATEMENT.exec(query) ?? []
  const operation = verb.toUpperCase()
  const about: Attributes = {
    'db.system.name': 'clickhouse',
    'db.operation.name': operation,
    'heddle.statement.kind': kind,
    ...(table !== undefined && { 'db.collection.name': table }),
  }
  return childSpan(table === undefined ? operation : `${operation} ${table}`, 'client', about)
}

/**
 * The span of a queue job, as part of the span that enqueued it.
 * @param parent the traceparent in the job
 * @param queuedAt ms since 1970
 */
export function jobSpan(
  queue: string,
  parent: string | undefined,
  queuedAt: number,
  about: Attributes = {},
): Span | undefined {
  return tracer?.begin(
    `process ${queue}`,
    'consumer',
    {
      'messaging.system': 'bullmq',
      'messaging.operation.name': 'process',
      'messaging.destination.name': queue,
      'heddle.queue.waited_ms': Math.max(0, Date.now() - queuedAt),
      ...about,
    },
    parent,
  )
}

/** The span of a training attempt, which may take hours. @param parent the traceparent of the job's request */
export function attemptSpan(
  job: { id: string; kind: string; attempt: number; step: number },
  node: string,
  parent: string | undefined,
): Span | undefined {
  return tracer?.begin(
    `train ${job.kind}`,
    'internal',
    {
      'heddle.job.id': job.id,
      'heddle.job.kind': job.kind,
      'heddle.job.attempt': job.attempt,
      'heddle.job.step': job.step,
      'server.address': node,
    },
    parent,
  )
}

/** The span of a call to a GPU node within another span. */
export function nodeSpan(service: string, method: string, address: string): Span | undefined {
  const about = {
    'rpc.system': 'grpc',
    'rpc.service': service,
    'rpc.method': method,
    'server.address': address,
  }
  return childSpan(`${service}/${method}`, 'client', about)
}

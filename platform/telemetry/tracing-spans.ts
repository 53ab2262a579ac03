/** The spans there are: of requests, statements, jobs and calls, with the names that OpenTelemetry has for what they tell. */
import type { RouteSpec } from '../http/route.js'
import { type Attributes, childSpan, type Span, tracer } from './tracing.js'

/** Our exporter's requests carry it: should they come back to us, they are no news. */
export const OWN_SPANS = 'x-heddle-own-spans'

/** Of a request over HTTP; undefined: it is not traced. A `traceparent` of the caller's is gone on with. */
export function requestSpan(
  { tag, method, path }: RouteSpec,
  headers: ReadonlyMap<string, string>,
): Span | undefined {
  // Probes come every few seconds for ever.
  if (tracer === undefined || tag === 'probes' || path === '/health' || headers.has(OWN_SPANS))
    return undefined
  const about = { 'http.request.method': method, 'http.route': path }
  return tracer.begin(`${method} ${path}`, 'server', about, headers.get('traceparent'))
}

/** The end of it. @param error what was thrown, if anything was */
export function endRequest(span: Span, status: number, requestId: string, failure: string | undefined): void {
  span.set({ 'http.response.status_code': status, 'heddle.request.id': requestId })
  // What callers do wrong is no failure of the server's.
  if (failure !== undefined) span.set({ 'error.type': failure })
  span.end(status >= 500 ? (failure ?? String(status)) : undefined)
}

/** The first word of a statement, and the first table that it names. */
const STATEMENT = /^\s*(\w+)(?:[\s\S]*?\b(?:FROM|INTO|UPDATE|TABLE)\s+[`"]?(\w[\w.]*))?/i

/** Of a statement to ClickHouse that is part of something; its text and its values stay here. */
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
 * Of a job that was taken from a queue, as part of what put it there.
 * @param parent the traceparent in it
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

/** Of an attempt at a training job, of hours perhaps. @param parent the traceparent of what asked for the job */
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

/** Of a call to a GPU node that is part of something. */
export function nodeSpan(service: string, method: string, address: string): Span | undefined {
  const about = {
    'rpc.system': 'grpc',
    'rpc.service': service,
    'rpc.method': method,
    'server.address': address,
  }
  return childSpan(`${service}/${method}`, 'client', about)
}

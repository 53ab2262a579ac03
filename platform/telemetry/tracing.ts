/**
 * Spans of our own work, as the rest of the code sees them: just an undefined variable until tracing is turned on. The
 * current span follows the work automatically.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export type SpanKind = 'server' | 'client' | 'consumer' | 'internal'
/** Counts, codes and our own names: never a caller's data. */
export type Attributes = Record<string, string | number>

export interface Span {
  /** the W3C header that lets other processes continue the span: `00-trace-span-flags` */
  readonly traceparent: string
  readonly ended: boolean
  set(attributes: Attributes): void
  /** @param failure an error code; undefined: success */
  end(failure?: string): void
}

export interface Tracer {
  /** @param parent the traceparent of the parent; if it is undefined or invalid, starts a new trace */
  begin(name: string, kind: SpanKind, attributes: Attributes, parent?: string): Span
}

/** undefined while tracing is off; a check of it is the only cost then */
export let tracer: Tracer | undefined

/** Turns tracing on for the whole process; undefined: off. */
export function traceWith(one: Tracer | undefined): void {
  tracer = one
}

const running = new AsyncLocalStorage<Span | undefined>()

/** The current span. Work after its end is not part of it. */
export function currentSpan(): Span | undefined {
  if (tracer === undefined) return undefined
  const span = running.getStore()
  return span?.ended ? undefined : span
}

/** A child of the current span; undefined if there is none. */
export function childSpan(name: string, kind: SpanKind, attributes: Attributes): Span | undefined {
  const parent = currentSpan()
  return parent && tracer?.begin(name, kind, attributes, parent.traceparent)
}

/** Headers for a request to another Heddle process. */
export function traceHeaders(): Record<string, string> {
  const span = currentSpan()
  return span ? { traceparent: span.traceparent } : {}
}

/** Runs `work` with `span` as the current one; undefined: with none. */
export function within<T>(span: Span | undefined, work: () => T): T {
  return tracer === undefined ? work() : running.run(span, work)
}

/** Runs `work` within `span` and ends it. @throws what `work` throws */
export async function spanOf<T>(span: Span | undefined, work: () => Promise<T>): Promise<T> {
  if (!span) return work()
  try {
    const value = await within(span, work)
    span.end()
    return value
  } catch (error) {
    span.end(failureCode(error))
    throw error
  }
}

/** The stable code of our errors, or else the error's class name: never its message. */
export function failureCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

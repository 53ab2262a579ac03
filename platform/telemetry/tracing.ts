/**
 * Spans of our own work, as the rest of the code sees them: nothing but an undefined variable until somebody turns them
 * on. The span that runs now goes along with the work by itself. Knows nothing of OpenTelemetry, or of where spans go.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export type SpanKind = 'server' | 'client' | 'consumer' | 'internal'
/** Counts, codes, names of ours: never what a caller sent. */
export type Attributes = Record<string, string | number>

export interface Span {
  /** the W3C header for work that continues the span elsewhere: `00-trace-span-flags` */
  readonly traceparent: string
  readonly ended: boolean
  set(attributes: Attributes): void
  /** @param failure a code; undefined: it went well */
  end(failure?: string): void
}

export interface Tracer {
  /** @param parent the traceparent of what it is a part of; undefined, or nothing that W3C knows: a trace of its own */
  begin(name: string, kind: SpanKind, attributes: Attributes, parent?: string): Span
}

/** undefined: nothing is traced, and this is all that anybody has to look at */
export let tracer: Tracer | undefined

/** Turns spans on for the whole process; undefined: off. */
export function traceWith(one: Tracer | undefined): void {
  tracer = one
}

const running = new AsyncLocalStorage<Span | undefined>()

/** The span that runs now. What goes on after its end is no part of it. */
export function currentSpan(): Span | undefined {
  if (tracer === undefined) return undefined
  const span = running.getStore()
  return span?.ended ? undefined : span
}

/** A part of the span that runs now; undefined: none does. */
export function childSpan(name: string, kind: SpanKind, attributes: Attributes): Span | undefined {
  const parent = currentSpan()
  return parent && tracer?.begin(name, kind, attributes, parent.traceparent)
}

/** Headers for a request to another of our own roles. */
export function traceHeaders(): Record<string, string> {
  const span = currentSpan()
  return span ? { traceparent: span.traceparent } : {}
}

/** Runs `work` with `span` as the one that runs; undefined: with none. */
export function within<T>(span: Span | undefined, work: () => T): T {
  return tracer === undefined ? work() : running.run(span, work)
}

/** Runs `work` as `span`, to its end. @throws what `work` throws */
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

/** The stable code of an error of ours, or what kind of error it is: never its message. */
export function failureCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

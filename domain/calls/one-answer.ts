/**
 * One answer of a provider is used and paid for once, though several instrumentations tell of it: of the spans of a trace
 * that give its usage and overlap in time, one counts. Pure.
 */
import { sql } from '../../platform/clickhouse/sql.js'

/** The condition that a row's usage counts. */
export const COUNTS = sql`repeats_usage = 0`

/** A span that gives the usage of an answer. Times are µs since the epoch. */
export interface AnswerSpan {
  readonly id: string
  readonly started: number
  /** 0: it has not ended */
  readonly ended: number
  /** whether it says itself whose answer it was: then its tokens are those of an agent */
  readonly isOfAgent: boolean
}

/**
 * Those of `spans`, of one trace and with the same id of an answer, that repeat another one's usage. The one of an agent
 * counts, else the one that began last, which is the nearest to the provider. Spans that do not overlap are of several
 * answers: some servers give all of them the same id.
 */
export function repeating<Span extends AnswerSpan>(spans: readonly Span[]): Span[] {
  const inOrder = [...spans].sort((a, b) => a.started - b.started || (a.id < b.id ? -1 : 1))
  const repeated: Span[] = []
  let best: Span | undefined
  let end = 0
  for (const span of inOrder) {
    const isApart = best === undefined || span.started >= end
    end = Math.max(isApart ? 0 : end, span.ended, span.started + 1)
    if (isApart || best === undefined) best = span
    else if (best.isOfAgent && !span.isOfAgent) repeated.push(span)
    else {
      repeated.push(best)
      best = span
    }
  }
  return repeated
}

/** What the second step of a write is told of the rows that the first one stored. */

/** How a row says what it says about a call. */
export type CallChangeKind =
  /** a span of an exporter: the same trace and span id is the same call */
  | 'span'
  /** a whole call: it replaces what is stored under its id */
  | 'whole'
  | 'start'
  | 'end'

export interface CallChange {
  readonly kind: CallChangeKind
  readonly projectId: string
  readonly id: string
  readonly traceId: string
  /** µs since the epoch; 0: unknown */
  readonly startedAt: number
  readonly ver: number
  /** an end that must find its start, or it is not kept */
  readonly mustPair?: boolean
}

/** A call of one project, as a key of maps. */
export function callKey({ projectId, id }: { projectId: string; id: string }): string {
  return `${projectId} ${id}`
}

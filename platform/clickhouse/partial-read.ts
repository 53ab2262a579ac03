/**
 * Reads that may lack rows: while the disk has no room for the parts of rows that an embedded engine has acknowledged, a
 * request that only reads gets what is in the tables, and learns from when on rows may be missing.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

/** A read that may lack rows has this header, */
export const MAY_LACK = 'x-clickhouse-may-lack'
/** and this one its answer, if rows may be missing: ms since the epoch. */
export const LACKS_SINCE = 'x-clickhouse-lacks-since'

/** What a request has read. */
export interface PartialRead {
  /** rows that were acknowledged since may be missing; ms since the epoch */
  lacksSince?: number
}

const running = new AsyncLocalStorage<PartialRead>()

/** Runs `work`, whose reads may lack rows, and calls `partial` if they do. */
export function readingPartly<T>(partial: PartialRead, work: () => T): T {
  return running.run(partial, work)
}

/** Headers of a read. */
export function partialHeaders(): Record<string, string> {
  return running.getStore() === undefined ? {} : { [MAY_LACK]: '1' }
}

/** Notes what an answer lacks. */
export function notePartial(headers: Record<string, unknown>): void {
  const since = headers[LACKS_SINCE]
  const partial = running.getStore()
  if (since === undefined || partial === undefined) return
  partial.lacksSince = Math.min(partial.lacksSince ?? Number.POSITIVE_INFINITY, Number(since))
}

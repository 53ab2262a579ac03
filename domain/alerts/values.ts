/** What the service that reads calls measures for alerts, which another service judges. */
import type { AlertOnCalls, AlertSource } from '../../contract/alerts.js'
import { CALL_METRICS } from '../../contract/calls-read.js'
import type { Caller } from '../../platform/fairness/caller.js'
import type { Span } from '../calls/read/span.js'

/** Who asks; `signal` ends it. */
export interface Asked {
  caller: Caller
  signal: AbortSignal
}

/** What a window has, or a group in it. */
export interface WindowRow {
  /** s since the epoch: when the window begins */
  bucket: number
  /** null: all groups but the largest */
  grp?: string | null
  /** the value */
  m0: number | null
  /** of how many rows it is */
  m1: number
}

/** True for what can be measured beside others of the same project and time, in one statement. */
export const isBatchable = (source: AlertSource): source is AlertOnCalls =>
  source.type === 'calls' &&
  source.group_by === null &&
  (CALL_METRICS as readonly string[]).includes(source.metric)

export interface AlertValues {
  /** Rows of the windows that have calls. @param project `entity/project` @param span its buckets are the windows */
  calls(project: string, source: AlertOnCalls, span: Span, asked: Asked): Promise<WindowRow[]>
  /** The same of several sources at once, each of them {@link isBatchable}: a list for each. */
  batch(project: string, sources: readonly AlertOnCalls[], span: Span, asked: Asked): Promise<WindowRow[][]>
  /** The result of a statement about the time from `since` to `until` (ms since the epoch). @throws as /sql */
  sql(project: string, query: string, since: number, until: number, asked: Asked): Promise<object[]>
}

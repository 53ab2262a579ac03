/** What goes to a decode thread and what comes back: plain data, its large parts transferred. */

import type { BlockLayout } from '../../domain/calls/block-reader.js'
import type { RunnableFeedback } from '../../domain/feedback/runnable.js'
import type { Snapshot } from '../../domain/masking/snapshot.js'
import type { Grant } from '../../platform/http/principal.js'
import type { SpanOp } from '../otlp/projects.js'

/** The routes that write calls, by what their bodies are. */
export type WriteRoute = 'otlp' | 'otlp_logs' | 'start' | 'end' | 'upsert_batch' | 'complete'

/** One request. */
export interface RawWrite {
  readonly route: WriteRoute
  /** as it came */
  readonly body: Uint8Array
  readonly contentType: string
  /** empty: none */
  readonly contentEncoding: string
  /** entity/project of the path or the header, if there is one */
  readonly project: string | undefined
  readonly userId: string
  readonly grants: readonly Grant[]
}

/** What a thread is given. */
export interface Task {
  readonly requests: readonly RawWrite[]
  /** memory that holds the bodies, and then the block of `calls`, if that finds room there */
  readonly buffer: SharedArrayBuffer | undefined
  /** rules by which texts are masked; undefined: there are none */
  readonly masking: Snapshot | undefined
}

/** What became of a request: its answer, which is good only once the rows are stored. */
export interface Outcome {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array
  readonly headers: Record<string, string>
  /** calls or spans in it that became (part of) rows, and that were refused */
  readonly accepted: number
  readonly rejected: number
  /** spans left out as the operator wants it */
  readonly sampledOut: number
  /** log records that are no part of a call */
  readonly ignored?: number
  /** entity/project of what was written */
  readonly projects: readonly string[]
}

/** The rows for one table, with what must be known of each to see whether the call is stored already. */
export interface Rows extends BlockLayout {
  /** values of `ROW` */
  readonly kinds: Uint8Array
  /** two a row: the identity's hashes */
  readonly hashes: Uint32Array
  /** ms since the epoch before which the call can't have been written; -Infinity: unknown; Infinity: never asked */
  readonly born: Float64Array
  /** index of the request that wrote the row (the last one, if several did) */
  readonly requests: Uint32Array
}

export interface Decoded {
  /** by request; of those that found no room in the block there is none, and they have to be decoded again */
  readonly outcomes: (Outcome | undefined)[]
  readonly calls: Rows | undefined
  readonly open: Rows | undefined
  /** ops that must be there before the spans are acknowledged */
  readonly ops: SpanOp[]
  /** how calls were judged, as their events say */
  readonly feedback: readonly RunnableFeedback[]
  /** how often which rule has masked something, by `countKey` */
  readonly masked: readonly (readonly [string, number])[]
  /** spans that WebAssembly did not write */
  readonly unwalked: number
  /** ms of the thread's time */
  readonly ms: number
  /** what went wrong in the decoder itself; then there are no rows */
  readonly broken?: string
}

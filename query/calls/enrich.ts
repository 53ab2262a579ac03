/**
 * Adds feedback and the values of refs to the lines of a list of calls, batch by batch. Both are read concurrently.
 */

import type { FeedbackOfLines } from '../../domain/feedback/lines.js'
import type { Resolve } from '../../domain/refs/expand.js'
import { lineBatches } from '../../platform/http/line-batches.js'
import type { Principal } from '../../platform/http/principal.js'
import { expanded } from '../expand/lines.js'
import type { Path } from '../expand/paths.js'

export interface Enrichment {
  /** `entity/project` */
  project: string
  principal: Principal
  /** undefined: no feedback */
  feedback: FeedbackOfLines | undefined
  /** empty: nothing is expanded */
  paths: readonly Path[]
  resolve: Resolve
}

const NEWLINE = Buffer.from('\n')

/** The same lines with everything that `dress` requests. */
export async function* enrichedLines(
  lines: AsyncIterable<Uint8Array>,
  { project, principal, feedback, paths, resolve }: Enrichment,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const batch of lineBatches(lines)) {
    const [said, whole] = await Promise.all([
      feedback?.(batch, project, signal),
      paths.length === 0 ? batch : expanded(batch, paths, resolve, principal),
    ])
    yield Buffer.concat((said ? said(whole) : whole).flatMap((line) => [line, NEWLINE]))
  }
}

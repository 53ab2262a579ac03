/**
 * What hangs on calls put into the lines of a list, batch by batch: feedback, and values that refs point at. Both are
 * asked for at the same time.
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
  /** undefined: no feedback is wanted */
  feedback: FeedbackOfLines | undefined
  /** none: nothing is expanded */
  paths: readonly Path[]
  resolve: Resolve
}

const NEWLINE = Buffer.from('\n')

/** The same lines with all that `dress` says. */
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

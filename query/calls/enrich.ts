/**
 * Adds feedback, tokens and the values of refs to the lines of a list of calls, batch by batch. All are read concurrently.
 */

import type { AddedToLines } from '../../domain/calls/read/added.js'
import type { Resolve } from '../../domain/refs/expand.js'
import { lineBatches } from '../../platform/http/line-batches.js'
import type { Principal } from '../../platform/http/principal.js'
import { expanded } from '../expand/lines.js'
import type { Path } from '../expand/paths.js'

export interface Enrichment {
  /** `entity/project` */
  project: string
  principal: Principal
  /** from other tables */
  added: readonly AddedToLines[]
  /** empty: nothing is expanded */
  paths: readonly Path[]
  resolve: Resolve
}

const NEWLINE = Buffer.from('\n')

/** The same lines with everything that `dress` requests. */
export async function* enrichedLines(
  lines: AsyncIterable<Uint8Array>,
  { project, principal, added, paths, resolve }: Enrichment,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const batch of lineBatches(lines)) {
    const [adds, whole] = await Promise.all([
      Promise.all(added.map((read) => read(batch, project, signal))),
      paths.length === 0 ? batch : expanded(batch, paths, resolve, principal),
    ])
    const all = adds.reduce<readonly Buffer[]>((lines, add) => add(lines), whole)
    yield Buffer.concat(all.flatMap((line) => [line, NEWLINE]))
  }
}

/** Deletes traces with all of their calls. */
import { deleteCalls } from '../../../domain/calls/delete.js'
import { pieces, writtenBytes } from '../../../platform/clickhouse/pieces.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import type { Parts } from '../../parts.js'
import type { LangfuseCalls } from './calls.js'

/** Calls that are deleted at once, together with what is below them. */
const AT_ONCE = 1000
/** Enough for half a million calls whose parents are lost. */
const MOST_ROUNDS = 500

export async function deleteTraces(
  { store }: Pick<Parts, 'store'>,
  calls: LangfuseCalls,
  project: string,
  traces: readonly string[],
): Promise<void> {
  // Nothing below a call of which the parent is lost is found from the root, so what is left is looked for again.
  for (const some of pieces(traces, traces.length, writtenBytes))
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const ids = await calls.idsOfTraces(project, some, AT_ONCE)
      if (ids.length === 0) break
      await deleteCalls(store, projectIdOf(project), ids)
    }
}

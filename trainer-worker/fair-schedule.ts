/**
 * Orders waiting jobs when nodes are scarce: the entity with the fewest running jobs first, then the one served longest
 * ago, then the oldest job. So an entity that sends a thousand jobs delays only its own. Pure; knows no clock, store or
 * node.
 */
import type { JobRow } from '../domain/training/jobs.js'
import { groupBy } from '../platform/batch/group-by.js'

/** The first open job of a model. */
export interface Candidate {
  job: Pick<JobRow, 'id' | 'model_id'>
  entity: string
}

/**
 * Orders the candidates by who gets a node first.
 * @param running counts of running jobs, by entity
 * @param served when each entity was last served, in any unit; absent: never
 */
export function fairSchedule<C extends Candidate>(
  candidates: readonly C[],
  running: ReadonlyMap<string, number>,
  served: ReadonlyMap<string, number>,
): C[] {
  const oldestFirst = [...candidates].sort((a, b) => (a.job.id < b.job.id ? -1 : 1))
  // Within an entity, each job counts the ones before it as running.
  const ranked = [...groupBy(oldestFirst, ({ entity }) => entity)].flatMap(([entity, jobs]) =>
    jobs.map((one, i) => ({ one, busy: (running.get(entity) ?? 0) + i, last: served.get(entity) ?? 0 })),
  )
  ranked.sort((a, b) => a.busy - b.busy || a.last - b.last || (a.one.job.id < b.one.job.id ? -1 : 1))
  return ranked.map(({ one }) => one)
}

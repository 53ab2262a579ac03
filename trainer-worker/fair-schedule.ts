/**
 * Orders waiting jobs when nodes are scarce: the entity with the fewest running jobs first, then the one served longest
 * ago, then the oldest job. So an entity that sends a thousand jobs delays only its own. Pure; knows no clock, store or
 * node.
 */
import type { JobRow } from '../domain/training/jobs.js'

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
  const lines = new Map<string, C[]>()
  for (const one of [...candidates].sort((a, b) => (a.job.id < b.job.id ? -1 : 1))) {
    const line = lines.get(one.entity)
    if (line) line.push(one)
    else lines.set(one.entity, [one])
  }
  // Within an entity the oldest is first; each job counts the ones before it as running.
  const places = [...lines].flatMap(([entity, line]) =>
    line.map((one, i) => ({ one, busy: (running.get(entity) ?? 0) + i, last: served.get(entity) ?? 0 })),
  )
  places.sort((a, b) => a.busy - b.busy || a.last - b.last || (a.one.job.id < b.one.job.id ? -1 : 1))
  return places.map(({ one }) => one)
}

/** Which run of an evaluation another one is compared with. Pure. */
import { nameIn } from '../refs/op-name.js'

/** A run as far as it matters here. */
export interface ComparedRun {
  evaluation_run_id: string
  /** ref, or what its caller called it */
  evaluation: string
  status: 'running' | 'completed' | 'failed' | null
}

/** The last completed run of the same evaluation, of any version of it, but the run itself. @param runs the oldest first */
export function lastComparable<Run extends ComparedRun>(
  runs: readonly Run[],
  { evaluation_run_id, evaluation }: ComparedRun,
): Run | undefined {
  return runs.findLast(
    (one) =>
      one.status === 'completed' &&
      one.evaluation_run_id !== evaluation_run_id &&
      nameIn(one.evaluation) === nameIn(evaluation),
  )
}

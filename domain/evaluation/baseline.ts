/** Which run of an evaluation another one is compared with. Pure. */
import { refIn } from '../../contract/ref.js'

/** A run as far as it matters here. */
export interface ComparedRun {
  evaluation_run_id: string
  /** ref, or what its caller called it */
  evaluation: string
  status: 'running' | 'completed' | 'failed' | null
}

/** The name in the ref of an object; another text is itself. Runs of any version of an evaluation can be compared. */
export function nameIn(ref: string): string {
  const parsed = refIn(ref)
  return parsed?.kind === 'object' || parsed?.kind === 'op' ? parsed.name : ref
}

/** The last completed run of the same evaluation but the run itself. @param runs the oldest first */
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

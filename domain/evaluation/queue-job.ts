/**
 * The queue jobs of evaluations. A queue job only signals that there is work; the table defines it. Workers also poll
 * the table, and add lost queue jobs again.
 */
import { z } from 'zod'

export const EVALUATION_QUEUE = 'evaluations'

export const evaluationQueueJob = z.object({
  v: z.literal(1),
  /** internal id of the project */
  project: z.string(),
  /** the id of the row in `evaluation_jobs` */
  id: z.string(),
  /** the traceparent of the request, if it is traced */
  trace: z.string().optional(),
})
export type EvaluationQueueJob = z.infer<typeof evaluationQueueJob>

/** One queue job per evaluation at a time; finished ones are not kept. */
export function queueJobOptions({ project, id }: EvaluationQueueJob) {
  return { jobId: `${project}-${id}`, removeOnComplete: true, removeOnFail: true } as const
}

/**
 * The queue jobs of evaluations. A queue job only says that there is work; the table says what. Workers add a lost queue
 * job again when they look at the table. Knows nothing of Redis.
 */
import { z } from 'zod'

export const EVALUATION_QUEUE = 'evaluations'

export const evaluationQueueJob = z.object({
  v: z.literal(1),
  /** internal id of the project */
  project: z.string(),
  /** of the row in `evaluation_jobs` */
  id: z.string(),
  /** the traceparent of the request, where that is traced */
  trace: z.string().optional(),
})
export type EvaluationQueueJob = z.infer<typeof evaluationQueueJob>

/** One queue job per evaluation at a time; finished ones are not kept. */
export function queueJobOptions({ project, id }: EvaluationQueueJob) {
  return { jobId: `${project}-${id}`, removeOnComplete: true, removeOnFail: true } as const
}

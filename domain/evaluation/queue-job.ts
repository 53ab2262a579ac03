/**
 * The bell of evaluations: a job in this queue says that there is something to do, and the tables say what. A bell that
 * is lost is rung again by whoever looks at the tables. Knows nothing of Redis.
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

/** How BullMQ calls the job: one of each at a time, and none is kept that is over. */
export function queueJobOptions({ project, id }: EvaluationQueueJob) {
  return { jobId: `${project}-${id}`, removeOnComplete: true, removeOnFail: true } as const
}

/**
 * The bell of training: a job in this queue says that there may be something to do for a model, and the tables say
 * what. A bell that is lost is rung again by whoever looks at the tables. Who works hears of decisions on a channel.
 */
import { z } from 'zod'

export const TRAINING_QUEUE = 'training'

export const trainingQueueJob = z.object({
  v: z.literal(1),
  model: z.string(),
  /** the job that was added, and the traceparent of the request, where that is traced */
  job: z.string().optional(),
  trace: z.string().optional(),
})
export type TrainingQueueJob = z.infer<typeof trainingQueueJob>

/** None is kept that is over. */
export const QUEUE_JOB_OPTIONS = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const

/** Where ids of jobs are told about which something was decided: cancelled, deleted. */
export const TRAINING_CHANNEL = 'heddle:training:decided'

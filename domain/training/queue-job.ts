/**
 * The queue jobs of training. A queue job only says that a model may have work; the tables say what. Workers also look at
 * the tables by themselves, so a lost queue job loses no work. Decisions about jobs are published on a channel.
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

/** Finished queue jobs are not kept. */
export const QUEUE_JOB_OPTIONS = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const

/** Where the ids of cancelled and deleted jobs are published. */
export const TRAINING_CHANNEL = 'heddle:training:decided'

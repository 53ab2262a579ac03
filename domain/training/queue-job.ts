/**
 * The queue jobs of training. A queue job only signals that a model may have work; the tables define it. Workers also
 * poll the tables, so a lost queue job loses no work. Decisions about jobs are published on a channel.
 */
import { z } from 'zod'

export const TRAINING_QUEUE = 'training'

export const trainingQueueJob = z.object({
  v: z.literal(1),
  model: z.string(),
  /** the added job, and the traceparent of the request, if it is traced */
  job: z.string().optional(),
  trace: z.string().optional(),
})
export type TrainingQueueJob = z.infer<typeof trainingQueueJob>

/** Finished queue jobs are not kept. */
export const QUEUE_JOB_OPTIONS = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const

/** The channel that publishes the ids of cancelled and deleted jobs. */
export const TRAINING_CHANNEL = 'heddle:training:decided'

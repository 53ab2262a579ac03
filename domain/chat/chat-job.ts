/**
 * A chat completion on its way from the process it came to, through a queue, to a worker: the payloads of jobs, of
 * what workers answer and of what they are told. Both sides read them by these schemas, as they may be of different
 * releases. Knows nothing of Redis.
 */
import { z } from 'zod'

/** What a worker needs to know of a request; the request itself stays bytes to it. */
export const chatJob = z.object({
  v: z.literal(1),
  /** the process that waits for the answer, and its number of the request */
  api: z.string(),
  request: z.int(),
  attempt: z.int(),
  /** ms since 1970: nobody waits any longer */
  deadline: z.number(),
  adapter: z.object({ id: z.string(), address: z.string(), manifest: z.string() }).optional(),
  /** hashes of longer and longer beginnings of the prompt */
  prefixes: z.array(z.string()),
  /** the traceparent of the request, where that is traced */
  trace: z.string().optional(),
  /** a GenerateRequest, base64 */
  generate: z.string(),
})
export type ChatJob = z.infer<typeof chatJob>

/** A worker has taken the request. */
export const accepted = z.object({ worker: z.string() })

/** Why there will be no (more) answer. */
export const failed = z.object({
  /**
   * as the node's README lists them, or ours: NO_NODE (no node was asked), NODE_LOST, NODE_PAUSED, NODES_FULL,
   * WORKER_STOPPING, CALLER_SILENT, TOO_LATE
   */
  code: z.string(),
  /** a number of google.rpc.Code */
  status: z.int(),
  message: z.string(),
  field: z.string().optional(),
  /** another try may do it */
  retriable: z.boolean(),
})
export type Failed = z.infer<typeof failed>

/** What a worker is told about requests it has. */
export const control = z.object({
  api: z.string(),
  /** requests that nobody waits for, each with its attempt */
  cancel: z.array(z.tuple([z.int(), z.int()])).optional(),
  /** requests, their attempts, and how many bytes of their frames were read so far */
  read: z.array(z.tuple([z.int(), z.int(), z.number()])).optional(),
})
export type Control = z.infer<typeof control>

/** What a worker says of itself every so often: silence means that it is gone. */
export const beat = z.object({
  worker: z.string(),
  stopping: z.boolean(),
  /** by queue: jobs that no worker has taken */
  waiting: z.record(z.string(), z.number()),
})
export type Beat = z.infer<typeof beat>

/** How often workers say so, as those say it who wait for answers, and after how long a silence they are taken for dead. */
export const BEAT_MS = 500
export const SILENCE_MS = 3000
/** Of a request that nobody reads, a worker sends no more than this. */
export const WINDOW_BYTES = 128 * 1024

/**
 * The payloads of chat completions in the queue: jobs, workers' answers and control messages. Both sides parse them
 * with these schemas, since they may run different releases.
 */
import { z } from 'zod'

/** A request as a worker sees it; the request itself stays opaque bytes. */
export const chatJob = z.object({
  v: z.literal(1),
  /** the process that waits for the answer, and its number for the request */
  api: z.string(),
  request: z.int(),
  attempt: z.int(),
  /** engines that ended while they worked on the request; absent: none */
  deaths: z.int().optional(),
  /** ms since 1970; after it the caller no longer waits */
  deadline: z.number(),
  adapter: z.object({ id: z.string(), address: z.string(), manifest: z.string() }).optional(),
  /** hashes of ever longer prefixes of the prompt */
  prefixes: z.array(z.string()),
  /** the traceparent of the request, if it is traced */
  trace: z.string().optional(),
  /** the request is one for embeddings */
  embeds: z.boolean().optional(),
  /** a GenerateRequest, or an EmbedRequest, base64 */
  generate: z.string(),
})
export type ChatJob = z.infer<typeof chatJob>

/** A worker has taken the request. */
export const accepted = z.object({ worker: z.string() })

/** Why the answer ends here, or never comes. */
export const failed = z.object({
  /**
   * a code from the node's README, or ours: POISON (two engines ended over it), NO_NODE (no node was asked), NODE_LOST, NODE_PAUSED, NODES_FULL,
   * WORKER_STOPPING, CALLER_SILENT, TOO_LATE
   */
  code: z.string(),
  /** a number of google.rpc.Code */
  status: z.int(),
  message: z.string(),
  field: z.string().optional(),
  /** another attempt may succeed */
  retriable: z.boolean(),
})
export type Failed = z.infer<typeof failed>

/** A control message to a worker about its requests. */
export const control = z.object({
  api: z.string(),
  /** requests to cancel, each with its attempt */
  cancel: z.array(z.tuple([z.int(), z.int()])).optional(),
  /** requests, their attempts, and how many bytes of their frames have been read */
  read: z.array(z.tuple([z.int(), z.int(), z.number()])).optional(),
})
export type Control = z.infer<typeof control>

/** A worker's heartbeat; a worker without one counts as dead. */
export const beat = z.object({
  worker: z.string(),
  stopping: z.boolean(),
  /** by queue: jobs that no worker has taken */
  waiting: z.record(z.string(), z.number()),
})
export type Beat = z.infer<typeof beat>

/** The heartbeat interval of workers and of waiting processes, and the silence after which a sender counts as dead. */
export const BEAT_MS = 500
export const SILENCE_MS = 3000
/** The most bytes of a request that a worker sends ahead of its reader. */
export const WINDOW_BYTES = 128 * 1024

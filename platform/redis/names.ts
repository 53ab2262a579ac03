/** What queues, channels and keys in Redis are called. One place, so that processes of two releases agree. */
import { createHash } from 'node:crypto'

/** The prefix of BullMQ's keys; in braces, so that a Redis cluster keeps the keys of its scripts on one node. */
export const QUEUE_PREFIX = '{heddle}'

/** The queue of chat work for a base model: names of models hold what names of queues may not. */
export function chatQueueName(model: string): string {
  return `chat-${createHash('sha256').update(model).digest('hex').slice(0, 20)}`
}

/** Where a process that serves chat gets its answers. */
export const answersChannel = (api: string) => `heddle:chat:answers:${api}`
/** Where a worker is told what became of the requests it has. */
export const controlChannel = (worker: string) => `heddle:chat:control:${worker}`
/** Where processes say, by their ids, that they wait for answers. */
export const CALLERS_CHANNEL = 'heddle:chat:callers'

/** Where workers say that they are alive. */
export const BEATS_CHANNEL = 'heddle:chat:beats'
/** Hash of announcements, by node and worker, and the channel where each is told at once. */
export const NODES_KEY = 'heddle:nodes'
export const NODES_CHANNEL = 'heddle:nodes:news'

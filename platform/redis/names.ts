/** The names of queues, channels and keys in Redis, in one place, so that processes of two releases agree. */
import { createHash } from 'node:crypto'

/** The prefix of BullMQ's keys; the braces make a Redis cluster keep the keys of a script on one node. */
export const QUEUE_PREFIX = '{heddle}'

/** The chat queue of a base model, hashed: model names contain characters that queue names may not. */
export function chatQueueName(model: string): string {
  return `chat-${createHash('sha256').update(model).digest('hex').slice(0, 20)}`
}

/** The channel on which a chat process receives answers. */
export const answersChannel = (api: string) => `heddle:chat:answers:${api}`
/** The channel on which a worker learns what became of its requests. */
export const controlChannel = (worker: string) => `heddle:chat:control:${worker}`
/** The channel on which chat processes announce, by id, that they wait for answers. */
export const CALLERS_CHANNEL = 'heddle:chat:callers'

/** The channel of the workers' heartbeats. */
export const BEATS_CHANNEL = 'heddle:chat:beats'
/** The hash of announcements, by node and worker, and the channel that publishes each. */
export const NODES_KEY = 'heddle:nodes'
export const NODES_CHANNEL = 'heddle:nodes:news'

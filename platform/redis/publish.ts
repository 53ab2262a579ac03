/** Messages on channels, in the order in which they are sent. Knows nothing of what is in them. */
import { Cluster, type Redis } from 'ioredis'

/**
 * Publishes `message`; resolves with false if nobody listens, as far as can be known.
 *
 * A cluster takes a message at any node: what goes in at several overtakes each other, so it is always the same one
 * while that is there. It counts only the listeners of that node, so its count says nothing.
 */
export async function publish(
  redis: Redis | Cluster,
  channel: string,
  message: string | Buffer,
): Promise<boolean> {
  if (!(redis instanceof Cluster)) return (await redis.publish(channel, message)) > 0
  const [node = redis] = redis.nodes('master')
  await node.publish(channel, message)
  return true
}

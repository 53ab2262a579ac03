import { Cluster, type Redis } from 'ioredis'

/**
 * Publishes `message`; resolves with false if it is known that nobody listens.
 *
 * A cluster accepts messages at any node, but messages sent through several nodes overtake each other, so this always
 * uses the same node while it is up. A node counts only its own listeners, so a cluster's count is meaningless.
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

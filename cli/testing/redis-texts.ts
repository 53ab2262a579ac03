/** For tests alone: what can be read in a Redis by whoever has its files. */
import { Redis } from 'ioredis'

/** Everything that lies in a Redis, and what of it may be base64 as what it stands for. */
export async function textsIn(url: string): Promise<string[]> {
  const redis = new Redis(url)
  const texts: string[] = []
  for (const key of await redis.keys('*')) {
    const type = await redis.type(key)
    const read = {
      hash: () => redis.hgetall(key),
      list: () => redis.lrange(key, 0, -1),
      set: () => redis.smembers(key),
      zset: () => redis.zrange(key, '0', '-1'),
      stream: () => redis.xrange(key, '-', '+'),
      string: () => redis.get(key),
    }[type]
    texts.push(JSON.stringify([key, await read?.()]))
  }
  redis.disconnect()
  return texts.flatMap((text) => [
    text,
    ...(text.match(/[\w+/=]{40,}/g) ?? []).map((part) => Buffer.from(part, 'base64').toString('latin1')),
  ])
}

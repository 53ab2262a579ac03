/** Checks a Redis for `heddle doctor`: reachable, new enough, and configured not to drop data silently. */
import type { Redis } from 'ioredis'
import { openRedis } from '../../platform/redis/connection.js'
import { clockFinding } from './clock.js'
import type { Finding } from './finding.js'
import { type NodeAddresses, workerFindings } from './workers.js'

const NAME = 'redis'
const TIMEOUT_MS = 5000
const OLDEST_MAJOR = 7

/**
 * Checks the server and the workers on it; never throws.
 * @param url as in REDIS_URL
 * @param what its name in the findings
 */
export async function redisFindings(url: string, what: string, addresses: NodeAddresses): Promise<Finding[]> {
  let redis: Redis | undefined
  try {
    redis = await connected(url)
    // In a cluster this is one node; all should be configured alike.
    const info = infoOf(await redis.info())
    const findings = settingsFindings(info, what)
    const clock = await clockFinding('clock of Redis', async () => millisOf(await redis!.time()))
    return [...findings, clock, ...(await workerFindings(redis, addresses))]
  } catch (error) {
    const todo = 'check REDIS_URL and its password, and that the server is up and reachable from here'
    return [{ name: NAME, state: 'fail', text: `${what}: ${(error as Error).message}`, todo }]
  } finally {
    redis?.disconnect()
  }
}

/** The findings from the answer to INFO. */
export function settingsFindings(info: ReadonlyMap<string, string>, what: string): Finding[] {
  const version = info.get('redis_version') ?? 'of an unknown version'
  const findings: Finding[] = []
  const say = (state: 'warn' | 'fail', text: string, todo: string) =>
    void findings.push({ name: NAME, state, text, todo })
  const number = (key: string) => Number(info.get(key) ?? 0)

  if (Number.parseInt(version, 10) < OLDEST_MAJOR)
    say('fail', `${what} is Redis ${version}`, `Heddle needs Redis ${OLDEST_MAJOR} or later`)
  if (info.get('role') === 'slave')
    say(
      'fail',
      `${what} is a replica, which takes no writes`,
      'set REDIS_URL to the master, or to the sentinels: redis-sentinel://one:26379,two:26379/name',
    )
  const policy = info.get('maxmemory_policy') ?? 'noeviction'
  const most = number('maxmemory')
  if (policy !== 'noeviction')
    say(
      most > 0 ? 'fail' : 'warn',
      `maxmemory-policy is ${policy}: Redis drops jobs and leases when memory is short`,
      'set maxmemory-policy noeviction',
    )
  if (most > 0 && number('used_memory') > 0.9 * most)
    say(
      'warn',
      `${Math.round((100 * number('used_memory')) / most)} % of maxmemory is used; at 100 % Redis refuses writes`,
      'raise maxmemory, or look for a queue without workers',
    )
  if (number('aof_enabled') === 0)
    say('warn', 'no append-only file: a restart loses queued jobs', 'set appendonly yes')
  for (const [key, does] of PERSISTENCE)
    if ((info.get(key) ?? 'ok') !== 'ok')
      say('fail', `${does} failed`, "free space on Redis's disk; its log has the reason")
  if (findings.length > 0) return findings
  return [{ name: NAME, state: 'ok', text: `${what}, Redis ${version}, append-only file on, noeviction` }]
}

const PERSISTENCE = [
  ['aof_last_write_status', 'writing the append-only file'],
  ['aof_last_bgrewrite_status', 'rewriting the append-only file'],
  ['rdb_last_bgsave_status', 'saving a snapshot'],
] as const

/** The fields of an answer to INFO. */
export function infoOf(text: string): Map<string, string> {
  const pairs = text.split('\r\n').flatMap((line) => {
    const at = line.indexOf(':')
    return at > 0 && !line.startsWith('#') ? [[line.slice(0, at), line.slice(at + 1)] as const] : []
  })
  return new Map(pairs)
}

/** A working connection. @throws Error with the reason if there is none */
function connected(url: string): Promise<Redis> {
  return new Promise((resolve, reject) => {
    const redis = openRedis(url, {
      ...{ connectTimeout: TIMEOUT_MS, commandTimeout: TIMEOUT_MS, maxRetriesPerRequest: 0 },
      retryStrategy: () => TIMEOUT_MS,
    })
    const give = (error: Error) => {
      clearTimeout(timer)
      redis.disconnect()
      reject(error)
    }
    const timer = setTimeout(() => give(new Error('no answer in time')), TIMEOUT_MS)
    redis.once('error', give)
    redis.once('ready', () => {
      clearTimeout(timer)
      redis.off('error', give)
      resolve(redis)
    })
  })
}

function millisOf([seconds, micros]: readonly (number | string)[]): number {
  return Number(seconds) * 1000 + Number(micros) / 1000
}

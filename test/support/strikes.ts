/**
 * Kills (SIGKILL) the processes of a service, in an order and at moments that chance picks from a seed, and has them back.
 * HEDDLE_KILL_SEED runs the same order and moments again; the names of the tests say it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '../crash/random.js'
import { isAlive, processBelow, signal } from './processes.js'
import type { RedisProcess } from './redis.js'
import { rounds } from './rounds.js'
import { Server } from './server.js'
import { until } from './until.js'

const FIRST = Number(process.env.HEDDLE_KILL_SEED ?? Date.now() % 1_000_000)

/** The seeds of a test: one, or as many more as are asked for. */
export const KILL_SEEDS = Array.from({ length: rounds(1) }, (_, i) => FIRST + i)

/** The process that supervises the others and answers, its store's, its evaluation worker, and Redis. */
export type Victim = 'server' | 'clickhouse-embedded' | 'evaluation-worker' | 'redis'

export interface Service {
  server: Server
  redis: RedisProcess
  env: Record<string, string>
}

/**
 * Kills each of the victims once.
 * @param before does what a process may be killed in the midst of
 * @param back called with the service that is whole again, whose server may be another
 */
export async function strikeEach(
  seed: number,
  victims: readonly Victim[],
  service: Service,
  before: () => Promise<unknown>,
  back: (service: Service) => Promise<unknown>,
): Promise<void> {
  const random = new Random(seed)
  const left = [...victims]
  let now = service
  while (left.length > 0) {
    const [victim] = left.splice(random.between(0, left.length - 1), 1)
    await before()
    await sleep(random.between(0, 1500))
    now = { ...now, server: await strike(victim!, now, random) }
    await back(now)
  }
}

/** @returns the server that answers from then on */
async function strike(victim: Victim, { server, redis, env }: Service, random: Random): Promise<Server> {
  if (victim === 'redis') {
    await redis.kill()
    await sleep(random.between(0, 1500))
    await redis.again(random.next() < 0.5)
    return server
  }
  if (victim === 'server') {
    signal(server.pid, 'SIGKILL')
    await until('it to be gone', () => !isAlive(server.pid))
    const { dataDir, ports } = server
    await server.kill()
    return Server.start({ env, dataDir, ports })
  }
  const pid = processBelow(server.pid, victim)
  signal(pid, 'SIGKILL')
  await until('another one', () => processBelow(server.pid, victim) !== pid)
  await server.ready()
  return server
}

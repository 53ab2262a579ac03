/**
 * The Redis of `heddle up`: a child process on loopback with a password of its own, its files in the data folder. It
 * may lose everything; nothing that was acknowledged lies there alone.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Log } from '../common/telemetry/log.js'
import { Child } from './child.js'
import { childEnv } from './child-env.js'
import { onPath } from './on-path.js'

const READY_MS = 10_000

export interface RedisChild {
  url: string
  stop(): Promise<void>
}

/** Starts it and resolves when it answers; undefined if this machine has no redis-server, or it does not come up. */
export async function startRedis(dataDir: string, log: Log): Promise<RedisChild | undefined> {
  const command = onPath('redis-server')
  if (command === undefined) return undefined
  const folder = join(dataDir, 'redis')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const port = await freePort()
  const password = randomBytes(24).toString('hex')
  const config = join(folder, 'redis.conf')
  writeFileSync(config, configText({ folder, port, password }), { mode: 0o600 })
  let ready: () => void = () => undefined
  const up = new Promise<true>((resolve) => {
    ready = () => resolve(true)
  })
  const child = new Child({
    ...{ name: 'Redis', command, args: [config], env: childEnv([]), graceMs: 5_000, log },
    line: (line) => {
      if (line.includes('Ready to accept connections')) ready()
    },
  })
  child.start()
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), READY_MS).unref())
  if (await Promise.race([up, late])) {
    return { url: `redis://:${password}@127.0.0.1:${port}`, stop: () => child.stop() }
  }
  await child.stop()
  return undefined
}

/** The address of the one that was started last over this data folder, if it was; it may have ended since. */
export function runningRedis(dataDir: string): string | undefined {
  try {
    const text = readFileSync(join(dataDir, 'redis', 'redis.conf'), 'utf8')
    const [, port] = /^port (\d+)$/m.exec(text) ?? []
    const [, password] = /^requirepass (\S+)$/m.exec(text) ?? []
    return port && password ? `redis://:${password}@127.0.0.1:${port}` : undefined
  } catch {
    return undefined
  }
}

function configText({ folder, port, password }: { folder: string; port: number; password: string }): string {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(folder)}`,
    'appendonly yes',
    'save ""',
    // Queues must not lose jobs in silence when memory is short.
    'maxmemory-policy noeviction',
    'aof-load-truncated yes',
    '',
  ].join('\n')
}

/**
 * A port on loopback that was free a moment ago. Below those that systems give to outgoing connections (32768 and up),
 * or one of these could have it by the time a slow child listens.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 20; tries++) {
    const port = randomInt(20_000, 32_000)
    if (await isFree(port)) return port
  }
  throw new Error('no port between 20000 and 32000 is free')
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

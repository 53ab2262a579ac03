/**
 * The Redis of `heddle up`: a child process on loopback with its own password and its files in the data folder. It may
 * lose everything, since nothing acknowledged is only there.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../platform/telemetry/log.js'
import { CommandError } from '../command.js'
import { Child } from './child.js'
import { childEnv } from './child-env.js'
import { onPath } from './on-path.js'
import { freePort } from './ports.js'

/** Reading a log of several GB takes a while. */
const READY_MS = 60_000
/** Redis' append-only file. */
const AOF_FOLDER = 'appendonlydir'

export interface RedisChild {
  url: string
  stop(): Promise<void>
}

/**
 * Starts it and resolves when it answers. Moves an unreadable append-only file aside, since Redis may lose its data.
 * @throws CommandError that says what to do, if redis-server is missing or does not start
 */
export async function startRedis(dataDir: string, log: Log, readyMs = READY_MS): Promise<RedisChild> {
  const command = onPath('redis-server')
  if (command === undefined)
    throw new CommandError(
      "redis-server is not on the PATH; install it with your system's package manager, or set REDIS_URL",
    )
  const folder = join(dataDir, 'redis')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const port = await freePort()
  const password = randomBytes(24).toString('hex')
  const config = join(folder, 'redis.conf')
  writeFileSync(config, configText({ folder, port, password }), { mode: 0o600 })
  let isReady = false
  let isNew = false
  let last = ''
  let ready: () => void = () => undefined
  const up = new Promise<true>((resolve) => {
    ready = () => resolve(true)
  })
  const child = new Child({
    ...{ name: 'Redis', command, args: [config], env: childEnv([]), graceMs: 5_000, log },
    line: (line) => {
      if (!line.includes('Ready to accept connections')) return
      isReady = true
      isNew = false
      ready()
    },
    ended: (said) => {
      last = said
      if (!isReady && !isNew) moveAside(join(folder, AOF_FOLDER), log)
      isNew = !isReady
      isReady = false
    },
  })
  child.start()
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), readyMs).unref())
  if (await Promise.race([up, late]))
    return { url: `redis://:${password}@127.0.0.1:${port}`, stop: () => child.stop() }
  await child.stop()
  throw new CommandError(
    `${command} does not start in ${folder}; its output: ${last.trim().split('\n').slice(-3).join(' ')}`,
  )
}

/** Out of the way of the next start, which begins empty. Nothing that was acknowledged lies there alone. */
function moveAside(path: string, log: Log): void {
  if (!existsSync(path)) return
  const aside = `${path}.spoiled-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  renameSync(path, aside)
  log.warn({ path: aside }, "Redis can't read its files; they are moved aside, and Redis starts empty")
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

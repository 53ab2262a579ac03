/** The same promises on a real cluster of three and behind a real sentinel, each a process of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Queue, Worker } from 'bullmq'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RedisLeases } from '../leases/redis.js'
import { freeRedisPort } from '../testing/redis.js'
import { patientConnection, promptConnection } from './connection.js'
import { QUEUE_PREFIX } from './names.js'

const folder = mkdtempSync(join(tmpdir(), 'heddle-redis-'))
const children: ChildProcess[] = []

async function server(name: string, config: string[], ...flags: string[]): Promise<void> {
  const dir = join(folder, name)
  mkdirSync(dir)
  const file = join(dir, 'redis.conf')
  writeFileSync(file, ['bind 127.0.0.1', 'save ""', `dir ${dir}`, ...config, ''].join('\n'))
  const child = spawn('redis-server', [file, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  for await (const line of child.stdout) if (/Ready to accept|Sentinel ID/.test(String(line))) break
  child.stdout.resume()
}

/** Ports whose bus ports, ten thousand further up, are ports as well. */
async function ports(count: number): Promise<number[]> {
  const found = new Set<number>()
  while (found.size < count) {
    const port = await freeRedisPort()
    if (port < 55_000) found.add(port)
    else found.add(20_000 + (port % 20_000))
  }
  return [...found]
}

async function cluster(): Promise<string> {
  const all = await ports(3)
  for (const port of all)
    await server(`node-${port}`, [`port ${port}`, 'cluster-enabled yes', 'cluster-node-timeout 2000'])
  const hosts = all.map((port) => `127.0.0.1:${port}`)
  execFileSync('redis-cli', ['--cluster', 'create', ...hosts, '--cluster-yes'], { stdio: 'ignore' })
  return `redis-cluster://${hosts.join(',')}`
}

async function sentinel(): Promise<string> {
  const [port, watch] = await ports(2)
  await server('master', [`port ${port}`])
  await server('sentinel', [`port ${watch}`, `sentinel monitor main 127.0.0.1 ${port} 1`], '--sentinel')
  return `redis-sentinel://127.0.0.1:${watch}/main`
}

afterAll(async () => {
  await Promise.all(
    children.map(async (child) => {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    }),
  )
  rmSync(folder, { recursive: true, force: true })
})

describe.each([
  ['a cluster', cluster],
  ['a sentinel', sentinel],
])('behind %s', (_, start) => {
  let url = ''
  beforeAll(async () => {
    url = await start()
  })

  it('leases have one holder and fences that grow', async () => {
    const leases = [new RedisLeases(url), new RedisLeases(url)]
    const fences: bigint[] = []
    let inside = 0
    const work = async (fence: bigint) => {
      expect(++inside).toBe(1)
      fences.push(fence)
      await new Promise((resolve) => setImmediate(resolve))
      inside--
    }
    await Promise.all(Array.from({ length: 10 }, (_, n) => leases[n % 2]!.hold('one', work)))
    expect(fences).toEqual([...fences].sort((a, b) => (a < b ? -1 : 1)))
    await Promise.all(leases.map((one) => one.close()))
  })

  it('a queue’s job is done, and a message reaches who listens', async () => {
    const listener = promptConnection(url)
    const sender = patientConnection(url)
    if (listener.status !== 'ready') await once(listener, 'ready')
    await listener.subscribe('news')
    const heard = once(listener, 'message')
    const queue = new Queue('kinds', { connection: sender, prefix: QUEUE_PREFIX })
    const worker = new Worker('kinds', async ({ data }) => data.n + 1, {
      connection: patientConnection(url),
      prefix: QUEUE_PREFIX,
    })
    const done = once(worker, 'completed')
    await queue.add('one', { n: 1 })
    expect((await done)[1]).toBe(2)
    await sender.publish('news', 'hello')
    expect(await heard).toEqual(['news', 'hello'])
    await Promise.all([worker.close(), queue.close()])
    for (const connection of [listener, sender]) connection.disconnect()
  })
})

/** For tests only: a real cluster of three, or a master behind a real sentinel, each in its own process. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freeRedisPort } from './redis.js'

export class TestRedisServers {
  private readonly folder = mkdtempSync(join(tmpdir(), 'heddle-redis-'))
  private readonly children: ChildProcess[] = []

  /** Starts three servers and joins them; returns the address as in REDIS_URL. */
  async cluster(): Promise<string> {
    const [a = 0, b = 0, c = 0, ...buses] = await ports(6)
    for (const [i, port] of [a, b, c].entries())
      await this.server(`node-${port}`, [
        ...[`port ${port}`, `cluster-port ${buses[i]}`],
        ...['cluster-enabled yes', 'cluster-node-timeout 2000'],
      ])
    const hosts = [a, b, c].map((port) => `127.0.0.1:${port}`)
    const nodes = hosts.map((host, i) => `${host}@${buses[i]}`)
    execFileSync('redis-cli', ['--cluster', 'create', ...nodes, '--cluster-yes'])
    return `redis-cluster://${hosts.join(',')}`
  }

  /** Starts a master and its sentinel; returns the address as in REDIS_URL. */
  async sentinel(): Promise<string> {
    const [port, watch] = await ports(2)
    await this.server('master', [`port ${port}`])
    await this.server(
      'sentinel',
      [`port ${watch}`, `sentinel monitor main 127.0.0.1 ${port} 1`],
      '--sentinel',
    )
    return `redis-sentinel://127.0.0.1:${watch}/main`
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.children.map(async (child) => {
        child.kill('SIGKILL')
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      }),
    )
    rmSync(this.folder, { recursive: true, force: true })
  }

  private async server(name: string, config: string[], ...flags: string[]): Promise<void> {
    const dir = join(this.folder, name)
    mkdirSync(dir)
    const file = join(dir, 'redis.conf')
    writeFileSync(file, ['bind 127.0.0.1', 'save ""', `dir ${dir}`, ...config, ''].join('\n'))
    const child = spawn('redis-server', [file, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
    this.children.push(child)
    for await (const line of child.stdout) if (/Ready to accept|Sentinel ID/.test(String(line))) break
    child.stdout.resume()
  }
}

/** Ports on loopback that differ, and were free a moment ago. */
async function ports(count: number): Promise<number[]> {
  const found = new Set<number>()
  while (found.size < count) found.add(await freeRedisPort())
  return [...found]
}

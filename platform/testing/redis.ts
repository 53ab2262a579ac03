/** For tests only: a Redis that can be killed and restarted on the same port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export class TestRedis {
  private readonly folder = mkdtempSync(join(tmpdir(), 'heddle-redis-'))
  private child: ChildProcess | undefined

  private constructor(
    private readonly port: number,
    private readonly settings: readonly string[],
  ) {}

  /** @param settings extra arguments of redis-server, such as `--appendonly`, `yes` */
  static async start(settings: readonly string[] = []): Promise<TestRedis> {
    const redis = new TestRedis(await freeRedisPort(), settings)
    await redis.up()
    return redis
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  async up(): Promise<void> {
    const args = ['--port', `${this.port}`, '--bind', '127.0.0.1', '--dir', this.folder, '--save', '']
    this.child = spawn('redis-server', [...args, ...this.settings], { stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const line of this.child.stdout!) if (String(line).includes('Ready to accept')) break
    this.child.stdout!.resume()
  }

  async kill(): Promise<void> {
    const gone = once(this.child!, 'exit')
    this.child!.kill('SIGKILL')
    await gone
  }

  async stop(): Promise<void> {
    await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** A port on loopback that was free a moment ago. */
export async function freeRedisPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

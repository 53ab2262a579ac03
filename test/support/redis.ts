/** A Redis server on loopback for a test, gone with it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from './ports.js'

export class RedisProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly url: string,
  ) {}

  static async start(): Promise<RedisProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-redis-'))
    const [port] = await freePorts(1)
    const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '']
    const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] })
    for await (const line of child.stdout) if (String(line).includes('Ready to accept')) break
    child.stdout.resume()
    return new RedisProcess(child, folder, `redis://127.0.0.1:${port}`)
  }

  async stop(): Promise<void> {
    this.child.kill('SIGKILL')
    await once(this.child, 'exit')
    rmSync(this.folder, { recursive: true, force: true })
  }
}

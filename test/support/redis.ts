/** A Redis server on loopback for a test, gone with it; it writes down what it is told, as that of `heddle up` does. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from './ports.js'

export class RedisProcess {
  private constructor(
    private child: ChildProcess,
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<RedisProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'heddle-redis-'))
    const [port = 0] = await freePorts(1)
    return new RedisProcess(await begun(folder, port), folder, port)
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  /** Ends it at once (SIGKILL); what it wrote down stays. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await once(this.child, 'exit')
  }

  /** Starts it again after {@link kill}, at the same address. @param empty without what it wrote down */
  async again(empty = false): Promise<void> {
    if (empty) rmSync(join(this.folder, 'appendonlydir'), { recursive: true, force: true })
    this.child = await begun(this.folder, this.port)
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

async function begun(folder: string, port: number): Promise<ChildProcess> {
  const args = [
    '--port',
    `${port}`,
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'yes',
  ]
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  for await (const line of child.stdout) if (String(line).includes('Ready to accept')) break
  child.stdout.resume()
  return child
}

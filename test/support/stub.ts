/** Starts a stand-in for another service, as a process of its own that prints its address, and stops it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export class Stub {
  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
  ) {}

  /** Runs `test/support/<name>.mjs` and returns when it listens. */
  static async start(name: string): Promise<Stub> {
    const file = join(import.meta.dirname, `${name}.mjs`)
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const line of child.stdout) return new Stub(child, String(line).trim())
    throw new Error(`${name} ended before it listened`)
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return
    this.process.kill('SIGKILL')
    await once(this.process, 'exit')
  }
}

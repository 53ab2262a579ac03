/** A process that has loaded the SDKs of an environment of Python, and forks for each program: `test/clients/python/forks.py`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clients, isolated, pythonOf } from './isolated.js'

export class Forks {
  private constructor(
    private readonly process: ChildProcess,
    private readonly home: string,
  ) {}

  /** Starts it. @param place an environment of Python */
  static async start(place: string): Promise<Forks> {
    const home = mkdtempSync(join(tmpdir(), 'heddle-forks-'))
    const child = spawn(pythonOf(place), [join(clients, 'python/forks.py'), join(home, 'socket')], {
      env: isolated(home),
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const [said] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
    if (String(said).trim() !== 'listening') throw new Error(`forks.py of ${place} ended: ${said}`)
    return new Forks(child, home)
  }

  /** Where it listens. */
  get socket(): string {
    return join(this.home, 'socket')
  }

  /** Why it can't be used any more. */
  get over(): string | undefined {
    return this.process.exitCode === null && this.process.signalCode === null
      ? undefined
      : 'forks.py has ended'
  }

  async stop(): Promise<void> {
    if (this.over === undefined) {
      const exit = once(this.process, 'exit')
      this.process.stdin!.end()
      await exit
    }
    rmSync(this.home, { recursive: true, force: true })
  }
}

/**
 * Starts the embedded engine's process by itself, without Heddle, so that a test can have several stores and kill
 * one. It knows the line of options that the process reads and the line it answers with.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from './root.js'

const password = 'engine-of-a-test'

export class StoreProcess {
  private readonly folder = mkdtempSync(join(tmpdir(), 'heddle-store-'))
  private child: ChildProcess | undefined
  private port = 0

  static async start(): Promise<StoreProcess> {
    const store = new StoreProcess()
    await store.up()
    return store
  }

  /** `host:port` and credentials as parameters, for an address. */
  address(query?: string): string {
    const parameters = new URLSearchParams({ user: 'default', password, ...(query && { query }) })
    return `http://127.0.0.1:${this.port}/?${parameters}`
  }

  /** Starts it, on the port it had before. */
  async up(): Promise<void> {
    const main = join(root, 'dist/clickhouse-embedded/main.js')
    const child = spawn(process.execPath, [main], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, UV_THREADPOOL_SIZE: '24' },
    })
    this.child = child
    const options = { dataDir: this.folder, username: 'default', password, port: this.port }
    child.stdin.write(
      `${JSON.stringify({ ...options, sessions: 8, maxMemoryBytes: 500 << 20, logged: [] })}\n`,
    )
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    const report = JSON.parse(line) as { ready: boolean; port: number; error?: string }
    if (!report.ready) throw new Error(report.error)
    this.port = report.port
  }

  /** Runs SQL; the text of the answer. */
  async run(query: string): Promise<string> {
    const answer = await fetch(this.address(), { method: 'POST', body: query })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${text.trim()} (in ${query.slice(0, 200)})`)
    return text
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    if (!this.child || this.child.exitCode !== null || this.child.signalCode !== null) return
    this.child.kill('SIGKILL')
    await once(this.child, 'exit')
  }

  async dispose(): Promise<void> {
    await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/**
 * Starts the built server as its own process on free ports over a folder of its own, waits until it says it
 * is ready, and stops it. It knows the command line and the environment of the documentation, nothing inside.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Api } from './api.js'
import { freePorts } from './ports.js'
import { descendants, isAlive, signal } from './processes.js'
import { root } from './root.js'
import { until } from './until.js'

/** The built command line; HEDDLE_TEST_MAIN names another build of it. */
const main = process.env.HEDDLE_TEST_MAIN ?? join(root, 'dist/cli/main.js')

export interface ServerOptions {
  /** Data of an earlier server to start on; a fresh folder if absent. */
  dataDir?: string
  /** Ports of an earlier server to use again. */
  ports?: readonly [number, number]
  /** More environment. */
  env?: Record<string, string>
}

export class Server {
  readonly key = 'test-development-key-0123456789abcdef'
  readonly url: string
  readonly metricsUrl: string
  /** Called with the development key. */
  readonly api: Api
  private log = ''

  private constructor(
    readonly process: ChildProcess,
    readonly dataDir: string,
    readonly ports: readonly [number, number],
    private readonly env: NodeJS.ProcessEnv,
  ) {
    this.url = `http://127.0.0.1:${ports[0]}`
    this.metricsUrl = `http://127.0.0.1:${ports[1]}`
    this.api = new Api(this.url, this.key)
    for (const stream of [process.stdout, process.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.log = (this.log + chunk.toString()).slice(-200_000)
      })
  }

  /** Starts one and returns when `/readyz` says so. Fails with its log if it ends before. */
  static async start(options: ServerOptions = {}): Promise<Server> {
    const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'heddle-test-'))
    const [port = 0, metrics = 0] = options.ports ?? (await freePorts(2))
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      HEDDLE_PORT: String(port),
      HEDDLE_METRICS_PORT: String(metrics),
      HEDDLE_DATA_DIR: dataDir,
      // Tests of chat turn it on, and name a port.
      HEDDLE_CHAT: 'false',
      HEDDLE_DEV_API_KEY: 'test-development-key-0123456789abcdef',
      ...options.env,
    }
    const child = spawn(process.execPath, [main, 'up'], { env, cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    const server = new Server(child, dataDir, [port, metrics], env)
    try {
      await server.ready()
    } catch (error) {
      await server.kill()
      throw error
    }
    return server
  }

  get pid(): number {
    if (this.process.pid === undefined) throw new Error('the server never started')
    return this.process.pid
  }

  /** What it wrote to standard output and error, the newest 200,000 characters. */
  get output(): string {
    return this.log
  }

  get ended(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null
  }

  /** Ids of the processes it started itself. */
  children(): number[] {
    return descendants(this.pid)
  }

  /** Waits for `/readyz`. */
  async ready(seconds = 60): Promise<void> {
    await until(
      `the server to be ready\n${this.log}`,
      async () => {
        if (this.ended) throw new Error('it ended')
        const answer = await fetch(`${this.metricsUrl}/readyz`, { signal: AbortSignal.timeout(5_000) })
        return answer.ok
      },
      seconds,
    ).catch((error: unknown) => {
      throw new Error(`${error instanceof Error ? error.message : String(error)}\n--- its log:\n${this.log}`)
    })
  }

  /** The value of a metric, all its series summed; 0 when it isn't there. */
  async metric(name: string, labels: Record<string, string> = {}): Promise<number> {
    const text = await (await fetch(`${this.metricsUrl}/metrics`)).text()
    let sum = 0
    for (const line of text.split('\n')) {
      if (!(line.startsWith(`${name} `) || line.startsWith(`${name}{`))) continue
      if (!Object.entries(labels).every(([key, value]) => line.includes(`${key}="${value}"`))) continue
      sum += Number(line.slice(line.lastIndexOf(' ') + 1))
    }
    return sum
  }

  /** Runs `heddle <arguments>` against the same configuration; returns its standard output. */
  async cli(...args: string[]): Promise<string> {
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, [main, ...args], {
      env: this.env,
      cwd: root,
      timeout: 60_000,
    })
    return stdout
  }

  /** The same with something on the standard input. */
  async cliWith(input: string, ...args: string[]): Promise<string> {
    const options = { env: this.env, cwd: root, timeout: 60_000 }
    const run = promisify(execFile)(process.execPath, [main, ...args], options)
    run.child.stdin?.end(input)
    return (await run).stdout
  }

  /** Asks it to stop (SIGTERM) and returns its exit code once it and its children are gone. */
  async stop(seconds = 60): Promise<number | null> {
    const below = this.children()
    if (!this.ended) this.process.kill('SIGTERM')
    await until(`the server to stop\n${this.log}`, () => this.ended, seconds)
    await until('its children to be gone', () => !below.some(isAlive), seconds)
    return this.process.exitCode
  }

  /** Ends it and its children at once (SIGKILL). */
  async kill(): Promise<void> {
    const below = this.children()
    if (!this.ended) this.process.kill('SIGKILL')
    for (const pid of below) signal(pid, 'SIGKILL')
    await until('the server to be gone', () => this.ended && !below.some(isAlive), 30)
  }

  /** Stops it and removes its data. */
  async dispose(): Promise<void> {
    if (!this.ended) await this.stop().catch(() => this.kill())
    rmSync(this.dataDir, { recursive: true, force: true })
  }
}

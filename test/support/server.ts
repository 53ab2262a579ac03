/**
 * Starts the built server as its own process on free ports over a folder of its own, waits until it says it
 * is ready, and stops it. It knows the command line and the environment of the documentation, nothing inside.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { main } from './command.js'
import { Endpoint, KEY } from './endpoint.js'
import { dataFolder } from './folder.js'
import { freePorts } from './ports.js'
import { descendants, isAlive, signal } from './processes.js'
import { root } from './root.js'
import { until } from './until.js'

export interface ServerOptions {
  /** Data to start on; absent: what a first start leaves, in a folder of its own. */
  dataDir?: string
  /** The built `cli/main.js` that runs; this checkout's if absent. */
  program?: string
  /** Ports of an earlier server to use again. */
  ports?: readonly [number, number]
  /** More environment. */
  env?: Record<string, string>
  /** Called when its process is there, long before it is ready. */
  spawned?: (server: Server) => void
}

const MOST_STARTS = 3

/** An empty folder for data: a server makes its tables there, which takes a third of its start. */
export const emptyFolder = (): string => mkdtempSync(join(dataFolder(), 'heddle-test-'))

/**
 * The variable with the address where `shared-server-setup.ts` answers: with what makes an {@link Endpoint} or a
 * `ChatEndpoint`, where a process of Python forks, or where a folder is whose tables are made.
 */
export const SHARED_SERVERS = 'TEST_SHARED_SERVERS'

async function newFolder(): Promise<string> {
  const folder = emptyFolder()
  const shared = process.env[SHARED_SERVERS]
  if (shared === undefined) return folder
  const made = (await (await fetch(`${shared}/folder`)).json()) as string
  cpSync(made, folder, { recursive: true, verbatimSymlinks: true })
  return folder
}

/** A line of the log about a failure that nobody foresaw. */
const UNFORESEEN = /request failed.*\bINTERNAL\b|\bINTERNAL\b.*request failed/

export class Server extends Endpoint {
  private log = ''

  private constructor(
    readonly process: ChildProcess,
    readonly dataDir: string,
    ports: readonly [number, number],
    env: NodeJS.ProcessEnv,
  ) {
    super(ports, env)
    for (const stream of [process.stdout, process.stderr])
      stream?.on('data', (chunk: Buffer) => {
        const text = chunk.toString()
        this.log = (this.log + text).slice(-200_000)
        // Whoever is answered with it knows the request's id alone.
        for (const line of text.split('\n')) if (UNFORESEEN.test(line)) console.error(line)
      })
  }

  /** Starts one and returns when `/readyz` says so. Fails with its log if it ends before. */
  static async start(options: ServerOptions = {}): Promise<Server> {
    for (let tries = 1; ; tries++) {
      const dataDir = options.dataDir ?? (await newFolder())
      const server = Server.spawn(options, dataDir, options.ports ?? (await freePorts(2)))
      options.spawned?.(server)
      try {
        await server.ready()
        return server
      } catch (error) {
        await server.kill()
        // Another test took a port since it was looked for.
        const isLate = options.ports === undefined && /port \d+ on \S+ is taken/.test(server.output)
        if (!isLate || tries === MOST_STARTS) throw error
      }
    }
  }

  private static spawn(
    options: ServerOptions,
    dataDir: string,
    [port = 0, metrics = 0]: readonly number[],
  ): Server {
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      HEDDLE_PORT: String(port),
      HEDDLE_METRICS_PORT: String(metrics),
      HEDDLE_DATA_DIR: dataDir,
      // Tests of these turn them on, and name a port.
      HEDDLE_CHAT: 'false',
      HEDDLE_SIGNALS: 'false',
      HEDDLE_OTLP_GRPC_PORT: 'off',
      HEDDLE_DEV_API_KEY: KEY,
      ...options.env,
    }
    const command = [options.program ?? main, 'up']
    const child = spawn(process.execPath, command, { env, cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    return new Server(child, dataDir, [port, metrics], env)
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
  async ready(seconds = 180): Promise<void> {
    await until(
      `the server to be ready\n${this.log}`,
      async () => {
        if (this.ended) return true
        const answer = await fetch(`${this.metricsUrl}/readyz`, { signal: AbortSignal.timeout(5_000) })
        return answer.ok
      },
      seconds,
    ).catch((error: unknown) => {
      throw new Error(`${error instanceof Error ? error.message : String(error)}\n--- its log:\n${this.log}`)
    })
    if (this.ended) throw new Error(`the server ended before it was ready\n--- its log:\n${this.log}`)
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

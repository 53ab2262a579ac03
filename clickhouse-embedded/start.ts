/** Starts the engine's process and waits until it answers. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { AppendChannel } from '../platform/clickhouse/append-channel.js'
import { defaultMaxMemory } from './engine/config.js'
import type { Step } from './log/flush.js'
import type { Logged } from './log/write-log.js'
import { appendsFd, type ChildOptions, type ChildReport } from './options.js'

export type EmbeddedOptions = {
  /** Folder of the data; made if missing. One process at a time may own it. */
  dataDir: string
  /** Port on 127.0.0.1; 0 or none takes a free one. */
  port?: number
  /** Also listen on this unix socket. */
  socketPath?: string
  /** Made by chance where not given. */
  password?: string
  /** Queries side by side; 12 where not given. */
  sessions?: number
  /** Ceiling for the engine's queries, merges and caches together, in bytes. */
  maxMemoryBytes?: number
  /** Folder for bodies of INSERTs on their way; tmpfs, else the data folder, where not given. */
  spoolDir?: string
  /** Tables whose inserts go to a log first, many of them into one part; none where not given. See README.md. */
  logged?: readonly Logged[]
  /** For tests: kills the process after this step of the log. */
  dieAfter?: Step
  /** Environment of the process; default: this process's own. */
  env?: NodeJS.ProcessEnv
  logger?: { info(text: string): void; warn(text: string): void }
}

export type Exit = { code: number | null; signal: NodeJS.Signals | null }

export type Embedded = {
  /** `http://127.0.0.1:port` */
  url: string
  username: string
  password: string
  pid: number
  version: string
  /** Takes small inserts into logged tables, for less than an HTTP request costs. */
  appends: AppendChannel
  /** Resolves when the process has ended, for whatever reason. */
  exited: Promise<Exit>
  /** Lets running queries finish for a few seconds, then ends the process. */
  stop(): Promise<void>
}

const username = 'default'
const startMs = 120_000
const stopMs = 12_000

/**
 * Starts the engine in a process of its own.
 * @throws Error that says what to do, where the folder is in use, or the engine doesn't come up.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const sessions = options.sessions ?? 12
  const password = options.password ?? randomBytes(24).toString('base64url')
  const child = spawn(process.execPath, ['--max-old-space-size=256', childFile()], {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    env: {
      ...(options.env ?? process.env),
      // Each running query holds a thread of libuv's pool.
      UV_THREADPOOL_SIZE: String(sessions * 2 + 8),
      MALLOC_ARENA_MAX: '2',
      // The engine's allocator gives pages back soon, and keeps few arenas on machines of many cores.
      JE_MALLOC_CONF: 'dirty_decay_ms:500,muzzy_decay_ms:0,narenas:8',
    },
  })
  const appends = new AppendChannel(child.stdio[appendsFd] as Socket)
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', () => resolve({ code: null, signal: null }))
  })
  const said: string[] = []
  let up = false
  const silent = new Promise<void>((resolve) => {
    createInterface({ input: child.stderr })
      .on('line', (line) => {
        if (said.push(line) > 20) said.shift()
        // Where it does not come up, the error has what it said.
        if (up) options.logger?.warn(line)
      })
      .once('close', resolve)
  })
  const config: ChildOptions = {
    dataDir: options.dataDir,
    username,
    password,
    port: options.port ?? 0,
    sessions,
    appends: true,
    logged: options.logged ?? [],
    maxMemoryBytes: options.maxMemoryBytes ?? defaultMaxMemory,
    ...(options.socketPath === undefined ? {} : { socketPath: options.socketPath }),
    ...(options.spoolDir === undefined ? {} : { spoolDir: options.spoolDir }),
    ...(options.dieAfter === undefined ? {} : { dieAfter: options.dieAfter }),
  }
  child.stdin.on('error', () => {})
  child.stdin.write(`${JSON.stringify(config)}\n`)
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), stopMs)
    await exited
    clearTimeout(timer)
  }
  try {
    const report = await reported(child.stdout, exited)
    if (!report.ready) throw new Error(report.error)
    const url = `http://127.0.0.1:${report.port}`
    await answers(url)
    up = true
    for (const line of said) options.logger?.warn(line)
    options.logger?.info(`ClickHouse ${report.version} is up at ${url}`)
    const { version } = report
    return { url, username, password, pid: child.pid!, version, appends, exited, stop }
  } catch (error) {
    child.kill('SIGKILL')
    await exited
    // The engine writes its reasons to the error output only.
    await silent
    const reason = [error instanceof Error ? error.message : String(error), ...said].join('\n')
    throw new Error(explain(reason, options))
  }
}

/** Beside this file; where this file runs as TypeScript, what has been built of it. */
function childFile(): string {
  const here = import.meta.url
  return fileURLToPath(
    here.endsWith('.ts') ? new URL('../dist/clickhouse-embedded/main.js', here) : new URL('./main.js', here),
  )
}

function reported(output: NodeJS.ReadableStream, exited: Promise<Exit>): Promise<ChildReport> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The database engine did not start within ${startMs / 1000} s`)),
      startMs,
    )
    createInterface({ input: output }).once('line', (line) => {
      clearTimeout(timer)
      try {
        resolve(JSON.parse(line) as ChildReport)
      } catch {
        reject(new Error(`The database engine reported something unreadable: ${line.slice(0, 200)}`))
      }
    })
    void exited.then(({ code, signal }) => {
      clearTimeout(timer)
      reject(new Error(`The database engine ended while it started (${signal ?? `code ${code}`})`))
    })
  })
}

async function answers(url: string): Promise<void> {
  const response = await fetch(`${url}/ping`)
  if (!response.ok) throw new Error(`The database engine answers ${response.status} to /ping`)
}

function explain(reason: string, options: EmbeddedOptions): string {
  if (reason.includes('Another server instance')) {
    return `Another process is using the data folder ${options.dataDir}: stop it, or choose another folder.`
  }
  if (reason.includes('EADDRINUSE')) {
    return `Port ${options.port} on 127.0.0.1 is taken: stop what listens there, or choose another port.`
  }
  if (/EROFS|EACCES|Permission denied|Read-only file system/.test(reason)) {
    return `The data folder ${options.dataDir}, or something in it, can't be written: ${reason}`
  }
  if (/ENOSPC|No space left on device|NOT_ENOUGH_SPACE/.test(reason)) {
    return `The disk of the data folder ${options.dataDir} is full: make room, or choose another folder.`
  }
  return `The database engine could not start on ${options.dataDir}: ${reason}`
}

/**
 * The child process: a ClickHouse engine behind ClickHouse's HTTP protocol, on loopback. Reads its options
 * as one line of JSON from its input, reports on one line of its output, and ends when its input does, so
 * that it never outlives its parent.
 */
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { baseSettings, engineConfig } from './engine/config.js'
import { Engine } from './engine/engine.js'
import { engineFailure } from './engine/failure.js'
import { handler } from './http/handler.js'
import { serveAppends } from './log/append.js'
import { LogGate } from './log/gate.js'
import { engineTarget } from './log/target.js'
import { WriteLog } from './log/write-log.js'
import { logFolder } from './log-folder.js'
import { appendsFd, type ChildOptions, type ChildReport } from './options.js'
import { TempFiles } from './temp-file.js'

/** The kernel's number for a memory file system (`statfs(2)`). */
const TMPFS = 0x01021994
const graceMs = 8000
const maxBody = 256 * 1024 * 1024
const maxAddress = 8 * 1024 * 1024

function report(line: ChildReport): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** How many of the sessions each kind of work may use at once. Of reads, writes and commands an account leaves one to others. */
function permitsOf(sessions: number): {
  read: number
  write: number
  command: number
  flush: number
  long: number
} {
  const write = 3
  const command = 3
  const flush = 1
  const rest = Math.max(4, sessions + 2 - write - command)
  return { write, command, flush, read: Math.ceil(rest / 2) + 1, long: Math.floor(rest / 2) }
}

function openEngine(options: ChildOptions, dataDir: string): Engine {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const configFile = join(dataDir, 'engine.xml')
  writeFileSync(configFile, engineConfig(options.maxMemoryBytes), { mode: 0o600 })
  const { long, ...permits } = permitsOf(options.sessions)
  return new Engine({
    dataDir,
    configFile,
    settings: baseSettings(options.maxMemoryBytes, statfsSync(dataDir).type === TMPFS),
    limits: {
      ...{ permits, longPermits: long, longAfterMs: 500, queue: 100, timeoutMs: 10_000 },
      readsBesideOthers: Math.max(1, Math.floor(availableParallelism() / 2)),
    },
    maxNamed: 8,
    onCrash: (error) => {
      process.stderr.write(`a session's thread has ended: ${String(error)}\n`)
      die()
    },
  })
}

function openLog(engine: Engine, dataDir: string, { logged: tables, dieAfter }: ChildOptions): WriteLog {
  return new WriteLog({
    folder: logFolder(dataDir),
    tables,
    target: engineTarget(engine),
    ...(dieAfter && {
      onStep: (step) => {
        if (step === dieAfter) die()
      },
    }),
    onRefused: ({ table, rows, file, cause }) =>
      say(`the engine refuses ${rows} rows of ${table}, which are kept in ${file}: ${cause}`),
    onRetry: (cause) => say(`what is logged can't be brought into its table now, trying again: ${cause}`),
  })
}

/** The parent logs it. */
function say(line: string): void {
  process.stderr.write(`${line.replaceAll('\n', ' ')}\n`)
}

/** Ends at once; what is committed is on disk, and a thread inside the engine can't hold this up. */
function die(): never {
  process.kill(process.pid, 'SIGKILL')
  throw new Error('unreachable')
}

async function listen(
  server: Server,
  where: { port: number; host: string } | { path: string },
): Promise<void> {
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(where, () => {
      server.off('error', fail)
      done()
    })
  })
}

async function serve(options: ChildOptions): Promise<void> {
  const dataDir = resolve(options.dataDir)
  const engine = openEngine(options, dataDir)
  const tempFiles = new TempFiles(dataDir, options.spoolDir ?? '/dev/shm', options.spoolDir !== undefined)
  const log = openLog(engine, dataDir, options)
  const left = await log.recover()
  if (left > 0) say(`${left} rows that were acknowledged before the last end are in their tables`)
  const gate = new LogGate(log)
  const onRequest = handler({
    ...{ engine, tempFiles, log, gate },
    credentials: { username: options.username, password: options.password },
    maxBody,
    maxWhole: Math.floor(options.maxMemoryBytes / 10),
    onFatal: ({ message }) => {
      say(`the engine has crashed: ${message}`)
      die()
    },
  })
  // Parameters travel in the address. A ClickHouse server takes one of up to a MiB (`http_max_uri_size`); here they
  // come from one caller only.
  const limits = { maxHeaderSize: maxAddress }
  const servers = [createServer(limits), ...(options.socketPath ? [createServer(limits)] : [])]
  for (const server of servers) {
    server.on('request', (request, response) => void onRequest(request, response))
    server.keepAliveTimeout = 30_000
    // A body may take as long as its rows take to be made.
    server.requestTimeout = 0
  }
  await listen(servers[0]!, { port: options.port, host: '127.0.0.1' })
  if (options.socketPath && servers[1]) {
    rmSync(options.socketPath, { force: true })
    await listen(servers[1], { path: options.socketPath })
  }
  if (options.appends) serveAppends(new Socket({ fd: appendsFd }), log, gate)
  const stop = async (): Promise<void> => {
    for (const server of servers) server.close()
    // What can't be brought in now stays in the log.
    await log.close().catch((error: unknown) => say(engineFailure(error).message))
    await engine.quiet(graceMs)
    tempFiles.close()
    for (const server of servers) server.closeAllConnections()
    process.exit(0)
  }
  process.once('SIGTERM', () => void stop())
  // A terminal sends this to the whole group; the parent decides when this process ends.
  process.on('SIGINT', () => {})
  report({ ready: true, port: (servers[0]!.address() as AddressInfo).port, version: engine.version })
}

const input = createInterface({ input: process.stdin })
input.once('line', (line) => {
  serve(JSON.parse(line) as ChildOptions).catch((error: unknown) => {
    report({ ready: false, error: error instanceof Error ? error.message : String(error) })
    process.exitCode = 1
    setImmediate(die)
  })
})
input.once('close', die)

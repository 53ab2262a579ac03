/** The engine of one data folder: opens it, lends out sessions' threads by kind of work, and kills queries. */
import { availableParallelism } from 'node:os'
import { literal } from '../sql/literal.js'
import { Direct } from './direct.js'
import { failure } from './failure.js'
import { type Connection, loadNative, type Native } from './native.js'
import type { Job, SessionSetup } from './protocol.js'
import { type Limits, Semaphores, type WorkKind } from './semaphores.js'
import { type Running, SessionThread } from './thread.js'

export type EngineOptions = {
  dataDir: string
  /** Path of the engine's configuration file. */
  configFile: string
  settings: Record<string, string>
  limits: Limits
  /** Callers' own sessions (`session_id`) that may be open at once. */
  maxNamed: number
  /** The process can't go on: a session's thread has ended. */
  onCrash(error: unknown): void
}

type Named = { thread: SessionThread; busy: boolean; timer: NodeJS.Timeout | undefined }

export class Engine {
  readonly version: string
  readonly timezone: string
  readonly #native: Native
  readonly #control: Connection
  readonly #setup: SessionSetup
  readonly #semaphores: Semaphores
  readonly #direct: Direct
  readonly #named = new Map<string, Named>()
  readonly #tags = new Set<string>()
  #idle: SessionThread[] = []
  /** Jobs that run, and threads that are being opened. */
  #running = 0
  #onQuiet: (() => void) | undefined

  /** @throws Error where the folder is another process's, or the engine can't start on it. */
  constructor(private readonly options: EngineOptions) {
    this.#native = loadNative()
    const args = [`--config-file=${options.configFile}`]
    for (const [name, value] of Object.entries(options.settings)) args.push(`--${name}=${value}`)
    this.#setup = { dataDir: options.dataDir, args, settings: options.settings }
    this.#control = this.#native.CreateConnection(options.dataDir, args)
    const sql = 'SELECT version(), timezone()'
    const [version = '', timezone = ''] = this.#native
      .QueryWithConnection(this.#control, sql, 'TSV')
      .trim()
      .split('\t')
    this.version = version
    this.timezone = timezone
    this.#semaphores = new Semaphores(options.limits)
    this.#idle.push(this.#thread(), this.#thread())
    this.#direct = new Direct(this.#native, this.#setup, (job) => this.#onThread(job))
  }

  /**
   * Runs a job when its kind of work has a permit.
   * @param signal aborts the wait; a running job is ended by {@link cancel}.
   * @param named a caller's own session that keeps its state, for so many milliseconds after its last job.
   * @param caller who shares the permits with others.
   * @param besideOthers other accounts are active, whether or not they ask the engine.
   * @returns the running job; the permit is given back when it has settled.
   */
  async run(
    kind: WorkKind,
    job: Job,
    signal: AbortSignal,
    named?: { id: string; timeoutMs: number },
    caller?: string,
    besideOthers?: boolean,
  ): Promise<Running> {
    if (this.#tags.has(job.tag)) {
      throw failure(
        216,
        'QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING',
        `Query with id = ${job.tag} is already running`,
      )
    }
    this.#tags.add(job.tag)
    this.#running++
    let release: (() => void) | undefined
    let giveBack: ((ok: boolean) => void) | undefined
    const done = (ok: boolean): void => {
      giveBack?.(ok)
      release?.()
      this.#tags.delete(job.tag)
      this.#ended()
    }
    try {
      const owned = named && this.#own(named.id)
      if (named && owned) giveBack = () => this.#release(named, owned)
      release = await this.#semaphores.acquire(kind, signal, caller, besideOthers)
      const shared = { ...job, settings: [...threadsBeside(this.#tags.size - 1), ...job.settings] }
      const running = owned ? owned.thread.run(shared) : this.#direct.run(shared)
      void running.settled.then(() => done(true))
      return running
    } catch (error) {
      done(false)
      throw error
    }
  }

  /** Ends a running job: its stream at once, its work in the engine as soon as the engine looks. */
  async cancel(running: Running, tag: string): Promise<void> {
    let settled = false
    void running.settled.then(() => {
      settled = true
    })
    running.cancel()
    // A query that is still being planned isn't in the list yet, so ask again until it is gone.
    for (let pause = 20; ; pause = Math.min(pause * 2, 1000)) {
      await Promise.race([running.settled, sleep(pause)])
      if (settled) return
      const sql = `KILL QUERY WHERE Settings['log_comment'] = ${literal(tag)} ASYNC`
      await this.#native.QueryAsyncConnection(this.#control, sql, 'Null').catch(() => {})
    }
  }

  /** Resolves when no job runs and no thread is being opened, or after so many milliseconds. */
  async quiet(graceMs: number): Promise<void> {
    if (this.#running === 0) return
    await Promise.race([
      new Promise<void>((resolve) => {
        this.#onQuiet = resolve
      }),
      sleep(graceMs),
    ])
  }

  #onThread(job: Job): Running {
    const thread = this.#idle.pop() ?? this.#thread()
    const running = thread.run(job)
    void running.settled.then(() => this.#idle.push(thread))
    return running
  }

  #thread(): SessionThread {
    this.#running++
    return new SessionThread(this.#setup, () => this.#ended(), this.options.onCrash)
  }

  #ended(): void {
    this.#running--
    if (this.#running === 0) this.#onQuiet?.()
  }

  #own(id: string): Named {
    let named = this.#named.get(id)
    if (named?.busy) throw failure(373, 'SESSION_IS_LOCKED', `Session ${id} is locked by a concurrent client`)
    if (!named) {
      if (this.#named.size >= this.options.maxNamed) {
        throw failure(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', 'Too many sessions are open')
      }
      named = { thread: this.#idle.pop() ?? this.#thread(), busy: false, timer: undefined }
      this.#named.set(id, named)
    }
    clearTimeout(named.timer)
    named.busy = true
    return named
  }

  #release(own: { id: string; timeoutMs: number }, named: Named): void {
    named.busy = false
    named.timer = setTimeout(() => {
      this.#named.delete(own.id)
      named.thread.forget()
      this.#idle.push(named.thread)
    }, own.timeoutMs)
    named.timer.unref()
  }
}

/**
 * The setting that leaves processors to other jobs: several threads for each of many statements are planned and switched for
 * nothing. A job that is alone has all, by the engine's default.
 */
function threadsBeside(others: number): Job['settings'] {
  return others > 0 ? [['max_threads', String(Math.max(1, Math.floor(PROCESSORS / (others + 1))))]] : []
}

const PROCESSORS = availableParallelism()

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}

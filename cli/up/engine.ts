/**
 * Keeps the embedded engine running: restarts the child process on the same port and with the same password when it
 * dies.
 */
import { randomBytes } from 'node:crypto'
import { type Embedded, type EmbeddedOptions, startEmbedded } from '../../clickhouse-embedded/start.js'
import { LOGGED } from '../../domain/calls/schema.js'
import type { AppendChannel } from '../../platform/clickhouse/append-channel.js'
import { Backoff } from '../../platform/retry/backoff.js'
import type { Log } from '../../platform/telemetry/log.js'
import { LOGGED_OBJECTS } from '../../resources/objects/rows.js'
import { childEnv } from './child-env.js'
import type { DataFolder, EngineAddress } from './data-folder.js'

const WAITS = { firstMs: 100, longestMs: 10_000 }
/** After this long, an engine counts as stable, and the next restart waits shortest again. */
const GOOD_MS = 60_000

export interface EngineConfig {
  /** bytes */
  engineMemory: number
  engineLog: boolean
}

export class Engine {
  readonly address: EngineAddress
  /** The way to the running child's log. */
  readonly appends = (): AppendChannel => this.child.appends
  private stopping = new AbortController()
  private readonly watching: Promise<void>

  private constructor(
    private child: Embedded,
    /** options for a restart on the same port */
    private readonly again: EmbeddedOptions,
    private readonly data: DataFolder,
    private readonly log: Log,
  ) {
    const { url, username, password } = child
    this.address = { url, username, password }
    this.watching = this.watch()
  }

  /** Starts the engine on the data folder. @throws if it does not start, for example if another engine uses the folder */
  static async start(data: DataFolder, log: Log, { engineMemory, engineLog }: EngineConfig): Promise<Engine> {
    const options: EmbeddedOptions = {
      dataDir: data.engine,
      password: randomBytes(24).toString('hex'),
      maxMemoryBytes: engineMemory,
      logged: engineLog ? [LOGGED, LOGGED_OBJECTS] : [],
      env: childEnv([]),
      logger: { info: (text) => log.debug(text), warn: (text) => log.warn(text) },
    }
    const child = await startEmbedded(options)
    const engine = new Engine(child, { ...options, port: Number(new URL(child.url).port) }, data, log)
    data.writeEngineAddress(engine.address)
    return engine
  }

  /** Stops the engine after its running work. */
  async stop(): Promise<void> {
    this.stopping.abort()
    this.data.forgetEngineAddress()
    await this.child.stop()
    await this.watching
  }

  private get stopped(): boolean {
    return this.stopping.signal.aborted
  }

  private async watch(): Promise<void> {
    const backoff = new Backoff(WAITS)
    while (!this.stopped) {
      const since = performance.now()
      await this.child.exited
      if (this.stopped) return
      if (performance.now() - since > GOOD_MS) backoff.reset()
      this.log.error({ waitMs: backoff.nextMs }, 'the embedded engine died; starting it again')
      await this.revive(backoff)
    }
  }

  /** Tries until the engine is back. */
  private async revive(backoff: Backoff): Promise<void> {
    for (;;) {
      await backoff.wait(this.stopping.signal)
      if (this.stopped) return
      try {
        this.child = await startEmbedded(this.again)
        this.log.info('the embedded engine is back')
        return
      } catch (error) {
        this.log.error({ err: error, waitMs: backoff.nextMs }, 'the embedded engine does not start')
      }
    }
  }
}

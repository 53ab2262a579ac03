/** A child process that is kept running: restarted when it dies, and ended when this process ends in any way. */
import { once } from 'node:events'
import { Backoff } from '../../platform/retry/backoff.js'
import type { Log } from '../../platform/telemetry/log.js'
import { startWatched, type Watched, type WatchedOptions } from './watched.js'

const WAITS = { firstMs: 200, longestMs: 30_000 }
/** After this long, a child counts as stable, and the next restart waits shortest again. */
const GOOD_MS = 30_000
/** How much of its output is kept for the error message. */
const KEPT = 4_000

export interface ChildOptions extends WatchedOptions {
  /** its name in the log */
  name: string
  /** ms between SIGTERM and SIGKILL */
  graceMs: number
  log: Log
  /** called for each line of its standard output */
  line?: (line: string) => void
  /** called when it has ended by itself, before it is restarted */
  ended?: (said: string) => void
}

export class Child {
  private watched: Watched | undefined
  private readonly stopping = new AbortController()
  private running: Promise<void> | undefined
  private said = ''

  constructor(private readonly options: ChildOptions) {}

  start(): void {
    this.running = this.keep()
  }

  /** Asks it to end, and kills it if it does not. */
  async stop(): Promise<void> {
    this.stopping.abort()
    this.watched?.end(this.options.graceMs / 1000)
    await this.running
  }

  private async keep(): Promise<void> {
    const { signal } = this.stopping
    const backoff = new Backoff(WAITS)
    while (!signal.aborted) {
      const since = performance.now()
      const code = await this.once()
      if (signal.aborted) return
      if (performance.now() - since > GOOD_MS) backoff.reset()
      const { name, log, ended } = this.options
      log.error(
        { code, waitMs: backoff.nextMs, said: this.said.trim() },
        `the ${name} ended; starting it again`,
      )
      ended?.(this.said)
      await backoff.wait(signal)
    }
  }

  private async once(): Promise<number | string | null> {
    const { line } = this.options
    this.said = ''
    this.watched = startWatched(this.options)
    const { child } = this.watched
    let rest = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.keepSaid(text)
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const one of lines) line?.(one)
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.keepSaid(text))
    const [code, signal] = await once(child, 'exit').catch((error: Error) => [error.message, null])
    child.stdin?.destroy()
    return (signal ?? code) as number | string | null
  }

  private keepSaid(text: string): void {
    this.said = (this.said + text).slice(-KEPT)
  }
}

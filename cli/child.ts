/**
 * A child process that is kept running: started again when it dies, ended when this process ends, however that is.
 * Knows nothing of what it runs.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../common/telemetry/log.js'

/**
 * Runs "$@" and ends it when the standard input ends: that is when the parent died, even by a signal that nobody
 * catches. In a group of its own, so that Ctrl-C reaches the parent alone, which then stops things in order. What the shell
 * itself says of a child that was ended is nothing to read.
 */
const WATCHED = `exec 3<&0 4>&2 2>/dev/null
"$@" </dev/null 3<&- 2>&4 4>&- &
child=$!
{ cat <&3 >/dev/null; kill -TERM $child 2>/dev/null; } &
watch=$!
exec 3<&- 4>&-
wait $child; code=$?
kill $watch 2>/dev/null
exit $code`

const FIRST_WAIT_MS = 200
const LONGEST_WAIT_MS = 30_000
/** A child that lived for so long is a good one: the next death starts with the shortest wait again. */
const GOOD_MS = 30_000
/** Of what it says, so much is kept for when it fails. */
const KEPT = 4_000

export interface ChildOptions {
  /** what the log calls it */
  name: string
  command: string
  args: readonly string[]
  env?: NodeJS.ProcessEnv
  /** ms between SIGTERM and SIGKILL */
  graceMs: number
  log: Log
  /** told of each line of its standard output */
  line?: (line: string) => void
  /** its standard error is this process's own */
  loud?: boolean
}

export class Child {
  private process: ChildProcess | undefined
  private readonly stopping = new AbortController()
  private running: Promise<void> | undefined
  private said = ''

  constructor(private readonly options: ChildOptions) {}

  start(): void {
    this.running = this.keep()
  }

  /** Asks it to end, and makes it end when it doesn't. */
  async stop(): Promise<void> {
    this.stopping.abort()
    const child = this.process
    if (child && child.exitCode === null && child.signalCode === null) {
      child.stdin?.end()
      const timer = setTimeout(() => killGroup(child), this.options.graceMs)
      await once(child, 'exit')
      clearTimeout(timer)
    }
    await this.running
  }

  private async keep(): Promise<void> {
    const { signal } = this.stopping
    for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      const since = performance.now()
      const code = await this.once()
      if (signal.aborted) return
      if (performance.now() - since > GOOD_MS) wait = FIRST_WAIT_MS
      const { name, log } = this.options
      log.error({ code, waitMs: wait, said: this.said.trim() }, `the ${name} ended and is started again`)
      await sleep(wait, undefined, { signal }).catch(() => undefined)
    }
  }

  private async once(): Promise<number | string | null> {
    const { command, args, env = process.env, line, loud = false } = this.options
    this.said = ''
    const child = spawn('/bin/sh', ['-c', WATCHED, 'sh', command, ...args], {
      env,
      detached: true,
      stdio: ['pipe', 'pipe', loud ? 'inherit' : 'pipe'],
    })
    this.process = child
    child.stdin?.on('error', () => undefined)
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
    // What the shell left behind, should it have been killed itself.
    killGroup(child)
    return (signal ?? code) as number | string | null
  }

  private keepSaid(text: string): void {
    this.said = (this.said + text).slice(-KEPT)
  }
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone.
  }
}

/** A progress line on standard error: a bar on a terminal, else an occasional plain line. */

const BAR = 24
const TERMINAL_MS = 100
const PLAIN_MS = 5_000

export class Progress {
  private shownAt = Number.NEGATIVE_INFINITY
  private readonly terminal: boolean
  private line = ''

  /**
   * @param what is counted: "calls", "files"
   * @param total the final count; 0: unknown
   */
  constructor(
    private readonly what: string,
    private readonly total: number,
    private readonly out: NodeJS.WriteStream = process.stderr,
  ) {
    this.terminal = out.isTTY === true
  }

  /** Sets the count. Cheap: most calls show nothing. @param more text after the bar */
  at(count: number, more = ''): void {
    const now = performance.now()
    if (now - this.shownAt < (this.terminal ? TERMINAL_MS : PLAIN_MS)) return
    this.shownAt = now
    this.show(count, more)
  }

  /** Shows the final state. */
  end(count: number, more = ''): void {
    this.show(count, more)
    if (this.terminal) this.out.write('\n')
  }

  private show(count: number, more: string): void {
    const line = `${progressLine(this.what, count, this.total)}${more}`
    if (line === this.line) return
    this.line = line
    this.out.write(this.terminal ? `\r\u001b[K${line}` : `${line}\n`)
  }
}

/** Several counts one after the other, a line for each. */
export class Stages {
  private current: { what: string; count: number; progress: Progress } | undefined

  /** `count` of `total` (0: unknown) are done. */
  readonly at = (what: string, count: number, total: number): void => {
    if (this.current?.what !== what) {
      this.end()
      this.current = { what, count, progress: new Progress(what, total) }
    }
    this.current.count = count
    this.current.progress.at(count)
  }

  end(): void {
    this.current?.progress.end(this.current.count)
    this.current = undefined
  }
}

/** `[######..........] 1,200 of 4,800 calls, 25 %`. */
export function progressLine(what: string, count: number, total: number): string {
  const number = (value: number) => value.toLocaleString('en-US')
  if (total <= 0) return `${number(count)} ${what}`
  const share = Math.min(count / total, 1)
  const done = Math.round(share * BAR)
  const bar = '#'.repeat(done).padEnd(BAR, '.')
  return `[${bar}] ${number(count)} of ${number(total)} ${what}, ${Math.floor(share * 100)} %`
}

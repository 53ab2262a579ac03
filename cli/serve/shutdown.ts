/** A clean stop on SIGTERM or SIGINT: steps run in reverse order of their start. */

type Step = () => unknown

/** A stop was requested during the start: its rest is skipped. */
export class StoppedEarly extends Error {
  override readonly name = 'StoppedEarly'
}

export class Shutdown {
  private readonly steps: { name: string; step: Step }[] = []
  private running: Promise<void> | undefined

  /** @param failed called for a step that threw; the other steps still run */
  constructor(private readonly failed: (name: string, error: unknown) => void) {}

  /**
   * Adds a step; the latest added runs first.
   * @throws StoppedEarly if the shutdown has begun; the step runs, too
   */
  add(name: string, step: Step): void {
    this.steps.push({ name, step })
    if (this.running === undefined) return
    this.running = this.running.then(() => this.unwind())
    throw new StoppedEarly()
  }

  get begun(): boolean {
    return this.running !== undefined
  }

  /** Runs every step, once. */
  run(): Promise<void> {
    this.running ??= this.unwind()
    return this.running
  }

  /** Resolves after a signal, when everything has stopped. A second signal ends the process at once, with status 1. */
  onSignal(said: (signal: string) => void): Promise<void> {
    return new Promise((resolve) => {
      const stop = (signal: string) => {
        if (this.begun) process.exit(1)
        said(signal)
        void this.run().then(resolve)
      }
      process.on('SIGTERM', stop)
      process.on('SIGINT', stop)
    })
  }

  private async unwind(): Promise<void> {
    for (let last = this.steps.pop(); last; last = this.steps.pop())
      try {
        await last.step()
      } catch (error) {
        this.failed(last.name, error)
      }
  }
}

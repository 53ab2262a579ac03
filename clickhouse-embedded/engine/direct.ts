/**
 * Runs reads whose results are small without a thread of ours in between. The engine works on them in a pool, so the
 * caller's thread is held only by a SET.
 */
import { engineFailure } from './failure.js'
import type { Native } from './native.js'
import type { Job, Outcome, SessionSetup } from './protocol.js'
import { analyses, Session } from './session.js'
import { limits, SmallResults, tooLarge } from './small.js'
import type { Running } from './thread.js'

export class Direct {
  readonly #idle: Session[] = []
  readonly #known = analyses()
  readonly #small = new SmallResults()

  /** @param elsewhere runs a job that turns out to need a thread of its own. */
  constructor(
    private readonly native: Native,
    private readonly setup: SessionSetup,
    private readonly elsewhere: (job: Job) => Running,
  ) {}

  /** Runs a job in the way that costs least. */
  run(job: Job): Running {
    return this.#small.expects(job) ? this.#whole(job) : this.#noted(job)
  }

  /** Runs `job` whole; where its result is not small, as asked from the beginning: it only reads, and nothing was sent. */
  #whole(job: Job): Running {
    const session = this.#idle.pop() ?? new Session(this.native, this.setup, this.#known)
    const chunks: Uint8Array<ArrayBuffer>[] = []
    let isCancelled = false
    let again: Running | undefined
    const made = session
      .run({ ...job, mode: 'whole', settings: [...limits, ...job.settings] }, (bytes) =>
        Promise.resolve(chunks.push(bytes) > 0),
      )
      .finally(() => this.#idle.push(session))
      .catch((error: unknown): Outcome | undefined => {
        if (isCancelled || engineFailure(error).code !== tooLarge) throw error
        this.#small.exceeded(job)
        again = this.elsewhere(job)
        return undefined
      })
    const running: Running = {
      outcome: undefined,
      settled: made.then(
        () => again?.settled,
        () => {},
      ),
      next: async () => {
        const outcome = await made
        const chunk = again ? await again.next() : chunks.shift()
        if (!chunk) running.outcome = again ? again.outcome : outcome
        return chunk
      },
      cancel: () => {
        isCancelled = true
        again?.cancel()
      },
    }
    return running
  }

  #noted(job: Job): Running {
    const running = this.elsewhere(job)
    void running.settled.then(() => {
      if (running.outcome) this.#small.ended(job, running.outcome)
    })
    return running
  }
}

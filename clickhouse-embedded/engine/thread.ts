/**
 * The front's handle of a session's thread: one job at a time, its chunks as an async iteration with
 * backpressure.
 */
import { Worker } from 'node:worker_threads'
import type { FromJob, FromSession, Job, Outcome, SessionSetup, ToSession } from './protocol.js'

/** What a job gives: chunks while it runs, then the outcome. */
export type Running = {
  /** The next chunk, or undefined at the end. Asking for one says that the one before has been used up. */
  next(): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** Resolves when the engine is done with the job, whatever became of it. */
  readonly settled: Promise<void>
  /** Set once `next` has given undefined. */
  outcome: Outcome | undefined
  /** Ends the stream early; the caller also kills the query in the engine. */
  cancel(): void
}

export class SessionThread {
  readonly #worker: Worker
  #receive: ((message: FromJob) => void) | undefined

  /**
   * @param onOpen called when the thread has its connection. A process that ends before that is aborted by the engine.
   * @param onCrash called when the thread ends, which it must not.
   */
  constructor(setup: SessionSetup, onOpen: () => void, onCrash: (error: unknown) => void) {
    this.#worker = new Worker(new URL('./worker.js', import.meta.url), {
      workerData: setup,
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 },
    })
    this.#worker.on('message', (message: FromSession) => {
      if (message.type === 'open') onOpen()
      else this.#receive?.(message)
    })
    this.#worker.on('error', onCrash)
    this.#worker.on('exit', onCrash)
    this.#worker.unref()
  }

  forget(): void {
    this.#send({ type: 'forget' })
  }

  run(job: Job): Running {
    const waiting: Uint8Array<ArrayBuffer>[] = []
    let taken = false
    let failure: Error | undefined
    let ended = false
    let wake: (() => void) | undefined
    let settle: () => void = () => {}
    const running: Running = {
      outcome: undefined,
      settled: new Promise((resolve) => {
        settle = resolve
      }),
      next: async () => {
        if (taken) this.#send({ type: 'credit' })
        taken = false
        while (waiting.length === 0 && !ended) {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
        const chunk = waiting.shift()
        taken = chunk !== undefined
        if (!chunk && failure) throw failure
        return chunk
      },
      cancel: () => this.#send({ type: 'cancel' }),
    }
    this.#receive = (message) => {
      if (message.type === 'chunk') waiting.push(message.bytes)
      else {
        ended = true
        if (message.type === 'end') running.outcome = message.outcome
        else failure = new Error(message.message)
        this.#receive = undefined
        settle()
      }
      wake?.()
    }
    this.#send({ type: 'run', job })
    return running
  }

  #send(message: ToSession): void {
    this.#worker.postMessage(message)
  }
}

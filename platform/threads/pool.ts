/** A thread pool for work that would block the main thread too long. Threads start on demand and end when idle. */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { accountOf, currentCaller, service } from '../fairness/caller.js'
import { FairLine } from '../fairness/fair-line.js'
import { doneOf, type Outcome } from './outcome.js'

/** Below this many bytes, posting to a thread and back takes longer than the work. */
export const SMALL = 64 << 10
const IDLE_MS = 30_000
const CORES_A_THREAD = 4

const THREADS = Math.max(1, Math.floor(availableParallelism() / CORES_A_THREAD))

export class ThreadPool<Task, Done> {
  private pool: Piscina<Task, Outcome<Done>> | undefined
  private readonly line = new FairLine<() => Promise<void>>()
  private running = 0

  /**
   * @param file a thread's entry; its default export turns a task into an outcome
   * @param workerData initial data for the entry
   */
  constructor(
    private readonly file: string,
    private readonly workerData: unknown = undefined,
  ) {}

  /**
   * Runs `task` in a thread; throws what it throws. Transfers `handedOver` to the thread. While tasks wait, the account
   * that used the threads least goes first.
   * @param account whose turn it is; default: that of the running work
   */
  run(
    task: Task,
    handedOver: readonly ArrayBuffer[] = [],
    account = accountOf(currentCaller() ?? service('threads')),
  ): Promise<Done> {
    return new Promise((resolve, reject) => {
      this.line.push(account, async () => {
        const began = performance.now()
        await this.inThread(task, handedOver).then(resolve, reject)
        this.line.charge(account, performance.now() - began)
      })
      this.next()
    })
  }

  private next(): void {
    if (this.line.length === 0 && this.running === 0) this.line.forget()
    while (this.running < THREADS) {
      const found = this.line.take()
      if (!found) return
      this.running++
      void found.item().then(() => {
        this.running--
        this.next()
      })
    }
  }

  private async inThread(task: Task, handedOver: readonly ArrayBuffer[]): Promise<Done> {
    this.pool ??= new Piscina<Task, Outcome<Done>>({
      filename: this.file,
      workerData: this.workerData,
      minThreads: 0,
      maxThreads: THREADS,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    return doneOf(await this.pool.run(task, { transferList: [...handedOver] }))
  }

  async stop(): Promise<void> {
    await this.pool?.destroy()
    this.pool = undefined
  }
}

/** A built file next to the module at `url`; undefined when running TypeScript, which threads can't load. */
export function threadEntry(url: string, name: string): string | undefined {
  return url.endsWith('.ts') ? undefined : fileURLToPath(new URL(name, url))
}

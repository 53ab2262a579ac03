/**
 * A thread pool for work that would block the main thread too long. Threads start on demand and end when idle. Knows
 * nothing of the work.
 */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { doneOf, type Outcome } from './outcome.js'

/** Below this many bytes, posting to a thread and back takes longer than the work. */
export const SMALL = 64 << 10
const IDLE_MS = 30_000
const CORES_A_THREAD = 4

export class ThreadPool<Task, Done> {
  private pool: Piscina<Task, Outcome<Done>> | undefined

  /**
   * @param file a thread's entry; its default export turns a task into an outcome
   * @param workerData initial data for the entry
   */
  constructor(
    private readonly file: string,
    private readonly workerData: unknown = undefined,
  ) {}

  /** Runs `task` in a thread; throws what it throws. Transfers `handedOver` to the thread. */
  async run(task: Task, handedOver: readonly ArrayBuffer[] = []): Promise<Done> {
    this.pool ??= new Piscina<Task, Outcome<Done>>({
      filename: this.file,
      workerData: this.workerData,
      minThreads: 0,
      maxThreads: Math.max(1, Math.floor(availableParallelism() / CORES_A_THREAD)),
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

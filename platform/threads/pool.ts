/**
 * Threads for work that would hold the main thread too long. They start when the first work comes and end when none came
 * for a while. Knows nothing of the work.
 */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { doneOf, type Outcome } from './outcome.js'

/** Bytes below which the way to a thread and back takes longer than the work. */
export const SMALL = 64 << 10
const IDLE_MS = 30_000
const CORES_A_THREAD = 4

export class ThreadPool<Task, Done> {
  private pool: Piscina<Task, Outcome<Done>> | undefined

  /**
   * @param file a thread's entry, whose default export makes an outcome of a task
   * @param workerData what the entry needs to know beforehand
   */
  constructor(
    private readonly file: string,
    private readonly workerData: unknown = undefined,
  ) {}

  /** Throws what the work throws. `handedOver` is gone afterwards. */
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

/** A built file beside the module at `url`; undefined where that runs as TypeScript, from which no thread can start. */
export function threadEntry(url: string, name: string): string | undefined {
  return url.endsWith('.ts') ? undefined : fileURLToPath(new URL(name, url))
}

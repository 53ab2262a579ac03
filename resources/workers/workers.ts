/**
 * Keeps long work off the main thread: what is large goes to a thread that starts when the first one comes and ends when
 * none came for a while. Knows nothing of what is in them.
 */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { doneOf, type Input, type Kind, type Outcome, type Task, type Work, work } from './task.js'

/** Below this the way to a thread and back takes longer than the work. */
const SMALL = 64 << 10
const IDLE_MS = 30_000
const CORES_A_THREAD = 4

export class Workers {
  private pool: Piscina<Task, Outcome> | undefined

  /**
   * Does `kind` of work on `input`; the memory of bytes is gone afterwards. Throws what the work throws.
   * @param bytes of what is no bytes, nearly
   */
  async run<K extends Kind>(
    kind: K,
    input: Input<K>,
    bytes = input instanceof Uint8Array ? input.length : 0,
  ): Promise<ReturnType<Work[K]>> {
    const file = entry()
    if (bytes < SMALL || file === undefined) return work(kind, input)
    this.pool ??= new Piscina<Task, Outcome>({
      filename: file,
      minThreads: 0,
      maxThreads: Math.max(1, Math.floor(availableParallelism() / CORES_A_THREAD)),
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    const transferList = input instanceof Uint8Array ? [input.buffer as ArrayBuffer] : []
    const outcome = await this.pool.run({ kind, input }, { transferList })
    return doneOf(outcome) as ReturnType<Work[K]>
  }

  async stop(): Promise<void> {
    await this.pool?.destroy()
    this.pool = undefined
  }
}

/** Threads run what has been built; where this file runs as TypeScript there are none. */
function entry(): string | undefined {
  const here = import.meta.url
  return here.endsWith('.ts') ? undefined : fileURLToPath(new URL('./worker.js', here))
}

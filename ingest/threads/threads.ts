/** The pool of decode threads, sized by the machine. Knows nothing of what they decode. */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import type { Decoded, RawWrite, Task } from './task.js'

/** One thread kept two cores busy together with the engine; more cores want more. */
const CORES_A_THREAD = 4

/** Blocks that are smaller are cheap to make. */
const SPARE = 1 << 20

/** A block is larger than the bodies it is made of, compressed ones by far, but not by more than this. */
const MOST = 8

export class Threads {
  readonly count: number
  private readonly spares: ArrayBuffer[] = []
  private readonly pool: Piscina<Task, Decoded>

  /**
   * @param count threads; 0: by the number of cores
   * @param broke told of a thread that ended by itself; another takes its place
   */
  constructor(count: number, broke: (error: unknown) => void) {
    this.count = count > 0 ? count : Math.max(1, Math.floor(availableParallelism() / CORES_A_THREAD))
    this.pool = new Piscina<Task, Decoded>({
      filename: entry(),
      minThreads: this.count,
      maxThreads: this.count,
      idleTimeout: Number.POSITIVE_INFINITY,
      atomics: 'async',
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    this.pool.on('error', broke)
  }

  /** Resolves when a thread works; rejects if its code can't even be loaded. */
  async ready(): Promise<void> {
    const broken = new Promise<never>((_, reject) => this.pool.once('error', reject))
    await Promise.race([this.decode([]), broken])
  }

  /** Decodes one batch; the bodies' buffers go to the thread and come back with the result. */
  decode(requests: RawWrite[]): Promise<Decoded> {
    const spare = this.spareFor(requests)
    const transferList = requests.map(({ body }) => body.buffer as ArrayBuffer)
    if (spare) transferList.push(spare)
    return this.pool.run({ requests, spare }, { transferList })
  }

  /** Moving much memory for a small block would cost more than it saves: each thread's collector takes note of it. */
  private spareFor(requests: readonly RawWrite[]): ArrayBuffer | undefined {
    const bytes = requests.reduce((sum, { body }) => sum + body.length, 0)
    const found = this.spares.findIndex(({ byteLength }) => byteLength <= bytes * MOST)
    return found < 0 ? undefined : this.spares.splice(found, 1)[0]
  }

  /** Gives the memory of a stored block back, for a later one. */
  reuse(block: Uint8Array<ArrayBuffer>): void {
    const { buffer } = block
    if (buffer.byteLength <= SPARE) return
    this.spares.push(buffer)
    if (this.spares.length > this.count + 1) this.spares.shift()
  }

  async stop(): Promise<void> {
    await this.pool.destroy()
  }
}

/** Beside this file; where this file runs as TypeScript, what has been built of it. */
function entry(): string {
  const here = import.meta.url
  const built = here.endsWith('.ts') ? '../../dist/ingest/threads/decode.js' : './decode.js'
  return fileURLToPath(new URL(built, here))
}

/** The pool of decode threads, sized by the machine. */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import type { Arrival } from '../../domain/calls/arrival.js'
import type { Snapshot } from '../../domain/masking/snapshot.js'
import { threadEntry } from '../../platform/threads/pool.js'
import { BufferPool } from './buffer-pool.js'
import { decodeBatch } from './decode-batch.js'
import type { Decoded, RawWrite, Rows, Task } from './task.js'

/** One thread kept two cores busy together with the engine; more cores want more. */
const CORES_A_THREAD = 4
/** Bytes of a batch that is decoded in less time than two threads need to wake each other. */
export const SMALL_BYTES = 8 * 1024

export class Threads {
  readonly count: number
  private readonly buffers: BufferPool
  private readonly pool: Piscina<Task, Decoded>
  /** Threads know what is done with calls on their way; here they are stored as they were sent. */
  private readonly mayDecodeHere: boolean

  /**
   * @param count threads; 0: by the number of cores
   * @param arrival what is done with calls before they are stored
   * @param masking the rules of the moment by which texts are masked; undefined: there are none
   * @param broke told of a thread that ended by itself; another takes its place
   */
  constructor(
    count: number,
    arrival: Arrival,
    private readonly masking: () => Snapshot | undefined,
    broke: (error: unknown) => void,
  ) {
    this.mayDecodeHere = arrival.sampleRate === 1
    this.count = count > 0 ? count : Math.max(1, Math.floor(availableParallelism() / CORES_A_THREAD))
    // For each batch that is decoded, for one that waits to be stored, for one that is.
    this.buffers = new BufferPool(this.count + 2)
    this.pool = new Piscina<Task, Decoded>({
      filename: entry(),
      workerData: arrival,
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
    await Promise.race([this.inThread([]), broken])
  }

  /** Decodes one batch. Its rows of `calls` may be in shared memory: tell {@link stored} what became of them. */
  async decode(requests: readonly RawWrite[]): Promise<Decoded> {
    const masking = this.masking()
    // How long masking takes, nobody knows.
    if (this.mayDecodeHere && masking === undefined && isSmall(requests))
      return decodeBatch({ requests, buffer: undefined, masking })
    return await this.inThread(requests, masking)
  }

  private async inThread(requests: readonly RawWrite[], masking?: Snapshot): Promise<Decoded> {
    const buffer = this.buffers.take()
    let decoded: Decoded | undefined
    try {
      const placed = buffer !== undefined && placedIn(buffer, requests)
      decoded = await this.pool.run(
        placed ? { requests: placed, buffer, masking } : { requests, buffer: undefined, masking },
      )
      return decoded
    } finally {
      if (buffer !== undefined && !isShared(decoded?.calls)) this.buffers.give(buffer)
    }
  }

  /** Says that `rows` are stored, or that the attempt has failed; either way they are not looked at any more. */
  stored(rows: Rows | undefined, failed = false): void {
    if (!isShared(rows)) return
    if (failed) this.buffers.giveLater(rows.bytes.buffer)
    else this.buffers.give(rows.bytes.buffer)
  }

  async stop(): Promise<void> {
    await this.pool.destroy()
  }
}

function isShared(rows: Rows | undefined): rows is Rows & { bytes: Uint8Array<SharedArrayBuffer> } {
  return rows?.bytes.buffer instanceof SharedArrayBuffer
}

/** True if decoding `requests` takes a few milliseconds at most, whatever is in them: a compressed body may be anything. */
export function isSmall(requests: readonly RawWrite[]): boolean {
  let bytes = 0
  for (const { body, contentEncoding } of requests) {
    if (contentEncoding !== '' && contentEncoding !== 'identity') return false
    bytes += body.length
  }
  return bytes <= SMALL_BYTES
}

/** The requests with copies of their bodies in `buffer`; undefined if they don't fit. */
function placedIn(buffer: SharedArrayBuffer, requests: readonly RawWrite[]): RawWrite[] | undefined {
  const size = requests.reduce((sum, { body }) => sum + body.length, 0)
  if (size > buffer.byteLength) return undefined
  const memory = Buffer.from(buffer)
  let at = 0
  return requests.map((request) => {
    const { body } = request
    const from = at
    at += body.length
    // `set` goes byte by byte where memory is shared.
    if (at > from) memory.fill(body, from, at)
    return { ...request, body: memory.subarray(from, at) }
  })
}

/** Beside this file; where this file runs as TypeScript, what has been built of it. */
function entry(): string {
  const built = new URL('../../dist/ingest/threads/decode.js', import.meta.url)
  return threadEntry(import.meta.url, './decode.js') ?? fileURLToPath(built)
}

/** The few files of the log: made when they are needed first, then written again and again. */
import { failure, QueryFailure } from '../engine/failure.js'
import { isNoSpace } from './files.js'
import { Segment } from './segment.js'

/** A file that holds nothing is taken from the disk when no other was needed for so long. */
const idleMs = 30_000

export class SegmentPool {
  readonly #free: Segment[] = []
  readonly #used = new Set<Segment>()
  #idle: NodeJS.Timeout | undefined
  #waiting: ((segment: Segment) => void)[] = []
  #count = 0
  #generation = 0

  /**
   * @param most files at once
   * @param timeoutMs how long a commit waits for one of them
   * @param keepMs how long files that hold nothing are kept where none is taken
   */
  constructor(
    readonly folder: string,
    private readonly most: number,
    private readonly timeoutMs: number,
    private readonly keepMs = idleMs,
  ) {}

  /** A number above that of every generation there was. */
  generation(): number {
    this.#generation = Math.max(this.#generation + 1, Date.now() * 1000)
    return this.#generation
  }

  /** No generation from now on is `generation` or below it. */
  startAbove(generation: number): void {
    this.#generation = Math.max(this.#generation, generation)
  }

  /**
   * A file for a generation.
   * @throws QueryFailure 243 where the disk is full, 745 where all are in use for too long.
   */
  async take(): Promise<Segment> {
    const segment = await this.#next()
    this.#used.add(segment)
    return segment
  }

  /** Files that hold rows which are not in their tables. */
  get used(): ReadonlySet<Segment> {
    return this.#used
  }

  async #next(): Promise<Segment> {
    clearTimeout(this.#idle)
    this.#idle = undefined
    const free = this.#free.pop()
    if (free) return free
    if (this.#count < this.most) return this.make()
    return new Promise((resolve, reject) => {
      const admit = (segment: Segment): void => {
        clearTimeout(timer)
        resolve(segment)
      }
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((one) => one !== admit)
        reject(overloaded('All files of the log wait to be inserted'))
      }, this.timeoutMs)
      this.#waiting.push(admit)
    })
  }

  /** One more file, however many there are. */
  async make(): Promise<Segment> {
    this.#count++
    try {
      return await Segment.create(this.folder, `segment-${this.generation()}`)
    } catch (error) {
      this.#count--
      throw asFailure(error)
    }
  }

  /** Takes back a file in which nothing is to be kept, or `discard`s it where there are too many or it can't be trusted. */
  async giveBack(segment: Segment, discard = false): Promise<void> {
    this.#used.delete(segment)
    if (discard || this.#count > this.most) {
      await segment.remove()
      this.#count--
      if (this.#waiting.length > 0 && this.#count < this.most) this.#waiting.shift()?.(await this.make())
      return
    }
    const admit = this.#waiting.shift()
    if (admit) return admit(segment)
    this.#free.push(segment)
    this.#idle ??= setTimeout(() => void this.close(), this.keepMs).unref()
  }

  /** Counts a file that an earlier process has left. */
  adopt(segment: Segment): void {
    this.#count++
    this.startAbove(segment.generation)
  }

  /** Removes the files that hold nothing. */
  async close(): Promise<void> {
    clearTimeout(this.#idle)
    this.#idle = undefined
    const free = this.#free.splice(0)
    this.#count -= free.length
    for (const segment of free) await segment.remove()
  }
}

/** A refusal of work that may be tried again later. */
export function overloaded(reason: string): Error {
  return failure(745, 'SERVER_OVERLOADED', reason)
}

/** An error of a file as the engine would word it. */
export function asFailure(error: unknown): unknown {
  if (error instanceof QueryFailure) return error
  if (isNoSpace(error)) return failure(243, 'NOT_ENOUGH_SPACE', 'The disk has no room for the log')
  const reason = error instanceof Error ? error.message : String(error)
  return failure(75, 'CANNOT_WRITE_TO_FILE_DESCRIPTOR', `The log can't be written: ${reason}`)
}

/**
 * The log of one INSERT statement. What waits is written and synced together; a file that is full, or old, or asked for is
 * sealed and brought into the table while the next one fills.
 */
import { type FlushParts, flushSegment } from './flush.js'
import type { Opening } from './index-region.js'
import type { LoggedBody } from './newest-rows.js'
import { asFailure } from './pool.js'
import { type Body, maxBytes, type Segment } from './segment.js'

/** With more of them, any may be there. */
const maxKeys = 20_000

/** The values of the read key in some rows, as far as anybody knows them. */
class ReadKeys {
  /** undefined: any may be there */
  #keys: Set<string> | undefined = new Set()

  /** @param keys of some more rows; undefined where nobody knows */
  add(keys: ReadonlySet<string> | undefined): void {
    if (keys === undefined) this.#keys = undefined
    for (const key of keys ?? []) this.#keys?.add(key)
    if (this.#keys && this.#keys.size > maxKeys) this.#keys = undefined
  }

  /** True if rows of one of `wanted`, or of any key where that is undefined, may be there. */
  hasAny(wanted: readonly string[] | undefined): boolean {
    const keys = this.#keys
    return keys === undefined || wanted === undefined || wanted.some((key) => keys.has(key))
  }
}

/** A file with so many rows is brought into the table. */
const fullRows = 64_000
/** What waits so long is brought into the table. */
const oldMs = 3_000
/** The same while there are readers, so that none waits for a large insert: for so long after one. */
const readerMs = 3_000
const readRows = 8_000
const readMs = 150

type Waiting = {
  body: Body
  keys: ReadonlySet<string> | undefined
  resolve: () => void
  reject: (error: unknown) => void
}
/** A file on its way into the table. */
type Sealed = { keys: ReadKeys; segment: Segment; generation: number; flushed: Promise<void> }

export class StatementLog {
  #waiting: Waiting[] = []
  #active: Segment | undefined
  /** Of the rows in the active file. */
  #keys = new ReadKeys()
  #sealed: Sealed[] = []
  /** Commits and seals, one after the other. */
  #turn: Promise<void> = Promise.resolve()
  #isCommitDue = false
  #flushed: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #lastRead = Number.NEGATIVE_INFINITY

  constructor(
    private readonly parts: FlushParts,
    readonly opening: Opening,
  ) {}

  /**
   * Resolves when `body` is on disk.
   * @param keys values of the read key in it; not given where nobody knows
   */
  append(body: Body, keys?: ReadonlySet<string>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ body, keys, resolve, reject })
      this.#commitSoon()
    })
  }

  /** True if rows that were acknowledged, of any of these read keys, are not in the table yet. */
  holds(keys?: readonly string[]): boolean {
    return this.#isInActive(keys) || this.#sealed.some((sealed) => sealed.keys.hasAny(keys))
  }

  /**
   * Resolves when everything of these read keys (of all, where not given) that was acknowledged before is in the table.
   * @param isReader others may soon wait as well
   */
  async flush(isReader: boolean, keys?: readonly string[]): Promise<void> {
    if (isReader) this.#lastRead = performance.now()
    if (this.#isInActive(keys)) await this.#sealNext()
    const mine = this.#sealed.filter((sealed) => sealed.keys.hasAny(keys))
    await Promise.all(mine.map(({ flushed }) => flushed))
  }

  /**
   * Bodies that were acknowledged, may have rows of this read key and may not be in the table yet; for as long as nothing
   * awaits.
   * @returns undefined where they are being divided among other files
   */
  bodies(key: string): LoggedBody[] | undefined {
    const keys = [key]
    const segments: Segment[] = []
    for (const { keys: own, segment, generation } of this.#sealed) {
      if (!own.hasAny(keys)) continue
      if (segment.generation !== generation || segment.frames.length === 0) return undefined
      segments.push(segment)
    }
    if (this.#active && this.#isInActive(keys)) segments.push(this.#active)
    return segments.flatMap((segment) => {
      const window = segment.window()
      return segment.frames.map((frame) => ({ frame, window }))
    })
  }

  /** The same, and of what was not acknowledged yet. Nothing may be appended meanwhile. */
  async drain(): Promise<void> {
    while (this.#isCommitDue || this.#waiting.length > 0 || this.#active) await this.#sealNext()
    await this.#flushed
  }

  #isInActive(keys: readonly string[] | undefined): boolean {
    return this.#active !== undefined && this.#active.rows > 0 && this.#keys.hasAny(keys)
  }

  #sealNext(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#seal())
    return this.#turn
  }

  #commitSoon(): void {
    if (this.#isCommitDue) return
    this.#isCommitDue = true
    this.#turn = this.#turn.then(() => this.#commit())
  }

  /** Commits what fits of what waits. Never rejects. */
  async #commit(): Promise<void> {
    this.#isCommitDue = false
    const group: Waiting[] = []
    let bytes = 0
    try {
      const first = this.#waiting[0]!
      if (this.#active && !this.#active.fits(first.body.length)) this.#seal()
      this.#active ??= await this.#begin()
      while (this.#waiting.length > 0 && group.length < 1000) {
        const { length } = this.#waiting[0]!.body
        if (group.length > 0 && !this.#active.fits(bytes + length, group.length + 1)) break
        bytes += length
        group.push(this.#waiting.shift()!)
      }
    } catch (error) {
      // No file: tell those who wait now.
      for (const { reject } of this.#waiting.splice(0)) reject(asFailure(error))
      return
    }
    await this.#write(this.#active, group)
    if (this.#waiting.length > 0) this.#commitSoon()
  }

  async #write(segment: Segment, group: readonly Waiting[]): Promise<void> {
    for (const { keys } of group) this.#keys.add(keys)
    try {
      await segment.write(group.map(({ body }) => body))
      this.parts.onStep?.('written')
      await segment.sync()
      this.parts.onStep?.('synced')
    } catch (error) {
      // Nobody knows what of it is on disk: the file takes nothing more.
      this.#seal()
      for (const { reject } of group) reject(asFailure(error))
      return
    }
    for (const { resolve } of group) resolve()
    const isRead = performance.now() - this.#lastRead < readerMs
    this.#timer ??= setTimeout(() => void this.#sealNext(), isRead ? readMs : oldMs)
    const most = isRead ? readRows : fullRows
    if (segment.rows >= most || segment.bytes > maxBytes * 0.9) this.#seal()
  }

  async #begin(): Promise<Segment> {
    const segment = await this.parts.pool.take()
    segment.begin(this.parts.pool.generation(), this.opening)
    return segment
  }

  #seal(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const segment = this.#active
    if (!segment) return
    const keys = this.#keys
    this.#active = undefined
    this.#keys = new ReadKeys()
    this.#flushed = this.#flushed.then(() => flushSegment(this.parts, segment))
    const sealed = { keys, segment, generation: segment.generation, flushed: this.#flushed }
    this.#sealed.push(sealed)
    const isDone = (): void => void this.#sealed.splice(this.#sealed.indexOf(sealed), 1)
    sealed.flushed.then(isDone, () => undefined)
  }
}

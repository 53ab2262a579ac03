/**
 * Writes spans by the walker, WebAssembly that does what `call.ts` does for nearly all of them. Spans that it leaves
 * to TypeScript, and everything that it has to be told, are its caller's and its host's. Rows gather in its memory until
 * they are taken.
 */
import type { CallBlock } from '../../../domain/calls/block.js'
import type { Literal } from '../../../domain/masking/literals.js'
import { escapesIn, exactIn, type Hints, REACH } from '../hints.js'
import { NO_LABELS, type ResourceLabels } from '../labels.js'
import type { Project } from '../projects.js'
import type { RowMetadata } from '../row-metadata.js'
import type { Origin } from '../span-json.js'
import type { SpanTree } from '../span-tree.js'
import type { Wire } from '../wire.js'
import { WalkerHost } from './host.js'
import { FLUSH, FULL, type Instance, instantiate, UNSUPPORTED, WRITTEN } from './instance.js'
import { movesOf } from './rows.js'
import { writeTables } from './tables.js'

/** Bytes of a hint; pieces of a request overlap by so many. */
const HINT = REACH
/** What small letters of ASCII have that capital ones have not. */
const CASE = 0x20
/** Longer ids of projects are left to TypeScript. */
const MAX_PROJECT_ID = 1024

/** The walker failed in a way that nobody foresaw: what it has written since rows were taken last can't be trusted. */
export class WalkerBroken extends Error {
  override readonly name = 'WalkerBroken'
}

export class Walker {
  readonly #block: CallBlock
  readonly #host: WalkerHost
  readonly #instance: Instance
  readonly #move: (rows: number) => void
  readonly #window: number
  readonly #windowSize: number
  #batch = 0
  #project: Project | undefined
  #origin: Origin | undefined
  #labels: ResourceLabels = NO_LABELS
  /** Which piece of which request is in the window. */
  #wire: Wire | undefined
  #pieceFrom = 0
  #pieceTo = 0
  /** The projects of the rows. */
  #projects: Project[] = []
  #usable = true

  /**
   * Writes into `block`. @throws if this machine can't run it
   * @param make makes the instance
   */
  constructor(block: CallBlock, make = instantiate) {
    this.#block = block
    this.#host = new WalkerHost(block)
    const instance = make(this.#host.functions)
    this.#instance = instance
    this.#host.serve(instance)
    this.#move = movesOf(instance, block)
    this.#window = instance.at('WINDOW')
    this.#windowSize = instance.at('WINDOW_SIZE')
    writeTables(instance)
    this.#forget()
    instance.call.clear()
  }

  /** Bytes that plans, ops and projects take; 16 MiB at most, then they are forgotten. */
  get remembered(): number {
    return this.#host.remembered
  }

  /** Rows that were not taken. */
  get rows(): number {
    return this.#projects.length
  }

  /** What is in the block's dictionaries now may be other than before. */
  beginBatch(): void {
    this.#batch++
    this.#instance.call.beginBatch(this.#batch)
  }

  /** A request begins, of this user. Rows of the one before are dropped. */
  beginRequest(userId: Uint8Array): void {
    const { call, memory, at } = this.#instance
    this.#drop()
    this.#wire = undefined
    this.#usable = userId.length <= at('USER_SIZE')
    if (!this.#usable) return
    memory.set(userId, at('USER'))
    call.setUser(userId.length)
  }

  /**
   * Writes a row of the Span message `[from, to)`. Returns false if it is left to TypeScript.
   * @param take called when the rows have to be taken first, or should be now
   * @throws WalkerBroken
   */
  write(wire: Wire, from: number, to: number, project: Project, origin: Origin, take: () => void): boolean {
    if (!this.#usable || to - from > this.#windowSize || project.id.length > MAX_PROJECT_ID) return false
    let result = this.#tried(wire, from, to, project, origin)
    if (result === FULL && this.rows > 0) {
      take()
      result = this.#tried(wire, from, to, project, origin)
    }
    if (result !== WRITTEN && result !== FLUSH) return false
    this.#projects.push(project)
    if (result === FLUSH) take()
    return true
  }

  /**
   * Where the request may hold something that masking looks for: see `assembly/hints.ts`. What is in the window then is
   * the end of the request, which is all of it, mostly.
   */
  hintsOf(wire: Wire): Hints {
    const { call, memory, at } = this.#instance
    const { length } = wire.buf
    const places: number[] = []
    const escapes: number[] = []
    for (let from = 0; from < length; from += this.#windowSize - HINT) {
      this.#fill(wire, from)
      const to = this.#window + Math.min(length - from, this.#windowSize)
      memory.fill(0, to, to + HINT)
      const count = call.hints(this.#window, to, at('NESTED'))
      const found = new Uint32Array(memory.buffer, at('NESTED'), count)
      for (let i = 0; i < count; i++) places.push(from + found[i]!)
      // Where they are at hand now.
      for (const place of escapesIn(memory.subarray(this.#window, to))) escapes.push(from + place)
      if (from + this.#windowSize >= length) break
    }
    return { places, escapes }
  }

  /** Where the request has the literal, in order; what is in the window then is as by {@link hintsOf}. */
  placesOf(wire: Wire, literal: Literal): number[] {
    const { call, memory, at } = this.#instance
    const { text, isFolded } = literal
    const { length } = wire.buf
    const ends = [text.charCodeAt(0), text.charCodeAt(text.length - 1)] as const
    const [first, last] = ends.map((byte) => (isFolded && isLetter(byte) ? CASE : 0)) as [number, number]
    const found: number[] = []
    for (let from = 0; from < length; from += this.#windowSize - HINT) {
      const isThere = wire === this.#wire && this.#pieceFrom <= from && this.#pieceTo === length
      if (!isThere) this.#fill(wire, from)
      const start = this.#window + from - this.#pieceFrom
      const size = Math.min(length - from, this.#windowSize)
      const count = call.pairs(start, start + size, ...ends, first, last, text.length - 1, at('NESTED'))
      const places = new Uint32Array(memory.buffer, at('NESTED'), count)
      for (const place of places)
        for (const exact of exactIn(wire.buf, literal, from + place, Math.min(length, from + place + 16)))
          if (exact > (found.at(-1) ?? -1)) found.push(exact)
      if (from + this.#windowSize >= length) break
    }
    return found
  }

  #tried(wire: Wire, from: number, to: number, project: Project, origin: Origin): number {
    try {
      return this.#write(wire, from, to, project, origin)
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) {
        process.emitWarning(
          `Spans are decoded again, since WebAssembly failed: ${error.stack ?? error.message}`,
        )
        throw new WalkerBroken(error.message)
      }
      // What is wrong with the span, TypeScript will say.
      return UNSUPPORTED
    }
  }

  #write(wire: Wire, from: number, to: number, project: Project, origin: Origin): number {
    const { call } = this.#instance
    if (this.#host.isFull) this.#forget()
    if (project !== this.#project) this.#setProject(project)
    if (origin !== this.#origin) {
      this.#origin = origin
      this.#host.origin = origin
      call.setOrigin()
      if (origin.labels !== this.#labels) this.#setLabels(origin.labels)
    }
    if (wire !== this.#wire || from < this.#pieceFrom || to > this.#pieceTo) this.#fill(wire, from)
    this.#host.begin(wire, from, to)
    const shift = this.#window - this.#pieceFrom
    return call.write(from + shift, to + shift)
  }

  #setProject(project: Project): void {
    const { number, from, to } = this.#host.project(project)
    this.#instance.call.setProject(number, from, to)
    this.#project = project
  }

  /** Tells the walker what the resource says. */
  #setLabels(labels: ResourceLabels): void {
    const { memory, at } = this.#instance
    const size = at('LABEL_SIZE')
    labels.forEach((label, i) => {
      const slot = at('LABELS') + i * size
      memory.writeUInt32LE(memory.write(label, slot + 4, size - 4, 'utf8'), slot)
    })
    this.#labels = labels
  }

  /** Copies the request into the window, from `from` on. */
  #fill(wire: Wire, from: number): void {
    const { buf } = wire
    const to = Math.min(buf.length, from + this.#windowSize)
    // `set` goes byte by byte where memory is shared.
    this.#instance.memory.fill(buf.subarray(from, to), this.#window, this.#window + to - from)
    this.#wire = wire
    this.#pieceFrom = from
    this.#pieceTo = to
    this.#instance.call.setShift(from - this.#window)
  }

  /** Moves the rows to the block, and what else has to be known of them to where it belongs. */
  take(metadata: RowMetadata, tree: SpanTree, request: number, ver: number): void {
    const { rows } = this
    if (rows === 0) return
    const block = this.#block
    const { memory, at } = this.#instance
    const { buffer } = memory
    const threads = block.thread_id.pos
    const turns = block.turn_id.pos
    for (let i = 0; i < rows; i++) block.ver.number(ver)
    this.#move(rows)
    metadata.addRows(
      new Uint32Array(buffer, at('HASHES'), rows * 2),
      new Uint32Array(buffer, at('started_at'), rows * 2),
      request,
    )
    const places = new Int32Array(buffer, at('TREE'), rows * 7)
    const turn = new Uint8Array(buffer, at('TURNS'), rows)
    tree.addRows(places, turn, this.#projects, threads, turns)
    this.#drop()
  }

  #drop(): void {
    if (this.#projects.length === 0) return
    this.#projects = []
    this.#instance.call.clear()
  }

  #forget(): void {
    this.#host.forget()
    this.#project = undefined
    this.#origin = undefined
    this.#instance.call.forget()
    this.#instance.call.beginBatch(this.#batch)
  }
}

const isLetter = (byte: number) => byte >= 0x61 && byte <= 0x7a

/** A walker for `block`; undefined where WebAssembly can't be had, so that TypeScript writes all spans. */
export function walkerFor(block: CallBlock): Walker | undefined {
  try {
    return new Walker(block)
  } catch (error) {
    process.emitWarning(
      `Spans are decoded without WebAssembly, which takes many times the CPU: ${String(error)}`,
    )
    return undefined
  }
}

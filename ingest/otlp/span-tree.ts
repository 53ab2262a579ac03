/**
 * The spans of one request as trees: what a span has of its ancestors. A span without a thread is in that of the
 * nearest ancestor that has one, and a turn is the root of its thread, not each span in it; likewise its user. Ancestors
 * in other requests are not known: see `ingest/merge/inheritance.ts`. Works on the rows as they were written, and writes
 * columns anew where something changed.
 */
import { getRandomValues } from 'node:crypto'
import type { CallBlock } from '../../domain/calls/block.js'
import { doubled, type StringColumn } from '../../domain/calls/column.js'
import { repeating } from '../../domain/calls/one-answer.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { TURN } from './call.js'
import { NamedUsers } from './inherited-users.js'
import type { Project } from './projects.js'
import type { Span } from './span.js'

const NONE = -1
/** Rows that there is room for at first, and that room is kept for. */
const ROOM = 1024
const KEPT = 65_536
/** Of spans whose ids lie near each other in the table; a span beyond has no parent. */
const MAX_PROBES = 64
/** Nobody can know which ids lie near each other. */
const SEEDS = getRandomValues(new Int32Array(2))

/** Where the values of a row stand in the request (three ids) and in the columns (two texts). */
const FIELDS = 7
const TRACE = 0
const ID = 1
const PARENT = 2
const THREAD_FROM = 3
const THREAD_TO = 4
const TURN_FROM = 5
const TURN_TO = 6

export class SpanTree {
  #rows = 0
  #offsets = new Int32Array(ROOM * FIELDS)
  #turns = new Uint8Array(ROOM)
  #projects: Project[] = []
  #firstRow = 0
  #threadMark = 0
  #turnMark = 0
  #attributesMark = 0
  #agentMark = 0
  #hasThreads = false
  /** By row, the rows whose thread and turn it has. */
  #thread = new Int32Array(0)
  #turn = new Int32Array(0)

  /** A request's rows begin here. */
  begin({ rows, thread_id, turn_id, attributes, agent_name }: CallBlock): void {
    this.#rows = 0
    if (this.#turns.length > KEPT) {
      this.#turns = new Uint8Array(ROOM)
      this.#offsets = new Int32Array(ROOM * FIELDS)
    }
    this.#projects = []
    this.#hasThreads = false
    this.#firstRow = rows
    this.#threadMark = thread_id.pos
    this.#turnMark = turn_id.pos
    this.#attributesMark = attributes.pos
    this.#agentMark = agent_name.pos
  }

  /** The row that `block` ended last, of `span`. `turn`: one of {@link TURN} */
  add({ thread_id, turn_id }: CallBlock, span: Span, project: Project, turn: number): void {
    const row = this.#rows++
    if (row === this.#turns.length) this.#grow()
    const offsets = this.#offsets
    const at = row * FIELDS
    offsets[at + TRACE] = span.traceId.from
    offsets[at + ID] = span.spanId.from
    offsets[at + PARENT] = span.parentId.from < span.parentId.to ? span.parentId.from : NONE
    offsets[at + THREAD_FROM] = thread_id.pos - thread_id.lastLength
    offsets[at + THREAD_TO] = thread_id.pos
    offsets[at + TURN_FROM] = turn_id.pos - turn_id.lastLength
    offsets[at + TURN_TO] = turn_id.pos
    this.#turns[row] = turn
    this.#projects.push(project)
    if (thread_id.lastLength > 0) this.#hasThreads = true
  }

  /**
   * The rows that a walker appended to `block`, of these projects: by row, where its values stand. Its places in the two
   * columns are counted from where the columns ended before, at `threads` and `turns`.
   */
  addRows(
    places: Int32Array,
    turn: Uint8Array,
    projects: readonly Project[],
    threads: number,
    turns: number,
  ): void {
    for (let i = 0; i < projects.length; i++) {
      const row = this.#rows++
      if (row === this.#turns.length) this.#grow()
      const offsets = this.#offsets
      const at = row * FIELDS
      for (let field = 0; field < THREAD_FROM; field++) offsets[at + field] = places[i * FIELDS + field]!
      for (let field = THREAD_FROM; field < TURN_FROM; field++) {
        offsets[at + field] = places[i * FIELDS + field]! + threads
      }
      for (let field = TURN_FROM; field < FIELDS; field++) {
        offsets[at + field] = places[i * FIELDS + field]! + turns
      }
      this.#turns[row] = turn[i]!
      this.#projects.push(projects[i]!)
      if (offsets[at + THREAD_FROM]! < offsets[at + THREAD_TO]!) this.#hasThreads = true
    }
  }

  /** Gives the rows since `begin` what they have of their ancestors. `buf`: the request that the spans stand in */
  inherit(block: CallBlock, buf: Buffer): void {
    this.#countAnswersOnce(block, buf)
    const named = block.has_user.from(this.#firstRow)
    const hasUsers = named.includes(1)
    if (!this.#hasThreads && !hasUsers) return
    const parents = this.#parents(buf)
    const order = downwards(parents)
    if (this.#hasThreads) this.#threads(block, parents, order)
    if (hasUsers && order.some((row) => named[row] === 0)) {
      const users = new NamedUsers(block.attributes, this.#attributesMark, named)
      if (inherits(users.whose, parents, order)) users.write(block)
    }
    block.noteEnds()
  }

  /** Notes which rows give the usage of an answer that another row counts for. */
  #countAnswersOnce(
    { answer_hash, repeats_usage, started_at, ended_at, agent_name }: CallBlock,
    buf: Buffer,
  ): void {
    const hashes = answer_hash.from(this.#firstRow)
    const first = new Map<number, number>()
    const several = new Map<number, number[]>()
    for (let row = 0; row < hashes.length; row++) {
      const hash = hashes[row]!
      if (hash === 0) continue
      const before = first.get(hash)
      if (before === undefined) {
        first.set(hash, row)
        continue
      }
      const rows = several.get(hash)
      if (rows === undefined) several.set(hash, [before, row])
      else rows.push(row)
    }
    if (several.size === 0) return
    const agents = agent_name.lengthsFrom(this.#agentMark)
    const repeats = repeats_usage.from(this.#firstRow)
    for (const rows of several.values())
      for (const related of this.#byTrace(rows, buf))
        for (const { row } of repeating(
          related.map((row) => ({
            row,
            id: hexAt(buf, this.#offsets[row * FIELDS + ID]!, 8),
            started: started_at.at(this.#firstRow + row),
            ended: ended_at.at(this.#firstRow + row),
            isOfAgent: agents[row]! > 0,
          })),
        ))
          repeats[row] = 1
  }

  #threads(block: CallBlock, parents: Int32Array, order: Int32Array): void {
    const rows = this.#rows
    this.#thread = new Int32Array(rows)
    this.#turn = new Int32Array(rows)
    for (let row = 0; row < rows; row++) {
      this.#thread[row] = this.#hasOwn(row) ? row : NONE
      this.#turn[row] = this.#isTurn(row) ? row : NONE
    }
    let changed = false
    for (const row of order) changed = this.#inherit(row, parents, block.thread_id.buf) || changed
    if (!changed) return
    const texts = (column: StringColumn, mark: number, from: number, to: number, whose: Int32Array) =>
      rewrite(column, this.#firstRow, mark, this.#offsets, whose, from, to)
    texts(block.thread_id, this.#threadMark, THREAD_FROM, THREAD_TO, this.#thread)
    texts(block.turn_id, this.#turnMark, TURN_FROM, TURN_TO, this.#turn)
  }

  /** Gives `row` what its ancestors, which are done, have; returns whether anything is other than it was written. */
  #inherit(row: number, parents: Int32Array, threads: Buffer): boolean {
    const above = parents[row]!
    if (above === NONE || this.#thread[above] === NONE) return false
    const thread = this.#thread[above]!
    const own = this.#hasOwn(row)
    if (own && !this.#isSame(threads, row, thread)) return false
    if (!own) this.#thread[row] = thread
    const takes = this.#turn[above] !== NONE && this.#turns[row] !== TURN.said
    if (takes) this.#turn[row] = this.#turn[above]!
    return takes || !own
  }

  #hasOwn(row: number): boolean {
    return this.#offsets[row * FIELDS + THREAD_FROM]! < this.#offsets[row * FIELDS + THREAD_TO]!
  }

  #isTurn(row: number): boolean {
    return this.#turns[row] === TURN.said || this.#turns[row] === TURN.taken
  }

  #isSame(threads: Buffer, a: number, b: number): boolean {
    const offsets = this.#offsets
    const [fromA, toA] = [offsets[a * FIELDS + THREAD_FROM]!, offsets[a * FIELDS + THREAD_TO]!]
    const [fromB, toB] = [offsets[b * FIELDS + THREAD_FROM]!, offsets[b * FIELDS + THREAD_TO]!]
    return toA - fromA === toB - fromB && threads.compare(threads, fromB, toB, fromA, toA) === 0
  }

  /** By row, the row of its parent, if that is in the same request and project. */
  #parents(buf: Buffer): Int32Array {
    const offsets = this.#offsets
    const rows = this.#rows
    const bits = Math.max(4, 32 - Math.clz32(rows * 2))
    const table = new Int32Array(1 << bits).fill(NONE)
    const mask = table.length - 1
    /** The slot of the span with this id in this row's trace and project, or the free one for it; NONE: neither. */
    const slotOf = (id: number, row: number): number => {
      const mixed = Math.imul(buf.readInt32LE(id) ^ SEEDS[0]!, 0x9e3779b1)
      const hash = Math.imul(((mixed ^ (mixed >>> 15)) + buf.readInt32LE(id + 4)) ^ SEEDS[1]!, 0x85ebca6b)
      let slot = hash >>> (32 - bits)
      for (let probe = 0; probe < MAX_PROBES; probe++) {
        const there = table[slot]!
        if (there === NONE) return slot
        if (isEqual(buf, offsets[there * FIELDS + ID]!, id, 8) && this.#areRelated(buf, there, row))
          return slot
        slot = (slot + 1) & mask
      }
      return NONE
    }
    for (let row = 0; row < rows; row++) {
      const slot = slotOf(offsets[row * FIELDS + ID]!, row)
      if (slot !== NONE) table[slot] = row
    }
    const parents = new Int32Array(rows).fill(NONE)
    for (let row = 0; row < rows; row++) {
      const parent = offsets[row * FIELDS + PARENT]!
      if (parent === NONE) continue
      const before = row === 0 ? NONE : offsets[(row - 1) * FIELDS + PARENT]!
      // Siblings stand side by side.
      if (before !== NONE && isEqual(buf, parent, before, 8) && this.#areRelated(buf, row - 1, row)) {
        parents[row] = parents[row - 1]!
        continue
      }
      const slot = slotOf(parent, row)
      if (slot !== NONE) parents[row] = table[slot]!
    }
    return parents
  }

  /** Rows by the trace and project that they are in. */
  #byTrace(rows: readonly number[], buf: Buffer): number[][] {
    const traceOf = (row: number) =>
      `${this.#projects[row]!.name} ${hexAt(buf, this.#offsets[row * FIELDS + TRACE]!, 16)}`
    return [...groupBy(rows, traceOf).values()]
  }

  #areRelated(buf: Buffer, a: number, b: number): boolean {
    const offsets = this.#offsets
    return (
      this.#projects[a] === this.#projects[b] &&
      isEqual(buf, offsets[a * FIELDS + TRACE]!, offsets[b * FIELDS + TRACE]!, 16)
    )
  }

  #grow(): void {
    this.#offsets = doubled(this.#offsets)
    this.#turns = doubled(this.#turns)
  }
}

/** The rows that have parents, and these, ancestors first. In a circle one of them is. */
function downwards(parents: Int32Array): Int32Array {
  const order = new Int32Array(parents.length)
  const done = new Uint8Array(parents.length)
  const path: number[] = []
  let count = 0
  for (let row = 0; row < parents.length; row++) {
    if (parents[row] === NONE) continue
    for (let at = row; at !== NONE && done[at] === 0; at = parents[at]!) {
      done[at] = 1
      path.push(at)
    }
    while (path.length > 0) order[count++] = path.pop()!
  }
  return order.subarray(0, count)
}

/** Gives rows of which `whose` names none what their parents have; returns whether any was given something. */
function inherits(whose: Int32Array, parents: Int32Array, order: Int32Array): boolean {
  let changed = false
  for (const row of order) {
    const above = parents[row]!
    if (above === NONE || whose[row] !== NONE || whose[above] === NONE) continue
    whose[row] = whose[above]!
    changed = true
  }
  return changed
}

function hexAt(buf: Buffer, from: number, size: number): string {
  return buf.toString('hex', from, from + size)
}

function isEqual(buf: Buffer, a: number, b: number, size: number): boolean {
  if (a === b) return true
  for (let i = 0; i < size; i++) if (buf[a + i] !== buf[b + i]) return false
  return true
}

/** Writes the column anew from `mark` on: each row with the text that the row in `whose` has, or none. */
function rewrite(
  column: StringColumn,
  firstRow: number,
  mark: number,
  offsets: Int32Array,
  whose: Int32Array,
  from: number,
  to: number,
): void {
  const before = Buffer.from(column.buf.subarray(mark, column.pos))
  column.rewind(firstRow, mark)
  for (const row of whose) {
    if (row === NONE) column.unset()
    else column.bytes(before, offsets[row * FIELDS + from]! - mark, offsets[row * FIELDS + to]! - mark)
  }
}

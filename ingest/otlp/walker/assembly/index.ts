/**
 * The walker: spans of one request to rows of calls, without an object or a copy more than needed. It does what
 * `call.ts` does, byte for byte, for nearly all spans; it leaves a span to TypeScript where anything about it is odd,
 * so every refusal and its text are TypeScript's. Knows the wire and the columns' form, no convention: those come as
 * plans. See docs/adr for why.
 */
import { isRecorded, writeByName } from './agent'
import { writeCall } from './call'
import { clearColumns, closeRow, columnEnd, dropRow, setText } from './column'
import { planOf } from './keys'
import * as layout from './layout'
import { clearLeaves, closeLeaves, dropLeaves } from './leaves'
import { murmur2, murmur3 } from './murmur'
import { opOf, refFrom, refTo } from './op'
import { copy, failure, hex, position, UNSUPPORTED, writeTo } from './output'
import { numberOf } from './plan'
import * as span from './span'
import { forgetOrigin, useBlock } from './template'
import { length as threadLength, turn } from './thread'

export { hints } from './hints'
export * from './layout'
export * from './literal'
export { pairs } from './pairs'

/** Beyond this much of the span's text the rows should be taken, so that they are still near. */
const ENOUGH: usize = 384 * 1024

/** What all calls of the moment have in common. */
let project: u32 = 0
let projectFrom: usize = 0
let projectTo: usize = 0
let userTo: usize = layout.USER
let batch: u32 = 0
/** What has to be added to an address in the window, to get a position in the request. */
let shift: i32 = 0

let rows: usize = 0

/** Forgets every plan and op. Their memory is the host's. */
export function forget(): void {
  memory.fill(layout.PLANS, 0, layout.CHAINS * 8)
  useBlock(0)
}

/** Drops all rows. */
export function clear(): void {
  rows = 0
  clearColumns()
  clearLeaves()
  memory.fill(layout.span_indexed, 1, layout.ROWS)
}

/** From now on spans are of this batch and its block. */
export function beginBatch(number: u32): void {
  batch = number
  useBlock(number)
}

/** From now on spans are a user's, whose id of so many bytes stands at USER. */
export function setUser(length: usize): void {
  userTo = layout.USER + length
}

/** From now on spans are of the project numbered `number`, whose id stands at `[from, to)`. */
export function setProject(number: u32, from: usize, to: usize): void {
  project = number
  projectFrom = from
  projectTo = to
}

/** From now on spans are of another scope or resource. */
export function setOrigin(): void {
  forgetOrigin()
}

/** From now on an address in the window is so many bytes before the position in the request. */
export function setShift(bytes: i32): void {
  shift = bytes
}

/** Written, and the rows should be taken before more are. */
const FLUSH: i32 = 3

/** Appends the row of the Span message `[from, to)`. Returns 0 or FLUSH; or why it didn't: UNSUPPORTED or FULL. */
export function write(from: usize, to: usize): i32 {
  dropRow()
  dropLeaves()
  span.readSpan(from, to)
  if (failure() !== 0) return failure()
  const plan = planOf(layout.ATTRIBUTES, span.attributeCount, span.keysHash, true)
  if (failure() !== 0) return failure()
  if (numberOf(plan) < 0 || isRecorded(span.nameFrom, span.nameTo)) return UNSUPPORTED
  writeCall(plan, rows)
  if (failure() !== 0) return failure()
  const op = opOf(project, batch, span.nameFrom, span.nameTo)
  if (op === 0) return failure()
  setText(layout.op_name, refFrom(op), refTo(op))
  writeByName(op)
  setText(layout.project_id, projectFrom, projectTo)
  setText(layout.user_id, layout.USER, userTo)
  if (failure() !== 0 || !closeRow()) return failure()
  closeLeaves(rows)
  noteIdentity()
  notePlaces()
  rows++
  const isEnough = columnEnd(layout.otel_span) - layout.textStart(layout.otel_span) > ENOUGH
  return rows === layout.ROWS || isEnough ? FLUSH : 0
}

/** The hashes of the call's identity: see `ingest/pipeline/id-hash.ts`. */
function noteIdentity(): void {
  writeTo(layout.IDENTITY, layout.IDENTITY + layout.IDENTITY_SIZE)
  copy(projectFrom, projectTo)
  hex(span.spanIdFrom, span.spanIdFrom + 8)
  hex(span.traceIdFrom, span.traceIdFrom + 16)
  store<u32>(layout.HASHES + rows * 8, murmur3(0, layout.IDENTITY, position()))
  store<u32>(layout.HASHES + rows * 8, murmur2(layout.IDENTITY, position()), 4)
}

/** Where the row's ids stand in the request, and thread and turn in their columns: see `ingest/otlp/span-tree.ts`. */
function notePlaces(): void {
  const place = layout.TREE + rows * 28
  store<i32>(place, <i32>span.traceIdFrom + shift)
  store<i32>(place, <i32>span.spanIdFrom + shift, 4)
  store<i32>(place, span.parentIdFrom === 0 ? -1 : <i32>span.parentIdFrom + shift, 8)
  const thread = columnEnd(layout.thread_id) - layout.textStart(layout.thread_id)
  store<u32>(place, thread - threadLength, 12)
  store<u32>(place, thread, 16)
  const turnEnd = columnEnd(layout.turn_id) - layout.textStart(layout.turn_id)
  store<u32>(place, turnEnd - (turn === 1 || turn === 2 ? 16 : 0), 20)
  store<u32>(place, turnEnd, 24)
  store<u8>(layout.TURNS + rows, turn)
}

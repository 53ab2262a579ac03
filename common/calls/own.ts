/**
 * Calls that the service makes itself and that take a while: their start, and later their end. They look like those of
 * any client. Knows nothing of what is called; for calls that are over at once see `record.ts`.
 */
import { bind, ident, join, type Sql, sql } from '../clickhouse/sql.js'
import type { Store } from '../clickhouse/store.js'
import { projectIdOf } from '../ids/project.js'
import { minify } from '../json/minify.js'
import { nowMicros } from '../time/iso.js'
import { CallBlock } from './block.js'
import { Bytes } from './bytes.js'
import { UInt32ArrayColumn } from './column.js'
import { CALL_COLUMNS, columnNames, KIND } from './columns.js'
import { indexJson } from './json-leaves.js'
import { LEAF_LIMIT } from './leaves.js'
import { SPAN_IN_ONE_PIECE } from './otel-span.js'
import { BY_PATCH } from './patch.js'
import { writeJson } from './record.js'

/** A call that has begun. JSON is given as text. */
export interface StartedCall {
  /** `entity/project` */
  project: string
  /** one that no call of the project has yet */
  id: string
  traceId: string
  /** empty: a root */
  parentId?: string
  opName: string
  displayName?: string
  /** µs since the epoch */
  startedAt: number
  inputs: string
  attributes: string
  userId: string
}

/** What is known of a call when it is over. JSON is given as text. */
export interface CallEnd {
  /** µs since the epoch */
  endedAt: number
  output: string
  /** an object without the key `weave`, which is derived */
  summary: string
}

/** The version of a stored call that gets an end. */
export interface Ending {
  /** internal id */
  projectId: string
  id: string
  ver: number
  /** it has no end yet; otherwise its end is replaced */
  open: boolean
}

const OPEN = `calls_open (${columnNames('calls_open').join(', ')})`

/** Resolves when `calls` are stored and are seen running. */
export async function startCalls(store: Store, calls: readonly StartedCall[]): Promise<void> {
  if (calls.length === 0) return
  const block = new CallBlock('calls_open')
  for (const call of calls) addStart(block, call)
  await store.insert(OPEN, 'Native', [block.encode()])
}

function addStart(block: CallBlock, call: StartedCall): void {
  block.project_id.text(projectIdOf(call.project))
  block.id.text(call.id)
  block.trace_id.text(call.traceId)
  block.parent_id.text(call.parentId ?? '')
  block.op_name.text(call.opName)
  block.display_name.text(call.displayName ?? '')
  block.started_at.number(call.startedAt)
  block.user_id.text(call.userId)
  block.kind.int(KIND.start)
  block.ver.number(nowMicros())
  writeJson(block, 'inputs', call.inputs, true)
  writeJson(block, 'attributes', call.attributes, true)
  block.endRow()
}

/**
 * Ends a call: its whole row is written, then what it replaces is taken away. Whoever reads in between takes the newer
 * of the two. The caller sees to it that nobody else ends the same call.
 */
export async function endCall(store: Store, call: Ending, end: CallEnd): Promise<void> {
  const output = Buffer.from(minify(Buffer.from(end.output)))
  const ver = Math.max(nowMicros(), call.ver + 1)
  await store.run(wholeOf(call, { ...end, output: output.toString() }, leavesOf(output), ver))
  const table = call.open ? 'calls_open' : 'calls'
  await store.run(sql`DELETE FROM ${store.mutable(table)} WHERE ${exactly(call)}`, { settings: BY_PATCH })
}

function exactly({ projectId, id, ver, open }: Ending): Sql {
  const kind = open ? sql` AND kind = 'start'` : sql``
  return sql`project_id = ${bind.string(projectId)} AND id = ${bind.string(id)} AND ver = ${bind.uint(ver)}${kind}`
}

/** INSERT of the whole call. */
export function wholeOf(call: Ending, end: CallEnd, leaves: readonly number[], ver: number): Sql {
  const limit = bind.uint(LEAF_LIMIT)
  const output = bind.string(end.output)
  const all = sql`arrayDistinct(arrayConcat(leaves, ${bind.hashes(leaves)}))`
  const instead: Partial<Record<string, Sql>> = {
    ...SPAN_IN_ONE_PIECE,
    ended_at: sql`fromUnixTimestamp64Micro(${bind.time(end.endedAt)}, 'UTC')`,
    output: sql`${output}`,
    summary: sql`${bind.string(end.summary)}`,
    leaves: sql`if(length(${all}) > ${limit}, arrayPushBack(arraySlice(${all}, 1, ${limit} - 1), toUInt32(0)), ${all})`,
    bytes: sql`length(inputs) + length(${output}) + length(attributes) + length(${bind.string(end.summary)})`,
    ver: sql`${bind.uint(ver)}`,
  }
  const names = CALL_COLUMNS.map(([name]) => name)
  const values = names.map((name) => instead[name] ?? ident(name))
  const from = call.open ? sql`calls_open` : sql`calls`
  return sql`INSERT INTO calls (${join(names.map(ident), sql`, `)})
    SELECT ${join(values, sql`, `)} FROM ${from} WHERE ${exactly(call)} LIMIT 1`
}

function leavesOf(output: Uint8Array): number[] {
  const column = new UInt32ArrayColumn()
  indexJson(column, 'output', output, 0, output.length)
  column.end()
  const bytes = new Bytes(column.byteLength)
  column.write(bytes)
  // One value: its end as 64 bits, then the elements.
  return Array.from({ length: (bytes.pos - 8) / 4 }, (_, i) => bytes.buf.readUInt32LE(8 + i * 4))
}

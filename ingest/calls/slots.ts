/**
 * The fields of a call as clients write them: a number for each, found from the bytes of its name, and what each of
 * the three ways to write a call (start, end, whole) wants of them. Knows no values.
 */
import { unescapedAt } from '../../common/json/text.js'

/** One number a field; both names of a field share it. */
export const SLOT = {
  project_id: 0,
  id: 1,
  trace_id: 2,
  parent_id: 3,
  thread_id: 4,
  turn_id: 5,
  op_name: 6,
  display_name: 7,
  started_at: 8,
  ended_at: 9,
  exception: 10,
  inputs: 11,
  output: 12,
  attributes: 13,
  summary: 14,
  otel_dump: 15,
  platform_user_id: 16,
  platform_run_id: 17,
  platform_run_step: 18,
  platform_run_step_end: 19,
  is_eval: 20,
} as const

type SlotName = keyof typeof SLOT
export type Slot = (typeof SLOT)[SlotName]
export const SLOT_COUNT = 21

/** The published clients' names of fields that have a neutral one. */
const ALIASES: Readonly<Record<string, SlotName>> = {
  wb_user_id: 'platform_user_id',
  wb_run_id: 'platform_run_id',
  wb_run_step: 'platform_run_step',
  wb_run_step_end: 'platform_run_step_end',
}

/** Added to a slot that was found by its alias. */
export const BY_ALIAS = 32

/** No field of ours has this name. */
export const NO_SLOT = -1

interface Name {
  readonly bytes: Buffer
  readonly slot: number
}

const byName = new Map<string, number>([
  ...Object.entries(SLOT),
  ...Object.entries(ALIASES).map(([alias, name]): [string, number] => [alias, SLOT[name] + BY_ALIAS]),
])

/** Names by their length and first and last byte, which tells all but a few of them apart. */
const buckets: Name[][] = Array.from({ length: 1024 }, () => [])
for (const [name, slot] of byName) {
  const bytes = Buffer.from(name)
  buckets[bucketOf(bytes, 0, bytes.length)]!.push({ bytes, slot })
}

function bucketOf(buf: Uint8Array, from: number, to: number): number {
  return ((to - from) * 73 + buf[from]! * 5 + buf[to - 1]! * 11) & 1023
}

/** The slot (perhaps plus {@link BY_ALIAS}) of the key with the bytes `[from, to)`, or {@link NO_SLOT}. */
export function slotOf(buf: Uint8Array, from: number, to: number, escaped: boolean): number {
  if (escaped) return byName.get(unescapedAt(buf, from, to)) ?? NO_SLOT
  if (to === from) return NO_SLOT
  const names = buckets[bucketOf(buf, from, to)]!
  for (let i = 0; i < names.length; i++) {
    const { bytes, slot } = names[i]!
    if (bytes.length !== to - from) continue
    let p = 0
    while (p < bytes.length && bytes[p] === buf[from + p]) p++
    if (p === bytes.length) return slot
  }
  return NO_SLOT
}

/** What may stand in a field. `unset` kinds may also be null, missing, or (texts and ids) empty. */
type FieldKind =
  | 'project'
  | 'id'
  | 'idOrUnset'
  | 'threadIdOrUnset'
  | 'runIdOrUnset'
  | 'opName'
  | 'displayName'
  | 'text'
  | 'time'
  | 'timeOrUnset'
  | 'object'
  | 'objectOrUnset'
  | 'summary'
  | 'integer'
  | 'boolean'
  | 'any'

/** Id of its own if the client sent one, else the server makes it. */
export type Rule = readonly [SlotName, FieldKind | 'idOrMade']

const startSide = [
  ['project_id', 'project'],
  ['op_name', 'opName'],
  ['display_name', 'displayName'],
  ['parent_id', 'idOrUnset'],
  ['thread_id', 'threadIdOrUnset'],
  ['turn_id', 'idOrUnset'],
  ['started_at', 'time'],
  ['attributes', 'object'],
  ['inputs', 'object'],
  ['otel_dump', 'objectOrUnset'],
  ['platform_user_id', 'text'],
  ['platform_run_id', 'runIdOrUnset'],
  ['platform_run_step', 'integer'],
] as const satisfies readonly Rule[]

const endSide = [
  ['ended_at', 'time'],
  ['exception', 'text'],
  ['output', 'any'],
  ['summary', 'summary'],
  ['platform_run_step_end', 'integer'],
] as const satisfies readonly Rule[]

/** Which way a call was written. */
export type HalfKind = 'start' | 'end' | 'whole'

export const RULES: Readonly<Record<HalfKind, readonly Rule[]>> = {
  start: [['id', 'idOrMade'], ['trace_id', 'idOrMade'], ...startSide],
  end: [
    ['project_id', 'project'],
    ['id', 'id'],
    ['trace_id', 'idOrUnset'],
    ['is_eval', 'boolean'],
    ['started_at', 'timeOrUnset'],
    ...endSide,
  ],
  whole: [['id', 'id'], ['trace_id', 'id'], ...startSide, ...endSide],
}

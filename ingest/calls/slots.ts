/**
 * The fields of a call as clients write them: a number for each, found from the bytes of its name, and what each of
 * the three ways to write a call (start, end, whole) wants of them.
 */

import { clientName } from '../../contract/aliases.js'
import { CALL_COLUMNS, type HalfKind, type InputField, type InputKind } from '../../domain/calls/schema.js'
import { unescapedAt } from '../../platform/json/text.js'

type SlotName = InputField | 'is_eval'
export type Slot = number

interface Input {
  readonly inputName: SlotName
  readonly half: 'start' | 'end' | 'both'
  readonly input?: InputKind | Readonly<Partial<Record<HalfKind, InputKind>>>
}

const INPUTS: readonly Input[] = [
  ...CALL_COLUMNS.filter(({ input }) => input !== undefined),
  // Checked, and stored nowhere.
  { inputName: 'is_eval', half: 'end', input: { end: 'boolean' } },
]
const NAMES = INPUTS.map(({ inputName }) => inputName)

/** One number a field; both names of a field share it. */
export const SLOT = Object.fromEntries(NAMES.map((name, slot) => [name, slot])) as Record<SlotName, Slot>
export const SLOT_COUNT = NAMES.length

/** Added to a slot that was found by its alias. */
export const BY_ALIAS = 32

/** No field of ours has this name. */
export const NO_SLOT = -1

interface Name {
  readonly bytes: Buffer
  readonly slot: number
}

const byName = new Map<string, number>([
  ...NAMES.map((name): [string, number] => [clientName(name), SLOT[name] + BY_ALIAS]),
  ...NAMES.map((name): [string, number] => [name, SLOT[name]]),
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

/** What may stand in a field. */
export interface Rule {
  readonly name: SlotName
  readonly kind: InputKind
  readonly slot: Slot
}

function rulesOf(way: HalfKind): Rule[] {
  return INPUTS.flatMap(({ inputName: name, input, half }) => {
    const kind = typeof input === 'object' ? input[way] : way === 'whole' || way === half ? input : undefined
    return kind === undefined ? [] : [{ name, kind, slot: SLOT[name] }]
  })
}

/** The rules of each way to write a call. */
export const RULES: Readonly<Record<HalfKind, readonly Rule[]>> = {
  start: rulesOf('start'),
  end: rulesOf('end'),
  whole: rulesOf('whole'),
}

/**
 * Checks one call object against the rules of its kind and keeps what had to be read on the way (ids, times, steps).
 * The schemas in `contract/calls-write.ts` say the same in zod; a test holds the two together.
 */
import {
  DISPLAY_NAME_LIMIT,
  ID_LIMIT,
  isId,
  isOpName,
  isWithin,
  OP_NAME_LIMIT,
  RUN_ID_LIMIT,
  THREAD_ID_LIMIT,
} from '../../contract/limits.js'
import type { HalfKind, InputKind } from '../../domain/calls/schema.js'
import { isProjectName } from '../../platform/ids/project.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { integerAt } from '../../platform/json/text.js'
import { isStorableTime, microsAt, microsOf } from '../../platform/time/micros.js'
import { ESCAPES, type Half } from './half.js'
import { RULES, type Rule, SLOT, type Slot } from './slots.js'
import { checkSummary } from './summary.js'
import type { Violations } from './violations.js'

const QUOTE = 0x22
const OPEN_OBJECT = 0x7b

/** Checks `half` as a call written in the way `kind`. @returns true if nothing is wrong with it */
export function check(half: Half, kind: HalfKind, violations: Violations): boolean {
  half.kind = kind
  const before = violations.list.length
  for (const rule of RULES[kind]) checkField(half, rule, violations)
  if (violations.list.length > before) return false
  half.id = half.unset(SLOT.id) ? uuid7() : half.text(SLOT.id)
  if (kind === 'start' && half.unset(SLOT.trace_id)) half.madeTraceId = uuid7()
  return true
}

/** The project of the call before: mostly the same. */
let goodProject = ''

function checkField(half: Half, { name, kind, slot }: Rule, violations: Violations): void {
  if (half.unset(slot)) {
    if (!mayBeUnset(kind)) {
      if (half.from(slot) < 0) violations.missing(name)
      else violations.add([name], TYPES[kind][0], TYPES[kind][1])
    }
    return
  }
  if (kind === 'any') return
  const first = half.first(slot)
  if (kind === 'object' || kind === 'objectOrUnset') {
    if (first !== OPEN_OBJECT) violations.notObject(name)
  } else if (kind === 'summary') {
    if (first !== OPEN_OBJECT) violations.notObject(name)
    else checkSummary(half, violations)
  } else if (kind === 'integer') {
    if (!takeInteger(half, slot)) violations.add([name], ...TYPES.integer)
  } else if (kind === 'boolean') {
    if (first !== 0x74 && first !== 0x66) violations.add([name], ...TYPES.boolean)
  } else if (first !== QUOTE) {
    violations.add([name], ...(kind === 'time' || kind === 'timeOrUnset' ? TYPES.time : STRING))
  } else checkString(half, name, kind, slot, violations)
}

type StringKind = Exclude<InputKind, 'any' | 'object' | 'objectOrUnset' | 'summary' | 'integer' | 'boolean'>

function checkString(half: Half, name: string, kind: StringKind, slot: Slot, violations: Violations): void {
  switch (kind) {
    case 'text':
      return
    case 'time':
    case 'timeOrUnset':
      if (!takeTime(half, slot)) violations.add([name], ...TYPES.time)
      return
    case 'project':
      half.project = half.text(slot)
      if (half.project === goodProject) return
      if (isProjectName(half.project)) goodProject = half.project
      else violations.add([name], ...TYPES.project)
      return
    case 'opName':
      if (!isPlain(half, slot, OP_NAME_LIMIT) && !isOpName(half.text(slot)))
        violations.add([name], ...TYPES.opName)
      return
    case 'displayName':
      if (!isPlain(half, slot, DISPLAY_NAME_LIMIT) && !isWithin(half.text(slot), DISPLAY_NAME_LIMIT)) {
        violations.add([name], ...TYPES.displayName)
      }
      return
    default: {
      const limit =
        kind === 'threadIdOrUnset' ? THREAD_ID_LIMIT : kind === 'runIdOrUnset' ? RUN_ID_LIMIT : ID_LIMIT
      const empty = half.to(slot) - half.from(slot) === 2
      const fine = empty ? mayBeEmpty(kind) : isPlain(half, slot, limit) || isId(half.text(slot), limit)
      if (!fine)
        violations.add(
          [name],
          'string_id',
          `Should be 1 to ${limit} characters, none of them a control character`,
        )
    }
  }
}

function mayBeUnset(kind: InputKind): boolean {
  return !(
    kind === 'project' ||
    kind === 'id' ||
    kind === 'opName' ||
    kind === 'time' ||
    kind === 'object' ||
    kind === 'summary'
  )
}

function mayBeEmpty(kind: StringKind): boolean {
  return kind !== 'id' && kind !== 'idOrMade'
}

/** A string of ordinary ASCII within `limit` that is no ref: fine as any id or name, without making it a string. */
function isPlain(half: Half, slot: Slot, limit: number): boolean {
  const { buf } = half
  const from = half.from(slot) + 1
  const to = half.to(slot) - 1
  if (to - from > limit || half.flags(slot) & ESCAPES) return false
  if (slot === SLOT.op_name && buf[from + 5] === 0x3a) return false
  for (let p = from; p < to; p++) if (buf[p]! > 0x7e) return false
  return true
}

function takeTime(half: Half, slot: Slot): boolean {
  const micros =
    half.flags(slot) & ESCAPES
      ? microsOf(half.text(slot))
      : microsAt(half.buf, half.from(slot) + 1, half.to(slot) - 1)
  if (!isStorableTime(micros)) return false
  half.takeNumber(slot, micros)
  return true
}

function takeInteger(half: Half, slot: Slot): boolean {
  const number = integerAt(half.buf, half.from(slot), half.to(slot))
  if (number === undefined) return false
  half.takeNumber(slot, number)
  return true
}

const STRING = ['string_type', 'Should be a string'] as const

/** What to say of a value that is wrong for a kind: the error's type and its message. */
const TYPES: Readonly<Record<InputKind, readonly [string, string]>> = {
  project: ['project_id', 'Should be a project, written entity/project'],
  id: STRING,
  idOrMade: STRING,
  idOrUnset: STRING,
  threadIdOrUnset: STRING,
  runIdOrUnset: STRING,
  text: STRING,
  any: STRING,
  opName: ['op_name', `Should be a name of at most ${OP_NAME_LIMIT} characters or the ref of an op`],
  displayName: ['string_too_long', `Should be at most ${DISPLAY_NAME_LIMIT} characters`],
  time: ['datetime_type', 'Should be an ISO 8601 time between 1970 and 2255'],
  timeOrUnset: ['datetime_type', 'Should be an ISO 8601 time between 1970 and 2255'],
  object: ['dict_type', 'Should be an object'],
  objectOrUnset: ['dict_type', 'Should be an object'],
  summary: ['dict_type', 'Should be an object'],
  integer: ['int_type', 'Should be a whole number of at most 2^53'],
  boolean: ['bool_type', 'Should be true or false'],
}

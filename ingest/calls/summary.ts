/**
 * A call's summary: checks the two parts of it that have a shape, reads the count of failed descendants, and writes
 * it without the key that is derived at read time.
 */
import type { Bytes } from '../../common/calls/bytes.js'
import { eachField } from '../../common/json/fields.js'
import { minifyInto } from '../../common/json/minify.js'
import { Notes, type Slice, scanValue } from '../../common/json/scan.js'
import { equalsAscii, integerAt, unescapedAt } from '../../common/json/text.js'
import type { Half } from './half.js'
import { SLOT } from './slots.js'
import type { Violations } from './violations.js'

const OPEN_OBJECT = 0x7b
const COMMA = 0x2c
const DERIVED = 'weave'
const UINT32_MAX = 4_294_967_295

const STATUSES = new Set(['success', 'error', 'running', 'descendant_error'])
const TOKEN_KEYS = new Set([
  'prompt_tokens',
  'input_tokens',
  'completion_tokens',
  'output_tokens',
  'requests',
  'total_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
])

const notes = new Notes()

/** Checks the summary of `half`, which must be an object. */
export function checkSummary(half: Half, violations: Violations): void {
  const { buf } = half
  let usage = -1
  let counts = -1
  let errors = 0
  fieldsAt(buf, half.from[SLOT.summary]!, (key, from) => {
    if (key === 'usage') usage = from
    else if (key === 'status_counts') counts = from
    else if (key === DERIVED) half.summaryHasWeave = true
  })
  if (usage >= 0) checkUsage(buf, usage, violations)
  if (counts >= 0) errors = checkCounts(buf, counts, violations)
  half.descendantErrors = Math.min(Math.max(errors, 0), UINT32_MAX)
}

function checkUsage(buf: Uint8Array, at: number, violations: Violations): void {
  if (buf[at] !== OPEN_OBJECT) {
    violations.notObject('summary', 'usage')
    return
  }
  for (const [model, slice] of lastFields(buf, at)) {
    if (buf[slice.from] !== OPEN_OBJECT) {
      violations.notObject('summary', 'usage', model)
      continue
    }
    for (const [key, { from, to }] of lastFields(buf, slice.from)) {
      if (!TOKEN_KEYS.has(key) || buf[from] === 0x6e || integerAt(buf, from, to) !== undefined) continue
      violations.add(['summary', 'usage', model, key], 'int_type', 'Should be a whole number or null')
    }
  }
}

/** Returns the count of errors. */
function checkCounts(buf: Uint8Array, at: number, violations: Violations): number {
  let errors = 0
  if (buf[at] !== OPEN_OBJECT) {
    violations.notObject('summary', 'status_counts')
    return errors
  }
  for (const [status, { from, to }] of lastFields(buf, at)) {
    const count = integerAt(buf, from, to)
    if (!STATUSES.has(status)) {
      violations.add(
        ['summary', 'status_counts', status],
        'enum',
        `Should be one of ${[...STATUSES].join(', ')}`,
      )
    } else if (count === undefined) {
      violations.add(['summary', 'status_counts', status], 'int_type', 'Should be a whole number')
    } else if (status === 'error') errors = count
  }
  return errors
}

/** Appends the summary of `half` in its stored form, without what is derived at read time. */
export function writeSummary(out: Bytes, half: Half): void {
  const { buf } = half
  const at = half.from[SLOT.summary]!
  out.reserve(half.to[SLOT.summary]! - at)
  out.byte(OPEN_OBJECT)
  let first = true
  eachField(buf, at, notes, (keyFrom, keyTo, escaped, from) => {
    const to = scanValue(buf, from, notes)
    if (isDerived(buf, keyFrom, keyTo, escaped)) return to
    if (!first) out.byte(COMMA)
    first = false
    out.pos = minifyInto(buf, keyFrom - 1, to, out.buf, out.pos)
    return to
  })
  out.byte(OPEN_OBJECT + 2)
}

function isDerived(buf: Uint8Array, from: number, to: number, escaped: boolean): boolean {
  return escaped ? unescapedAt(buf, from, to) === DERIVED : equalsAscii(buf, from, to, DERIVED)
}

/** Calls `see` with each key of the object at `at` and where its value starts. */
function fieldsAt(buf: Uint8Array, at: number, see: (key: string, from: number, to: number) => void): void {
  eachField(buf, at, notes, (keyFrom, keyTo, _escaped, from) => {
    const to = scanValue(buf, from, notes)
    see(unescapedAt(buf, keyFrom, keyTo), from, to)
    return to
  })
}

/** The fields of the object at `at`; of equal keys the last. */
function lastFields(buf: Uint8Array, at: number): Map<string, Slice> {
  const fields = new Map<string, Slice>()
  fieldsAt(buf, at, (key, from, to) => fields.set(key, { from, to }))
  return fields
}

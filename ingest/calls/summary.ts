/**
 * A call's summary: checks the two parts of it that have a shape, reads the count of failed descendants, and writes
 * it without the key that is derived at read time.
 */

import { SENT_NAMES } from '../../contract/usage-counts.js'
import { microsToFirstToken } from '../../domain/calls/labels.js'
import type { Bytes } from '../../platform/bytes/bytes.js'
import { eachField, lookup } from '../../platform/json/fields.js'
import { minifyInto } from '../../platform/json/minify.js'
import { Notes, type Slice, scanValue } from '../../platform/json/scan.js'
import { equalsAscii, integerAt, unescapedAt, utf8At } from '../../platform/json/text.js'
import type { Half } from './half.js'
import { SLOT } from './slots.js'
import type { Violations } from './violations.js'

const OPEN_OBJECT = 0x7b
const COMMA = 0x2c
const DERIVED = 'weave'
const FIRST_TOKEN_MS = 'time_to_first_token_ms'
const UINT32_MAX = 4_294_967_295

const STATUSES = new Set(['success', 'error', 'running', 'descendant_error'])
const TOKEN_KEYS = new Set<string>(SENT_NAMES)

const notes = new Notes()

/** Checks the summary of `half`, which must be an object. */
export function checkSummary(half: Half, violations: Violations): void {
  const { buf } = half
  half.descendantErrors = 0
  half.firstToken = 0
  eachField(buf, half.from(SLOT.summary), notes, (keyFrom, keyTo, escaped, at) => {
    if (isKey(buf, keyFrom, keyTo, escaped, 'usage')) return checkUsage(buf, at, violations)
    if (isKey(buf, keyFrom, keyTo, escaped, 'status_counts')) return checkCounts(half, at, violations)
    const to = scanValue(buf, at, notes)
    if (isKey(buf, keyFrom, keyTo, escaped, FIRST_TOKEN_MS)) half.firstToken = millisAt(buf, { from: at, to })
    if (isKey(buf, keyFrom, keyTo, escaped, DERIVED)) {
      half.summaryHasWeave = true
      // As lines have it: calls that were exported and come back.
      half.firstToken ||= millisAt(buf, lookup(buf, { from: at, to }, [FIRST_TOKEN_MS]))
    }
    return to
  })
}

/** The number of ms at `slice`, in µs; 0 if it is none. */
function millisAt(buf: Uint8Array, slice: Slice | undefined): number {
  return slice === undefined ? 0 : microsToFirstToken(utf8At(buf, slice.from, slice.to), 'milliseconds', 0)
}

/** Checks the value at `at` as `usage`; returns the offset after it. */
function checkUsage(buf: Uint8Array, at: number, violations: Violations): number {
  if (buf[at] !== OPEN_OBJECT) {
    violations.notObject('summary', 'usage')
    return scanValue(buf, at, notes)
  }
  return eachField(buf, at, notes, (modelFrom, modelTo, _escaped, usage) => {
    if (buf[usage] !== OPEN_OBJECT) {
      violations.notObject('summary', 'usage', unescapedAt(buf, modelFrom, modelTo))
      return scanValue(buf, usage, notes)
    }
    return eachField(buf, usage, notes, (keyFrom, keyTo, _escaped, from) => {
      const to = scanValue(buf, from, notes)
      if (buf[from] === 0x6e || integerAt(buf, from, to) !== undefined) return to
      const key = unescapedAt(buf, keyFrom, keyTo)
      if (TOKEN_KEYS.has(key)) {
        const place = ['summary', 'usage', unescapedAt(buf, modelFrom, modelTo), key]
        violations.add(place, 'int_type', 'Should be a whole number or null')
      }
      return to
    })
  })
}

/** Checks the value at `at` as `status_counts` and takes the count of errors; returns the offset after it. */
function checkCounts(half: Half, at: number, violations: Violations): number {
  const { buf } = half
  if (buf[at] !== OPEN_OBJECT) {
    violations.notObject('summary', 'status_counts')
    return scanValue(buf, at, notes)
  }
  return eachField(buf, at, notes, (keyFrom, keyTo, _escaped, from) => {
    const to = scanValue(buf, from, notes)
    const status = unescapedAt(buf, keyFrom, keyTo)
    const count = integerAt(buf, from, to)
    if (!STATUSES.has(status)) {
      const message = `Should be one of ${[...STATUSES].join(', ')}`
      violations.add(['summary', 'status_counts', status], 'enum', message)
    } else if (count === undefined) {
      violations.add(['summary', 'status_counts', status], 'int_type', 'Should be a whole number')
    } else if (status === 'error') half.descendantErrors = Math.min(Math.max(count, 0), UINT32_MAX)
    return to
  })
}

/** Appends the summary of `half` in its stored form, without what is derived at read time. */
export function writeSummary(out: Bytes, half: Half): void {
  const { buf } = half
  const at = half.from(SLOT.summary)
  out.reserve(half.to(SLOT.summary) - at)
  out.byte(OPEN_OBJECT)
  let first = true
  eachField(buf, at, notes, (keyFrom, keyTo, escaped, from) => {
    const to = scanValue(buf, from, notes)
    if (isKey(buf, keyFrom, keyTo, escaped, DERIVED)) return to
    if (!first) out.byte(COMMA)
    first = false
    out.pos = minifyInto(buf, keyFrom - 1, to, out.buf, out.pos)
    return to
  })
  out.byte(OPEN_OBJECT + 2)
}

function isKey(buf: Uint8Array, from: number, to: number, escaped: boolean, name: string): boolean {
  return escaped ? unescapedAt(buf, from, to) === name : equalsAscii(buf, from, to, name)
}

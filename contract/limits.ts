/** Limits of the names and ids of calls, for every source. Lengths are in characters, not bytes or UTF-16 units. */
import { namePattern } from '../platform/ids/project.js'

export const ID_LIMIT = 128
export const THREAD_ID_LIMIT = 256
export const RUN_ID_LIMIT = 256
export const OP_NAME_LIMIT = 128
export const OBJECT_ID_LIMIT = 128
export const DISPLAY_NAME_LIMIT = 1024
const REF_LIMIT = 2048

/** The names that objects can have. */
export const OBJECT_ID = new RegExp(`^[\\p{L}\\p{N}_.-]{1,${OBJECT_ID_LIMIT}}$`, 'u')

const PART = namePattern()
const OP_REF = new RegExp(`^weave:///${PART}/${PART}/op/[^/:\\s]+:[^/:\\s]+$`)

/** True if `text` has at most `limit` characters. */
export function isWithin(text: string, limit: number): boolean {
  if (text.length <= limit) return true
  if (text.length > limit * 2) return false
  let count = 0
  for (const _ of text) count++
  return count <= limit
}

/** True for the id of a call, trace, thread or run: not empty, no control characters, within `limit`. */
export function isId(text: string, limit = ID_LIMIT): boolean {
  return text !== '' && isWithin(text, limit) && !hasControl(text)
}

/** True for an op name: a plain name, or a ref `weave:///entity/project/op/name:version`. */
export function isOpName(text: string): boolean {
  if (text.startsWith('weave:///')) return text.length <= REF_LIMIT && OP_REF.test(text)
  return isWithin(text, OP_NAME_LIMIT)
}

function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x20 || unit === 0x7f) return true
  }
  return false
}

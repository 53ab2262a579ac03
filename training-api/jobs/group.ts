/** Checks a trajectory group and makes the stored line. Pure. */
import { isUtf8 } from 'node:buffer'
import { groupFault } from '../../domain/training/trajectories.js'
import { bufferOf } from '../../platform/bytes/buffer-of.js'
import { invalid } from './problems.js'

/** The field that holds the groups. */
export const GROUPS = 'trajectory_groups'

/** One group of a body. */
export interface GroupPart {
  /** its JSON */
  bytes: Uint8Array
  index: number
  /** the group is trained on, so it must pass the checks for that */
  trained: boolean
}

/** The group as JSON text without line breaks. @throws 422 with the place */
export function groupLine({ bytes, index, trained }: GroupPart): string {
  const value = parsed(bytes, [GROUPS, index])
  const fault = groupFault(value, trained)
  if (fault) throw invalid([GROUPS, index, ...fault.path], fault.message)
  return JSON.stringify(value)
}

/** @throws 422 with the place; NaN and Infinity are named, as they are not JSON */
export function parsed(bytes: Uint8Array, path: (string | number)[]): unknown {
  if (!isUtf8(bytes)) throw invalid(path, 'Should be UTF-8')
  const text = bufferOf(bytes).toString('utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    const odd = /[:[,]\s*(-?(?:NaN|Infinity))\b/.exec(text)?.[1]
    const why = odd === undefined ? (error as Error).message : `${odd} is not a JSON number`
    throw invalid(path, `Should be JSON: ${why}`)
  }
}

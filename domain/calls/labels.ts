/** What clients say of where and by what a call was made, and how long the first part of its answer took. Pure. */
import { microsOf } from '../../platform/time/micros.js'
import type { TimeUnit } from '../conventions/table.js'

/** Longer labels are cut. */
export const MAX_LABEL = 512

/** About 71 minutes. */
const MAX = 2 ** 32 - 1
const NUMBER = /^\d{1,15}(\.\d+)?(e[+-]?\d{1,2})?$/i

/**
 * µs from the start of a call until the first part of its answer; 0 if `text` doesn't say it.
 * @param started µs since the epoch
 */
export function microsToFirstToken(
  text: string | undefined,
  unit: TimeUnit | undefined,
  started: number,
): number {
  if (text === undefined) return 0
  const micros =
    unit === 'moment' ? momentOf(text) - started : numberOf(text) * (unit === 'seconds' ? 1e6 : 1e3)
  return micros > 0 ? Math.min(Math.round(micros), MAX) : 0
}

/** Langfuse's SDKs write the time as JSON text. */
function momentOf(text: string): number {
  return microsOf(text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text)
}

function numberOf(text: string): number {
  return NUMBER.test(text) ? Number(text) : Number.NaN
}

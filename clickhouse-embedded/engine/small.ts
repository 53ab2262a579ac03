/**
 * Remembers which texts give small results, so that they can be made whole, which costs half of a stream. Callers send
 * the same few texts with other parameters each time. Pure; a guess, to be guarded by `limits`.
 */
import { Lru } from '../../platform/lru/lru.js'
import type { Job, Outcome } from './protocol.js'

const knownTexts = 1000
const maxText = 16_384
const maxValues = 65_536
/** A result up to here makes the next one of the same text be expected small. */
const smallBytes = 128 * 1024
const smallRows = 500
/** A text that sets limits of its own might say what comes beyond them, and when. */
const ownLimits = /max_result|overflow_mode|readonly|profile/i

/** What ends a statement that turns out not to be small (code {@link tooLarge}), and spares it threads for a few rows. */
export const limits: [name: string, value: string][] = [
  ['max_result_bytes', String(2 * 1024 * 1024)],
  ['max_result_rows', '2000'],
  ['output_format_parallel_formatting', '0'],
]
export const tooLarge = 396

/** True where a job's text and values are so short that handing them to the engine takes no time. */
export function isBrief(job: Job): boolean {
  if (job.sql.length > maxText) return false
  let length = 0
  for (const [name, value] of job.params) length += name.length + value.length
  for (const [name, value] of job.settings) length += name.length + value.length
  return length <= maxValues
}

export class SmallResults {
  readonly #isSmall = new Lru<boolean>(knownTexts)

  /** True if the last results of the job's text were small, and it may be run whole. */
  expects(job: Job): boolean {
    return this.#isSmall.get(key(job)) === true && mayBeWhole(job)
  }

  /** Takes note of a streamed result that has ended. A text that has once had a large one stays so. */
  ended(job: Job, { resultBytes, resultRows }: Outcome): void {
    if (!mayBeWhole(job)) return
    const isSmall = resultBytes <= smallBytes && resultRows <= smallRows
    if (isSmall && this.#isSmall.has(key(job))) return
    this.#isSmall.set(key(job), isSmall)
  }

  /** Takes note of a result that was expected small and was not. */
  exceeded(job: Job): void {
    this.#isSmall.set(key(job), false)
  }
}

function mayBeWhole(job: Job): boolean {
  if (job.mode !== 'stream' || !isBrief(job) || ownLimits.test(job.sql)) return false
  return !job.settings.some(([name]) => ownLimits.test(name))
}

function key(job: Job): string {
  return `${job.format}\n${job.sql}`
}

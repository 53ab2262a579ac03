/** Decides whether a line that got no answer is asked again, and when. Knows no lines. */
import { HeddleError } from '../../platform/errors/error.js'

const FIRST_MS = 250
const LONGEST_MS = 30_000
/** A line that fails for no reason of its own is asked so often. */
const MOST_TRIES = 3

/** True if the same request may succeed later: limits, and parts of the service that are away. */
export function mayPass(error: unknown): boolean {
  return error instanceof HeddleError && (error.status === 429 || error.status === 503)
}

/** The tries of one line. */
export class Tries {
  private waitMs = FIRST_MS
  private failures = 0

  /** How many ms to wait before the next try; undefined: the error is the result. */
  after(error: unknown): number | undefined {
    if (!mayPass(error) && (isFinal(error) || ++this.failures === MOST_TRIES)) return undefined
    const wait = this.waitMs
    this.waitMs = Math.min(wait * 2, LONGEST_MS)
    // Lines that failed together are not asked together.
    return wait * (0.5 + Math.random())
  }
}

/** The request is wrong, or it ends engines. */
function isFinal(error: unknown): boolean {
  return error instanceof HeddleError && (error.status < 500 || error.code === 'POISON')
}

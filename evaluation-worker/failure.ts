/** The failures of a row, and of a whole run. */

import type { UsageCounts } from '../domain/providers/usage.js'

/** The most characters of a model's answer that an error keeps. */
const RAW_LETTERS = 10_000

/** A failure of one row, or of a model or scorer on it; other rows go on. */
export class RowFailure extends Error {
  override readonly name = 'RowFailure'
  /** of the answers that were paid for before it failed, by model */
  usage: Record<string, UsageCounts> = {}

  /**
   * @param code stable
   * @param message one sentence, without secrets
   * @param raw the model's answer
   * @param unreached the model could not be reached, so that the failure says nothing about the row
   */
  constructor(
    readonly code: string,
    message: string,
    readonly raw?: string,
    readonly unreached = false,
  ) {
    super(message)
  }

  /** The text of the call's exception. */
  get exception(): string {
    const answer = this.raw === undefined ? '' : `\nIt said: ${this.raw.slice(0, RAW_LETTERS)}`
    return `${this.code}: ${this.message}${answer}`
  }
}

/** The work has to stop, and nothing under way may be written. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}

/** The whole run failed for good. Callers see the message. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure'
}

/** A user deleted the run. */
export class Deleted extends Error {
  override readonly name = 'Deleted'
}

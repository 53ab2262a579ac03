/** What goes wrong with one row, model or scorer of it, and is that row's error alone. */

/** Of what a model said, so much is kept with an error. */
const RAW_LETTERS = 10_000

export class RowFailure extends Error {
  override readonly name = 'RowFailure'

  /**
   * @param code stable
   * @param message one sentence, without secrets
   * @param raw what the model said
   * @param unreached the model could not be asked, so that it says nothing about the row
   */
  constructor(
    readonly code: string,
    message: string,
    readonly raw?: string,
    readonly unreached = false,
  ) {
    super(message)
  }

  /** What stands as the exception of the call. */
  get exception(): string {
    const said = this.raw === undefined ? '' : `\nIt said: ${this.raw.slice(0, RAW_LETTERS)}`
    return `${this.code}: ${this.message}${said}`
  }
}

/** The work is to be stopped, and nothing it has under way is to be written. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}

/** The whole run can't go on, and never will. The message is what callers read. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure'
}

/** Whoever asked for the run deleted it. */
export class Deleted extends Error {
  override readonly name = 'Deleted'
}

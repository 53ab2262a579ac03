/**
 * What every error that a caller can see is made of: a stable code, a status, and one sentence that says what to do.
 * Knows nothing of HTTP servers; `platform/http` turns one into an answer.
 */

/** One place in a request that is not as its schema says. `loc` starts at "body", "path" or "query". */
export interface Violation {
  loc: string[]
  msg: string
  type: string
}

/** A reason may repeat what was sent, however long that is. */
const LONGEST_REASON = 2000

/** An error with an answer of its own. Everything else that is thrown becomes a 500 without details. */
export class HeddleError extends Error {
  override readonly name = 'HeddleError'
  readonly reason: string

  /**
   * @param code stable, upper case, never reused for something else
   * @param status HTTP status
   * @param reason one sentence for the caller
   * @param extra more keys of the answer's body, and headers
   */
  constructor(
    readonly code: string,
    readonly status: number,
    reason: string,
    readonly extra: {
      body?: Record<string, unknown>
      headers?: Record<string, string>
      cause?: unknown
    } = {},
  ) {
    const short = reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)}…` : reason
    super(short, extra.cause === undefined ? undefined : { cause: extra.cause })
    this.reason = short
  }

  /** The answer's body. */
  body(): Record<string, unknown> {
    return { reason: this.reason, code: this.code, ...this.extra.body }
  }
}

/** A request that does not fit its schema: 422 with every violation found. */
export class ValidationError extends HeddleError {
  constructor(readonly violations: Violation[]) {
    super('INVALID_REQUEST', 422, violations[0]?.msg ?? 'The request does not fit its schema.')
  }

  override body(): Record<string, unknown> {
    return { detail: this.violations }
  }
}

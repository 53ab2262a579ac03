/**
 * The base of every error that a caller can see: a stable code, a status, and one sentence that says what to do. Knows
 * nothing of HTTP servers; `platform/http` turns it into an answer.
 */

/** A place where a request violates its schema. `loc` starts with "body", "path" or "query". */
export interface Violation {
  loc: string[]
  msg: string
  type: string
}

/** A reason may quote the request, which may be long. */
const LONGEST_REASON = 2000

/** An error with its own answer. Any other error becomes a 500 without details. */
export class HeddleError extends Error {
  override readonly name = 'HeddleError'
  readonly reason: string

  /**
   * @param code stable, upper case, never reused for another error
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

/** A request that violates its schema: 422 with every violation found. */
export class ValidationError extends HeddleError {
  constructor(readonly violations: Violation[]) {
    super('INVALID_REQUEST', 422, violations[0]?.msg ?? 'The request does not fit its schema.')
  }

  override body(): Record<string, unknown> {
    return { detail: this.violations }
  }
}

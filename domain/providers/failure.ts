/** Failures of providers, as shown to callers and stored in calls. */

/** Stable codes of failures. */
export type FailureCode =
  /** no connection, or a broken one */
  | 'PROVIDER_UNREACHABLE'
  | 'PROVIDER_TIMEOUT'
  /** its address, or one that it redirected to, is not allowed */
  | 'BAD_ADDRESS'
  /** 401, 403 */
  | 'PROVIDER_KEY_REFUSED'
  /** 429 */
  | 'PROVIDER_LIMIT'
  /** any other status that is neither success nor 5xx */
  | 'PROVIDER_REFUSED'
  /** 5xx */
  | 'PROVIDER_FAILED'
  | 'PROVIDER_TOO_LARGE'
  | 'PROVIDER_BAD_ANSWER'
  /** this process has no memory left for answers */
  | 'OVERLOADED'
  /** the caller left */
  | 'CANCELLED'

export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'

  /**
   * @param message one sentence, without secrets
   * @param status status of the provider's answer, if any
   */
  constructor(
    readonly code: FailureCode,
    message: string,
    readonly status?: number,
  ) {
    super(message)
  }

  /** The `error` of an answer. */
  body(): { code: FailureCode; message: string; status?: number } {
    const { code, message, status } = this
    return { code, message, ...(status !== undefined && { status }) }
  }
}

/** The failure for an answer's `status`. @param detail the provider's explanation; may be empty */
export function failureOfStatus(status: number, detail: string): ProviderFailure {
  const [code, what] = meaning(status)
  return new ProviderFailure(
    code,
    `The provider ${what} (${status})${detail === '' ? '.' : `: ${detail}`}`,
    status,
  )
}

function meaning(status: number): [FailureCode, string] {
  if (status === 401 || status === 403) return ['PROVIDER_KEY_REFUSED', 'refused the key it was sent']
  if (status === 429) return ['PROVIDER_LIMIT', 'accepts no more requests at the moment']
  if (status >= 500) return ['PROVIDER_FAILED', 'failed']
  return ['PROVIDER_REFUSED', 'refused the request']
}

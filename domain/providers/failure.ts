/** What went wrong on a provider's side, as callers are told and as calls keep it. Knows nothing of HTTP. */

/** Stable codes of failures. */
export type FailureCode =
  /** no connection, or one that broke */
  | 'PROVIDER_UNREACHABLE'
  | 'PROVIDER_TIMEOUT'
  /** its address, or one that it sent us to, may not be asked */
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
  /** this process holds as much of providers' answers as it may */
  | 'OVERLOADED'
  /** the one who asked went away */
  | 'CANCELLED'

export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'

  /**
   * @param message one sentence, without secrets
   * @param status of the provider's answer, if it gave one
   */
  constructor(
    readonly code: FailureCode,
    message: string,
    readonly status?: number,
  ) {
    super(message)
  }

  /** What stands under `error` in an answer. */
  body(): { code: FailureCode; message: string; status?: number } {
    const { code, message, status } = this
    return { code, message, ...(status !== undefined && { status }) }
  }
}

/** The failure that an answer's `status` means. @param said what the provider said about it; may be empty */
export function failureOfStatus(status: number, said: string): ProviderFailure {
  const [code, what] = meaning(status)
  return new ProviderFailure(
    code,
    `The provider ${what} (${status})${said === '' ? '.' : `: ${said}`}`,
    status,
  )
}

function meaning(status: number): [FailureCode, string] {
  if (status === 401 || status === 403) return ['PROVIDER_KEY_REFUSED', 'refused the key it was sent']
  if (status === 429) return ['PROVIDER_LIMIT', 'takes no more requests at the moment']
  if (status >= 500) return ['PROVIDER_FAILED', 'failed']
  return ['PROVIDER_REFUSED', 'refused the request']
}

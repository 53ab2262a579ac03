/** Errors in the form of the Messages interface, before an answer and within a stream. Pure. */
import { HeddleError, ValidationError } from '../../platform/errors/error.js'
import { problemBody } from '../problem.js'

const TYPES: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

/** Fields of chat completions, and what they are called here. */
const OURS: Record<string, string> = {
  max_completion_tokens: 'max_tokens',
  stop: 'stop_sequences',
  response_format: 'output_config',
  user: 'metadata',
}

/** The body of an error answer, and of the event `error`. */
export function messageProblem(error: HeddleError): Record<string, unknown> {
  const { status } = error
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
  const shown = problemBody(error).error as { message: string; param: string | null; reason: string }
  const param = shown.param === null ? null : (OURS[shown.param] ?? shown.param)
  const { details } = error.extra.body ?? {}
  const told = { type, message: messageOf(error, shown.message), code: shown.reason, param }
  return { type: 'error', error: { ...told, ...(details !== undefined && { details }) } }
}

/** SDKs that know these details send the conversation whole instead. */
export function noThreads(): HeddleError {
  return new HeddleError(
    'NO_THREADS',
    400,
    'Conversations are not kept here; send the whole one, without thread.',
    {
      body: {
        param: 'thread',
        details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
      },
    },
  )
}

/** By these words agents know that a prompt is too long, and make room. */
function messageOf({ code, reason }: HeddleError, message: string): string {
  const [prompt, context] = code === 'PROMPT_TOO_LONG' ? (reason.match(/\d+/g) ?? []) : []
  return context === undefined ? message : `prompt is too long: ${prompt} tokens > ${context} maximum`
}

/** Does `work`; a body that violates the schema is 400 here. */
export function refusing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    const { error: shown, detail } = problemBody(error) as {
      error: { message: string; param: string | null }
      detail: unknown
    }
    throw new HeddleError('INVALID_REQUEST', 400, shown.message, { body: { param: shown.param, detail } })
  }
}

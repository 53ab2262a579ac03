/** Maps failures of workers and nodes to the caller's error. Pure. */
import { HeddleError } from '../../../platform/errors/error.js'
import type { Failed } from '../chat-job.js'
import { problems } from '../problem.js'

/** Numbers of google.rpc.Code. */
const INVALID_ARGUMENT = 3
const DEADLINE_EXCEEDED = 4
const NOT_FOUND = 5
const RESOURCE_EXHAUSTED = 8
const FAILED_PRECONDITION = 9
const UNAVAILABLE = 14
const DATA_LOSS = 15

const wait = (seconds: number) => ({ headers: { 'retry-after': String(seconds) } })

export function problemOf({ code, status, message, field }: Omit<Failed, 'retriable'>): HeddleError {
  if (status === INVALID_ARGUMENT || status === FAILED_PRECONDITION)
    return problems.refused(code, message, field)
  if (status === NOT_FOUND) return new HeddleError(code, 404, message, { body: { param: 'model' } })
  if (status === DATA_LOSS) return new HeddleError(code, 409, message)
  if (status === DEADLINE_EXCEEDED) return problems.tooLate()
  if (status === RESOURCE_EXHAUSTED) return new HeddleError(code, 429, message, wait(2))
  if (status === UNAVAILABLE) return new HeddleError(code, 503, message, wait(2))
  return new HeddleError(code, 500, message)
}

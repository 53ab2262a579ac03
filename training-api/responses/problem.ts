/** The error answers of this interface: those of chat completions, with its own names of fields. */
import type { HeddleError } from '../../platform/errors/error.js'
import { problemBody } from '../problem.js'
import { ourField } from './read.js'

export function responseProblem(error: HeddleError): Record<string, unknown> {
  const body = problemBody(error) as { error: { param: unknown } }
  const { param } = body.error
  return { ...body, error: { ...body.error, param: typeof param === 'string' ? ourField(param) : param } }
}

/** An error as the outcome of a request. */
import type { HeddleError } from '../../platform/errors/error.js'
import type { Outcome } from './task.js'

export function refusal(error: HeddleError): Outcome {
  return {
    status: error.status,
    contentType: 'application/json',
    body: JSON.stringify(error.body()),
    headers: error.extra.headers ?? {},
    accepted: 0,
    rejected: 1,
    sampledOut: 0,
    projects: [],
  }
}

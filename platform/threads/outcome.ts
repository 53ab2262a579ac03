/** Results of work in a thread. Errors lose their class when they are posted, so they travel as values. */
import { HeddleError, ValidationError, type Violation } from '../errors/error.js'

export type Outcome<Done> =
  | { done: Done }
  | { invalid: Violation[] }
  | { refused: { code: string; status: number; reason: string; body: Record<string, unknown> } }

/** Runs `work`; errors meant for callers become outcomes, others are thrown. */
export function outcomeOf<Done>(work: () => Done): Outcome<Done> {
  try {
    return { done: work() }
  } catch (error) {
    if (error instanceof ValidationError) return { invalid: error.violations }
    if (!(error instanceof HeddleError)) throw error
    const { code, status, reason, extra } = error
    return { refused: { code, status, reason, body: extra.body ?? {} } }
  }
}

/** Unwraps an outcome: returns the result or throws the error. */
export function doneOf<Done>(outcome: Outcome<Done>): Done {
  if ('done' in outcome) return outcome.done
  if ('invalid' in outcome) throw new ValidationError(outcome.invalid)
  const { code, status, reason, body } = outcome.refused
  throw new HeddleError(code, status, reason, { body })
}

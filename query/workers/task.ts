/** What threads are asked to do, and how their outcome travels: errors lose their class on the way. */
import { HeddleError, ValidationError, type Violation } from '../../common/errors/error.js'
import { readFeedback, readFeedbackBatch, readFeedbackReplacement } from '../feedback/entry.js'
import { readCreation } from '../objects/create.js'
import { prepareList, prepareTable, prepareUpdate } from '../tables/prepare.js'

/** Work by name: each takes a body. */
const WORK = {
  object: readCreation,
  table: prepareTable,
  list: prepareList,
  update: prepareUpdate,
  feedback: readFeedback,
  feedbackBatch: readFeedbackBatch,
  feedbackReplacement: readFeedbackReplacement,
}

export type Work = typeof WORK
export type Kind = keyof Work

export interface Task {
  kind: Kind
  body: Uint8Array
}

export type Outcome =
  | { done: ReturnType<Work[Kind]> }
  | { invalid: Violation[] }
  | { refused: { code: string; status: number; reason: string; body: Record<string, unknown> } }

/** Does the work here. */
export function work<K extends Kind>(kind: K, body: Uint8Array): ReturnType<Work[K]> {
  return WORK[kind](body) as ReturnType<Work[K]>
}

/** Does the work; what a caller is to be told is an outcome, everything else is thrown. */
export function outcomeOf({ kind, body }: Task): Outcome {
  try {
    return { done: work(kind, body) }
  } catch (error) {
    if (error instanceof ValidationError) return { invalid: error.violations }
    if (!(error instanceof HeddleError)) throw error
    const { code, status, reason, extra } = error
    return { refused: { code, status, reason, body: extra.body ?? {} } }
  }
}

/** What was done, or the error again. */
export function doneOf(outcome: Outcome): ReturnType<Work[Kind]> {
  if ('done' in outcome) return outcome.done
  if ('invalid' in outcome) throw new ValidationError(outcome.invalid)
  const { code, status, reason, body } = outcome.refused
  throw new HeddleError(code, status, reason, { body })
}

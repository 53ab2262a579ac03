/** What threads are asked to do, and how their outcome travels: errors lose their class on the way. */
import { type EndedRow, endedBlock, type StartedCall, startedBlock } from '../../domain/calls/own.js'
import { type FinishedCall, finishedBlock } from '../../domain/calls/record.js'
import { HeddleError, ValidationError, type Violation } from '../../platform/errors/error.js'
import { reading } from '../../platform/http/lossless.js'
import { EVALUATION_WORK } from '../evaluation/bodies.js'
import { readFeedback, readFeedbackBatch, readFeedbackReplacement } from '../feedback/entry.js'
import { checkValues } from '../feedback/value-check.js'
import { readCreation } from '../objects/create.js'
import { prepareList, prepareTable, prepareUpdate } from '../tables/prepare.js'

/** Work by name: on a body, or on calls that are to be stored. */
const WORK = {
  object: readCreation,
  table: prepareTable,
  list: prepareList,
  update: prepareUpdate,
  feedback: readFeedback,
  feedbackBatch: readFeedbackBatch,
  feedbackReplacement: readFeedbackReplacement,
  values: checkValues,
  ...EVALUATION_WORK,
  finishedBlock: (calls: readonly FinishedCall[]) => reading(() => finishedBlock(calls)),
  startedBlock: (calls: readonly StartedCall[]) => reading(() => startedBlock(calls)),
  endedBlock: (rows: readonly EndedRow[]) => reading(() => endedBlock(rows)),
}

export type Work = typeof WORK
export type Kind = keyof Work

export type Input<K extends Kind> = Parameters<Work[K]>[0]

export interface Task {
  kind: Kind
  input: Input<Kind>
}

export type Outcome =
  | { done: ReturnType<Work[Kind]> }
  | { invalid: Violation[] }
  | { refused: { code: string; status: number; reason: string; body: Record<string, unknown> } }

/** Does the work here. */
export function work<K extends Kind>(kind: K, input: Input<K>): ReturnType<Work[K]> {
  const jobs: { [Name in Kind]: (input: Input<Name>) => ReturnType<Work[Name]> } = WORK
  return jobs[kind](input)
}

/** Does the work; what a caller is to be told is an outcome, everything else is thrown. */
export function outcomeOf({ kind, input }: Task): Outcome {
  try {
    return { done: work(kind, input) }
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

/** Reads a job's training data from the tracing interface as JSON lines. Doesn't know where they go. */
import type { TrainingDataSource } from '../../contract/training-data.js'
import type { JobKind } from '../../domain/training/jobs.js'
import { HeddleError } from '../../platform/errors/error.js'
import { outcomes } from './lines.js'
import { Tally } from './preview.js'
import { rowsOf } from './rows.js'

export interface LinesRequest {
  source: TrainingDataSource
  kind: JobKind
  /** the caller's headers */
  credentials: Readonly<Record<string, string>>
  signal: AbortSignal
  /** a scorer rewards the answers later; default: no */
  scored?: boolean
  /** called with a sentence, after the last line, if rows were left out */
  told?: (leftOut: string) => void
}

/**
 * Makes a reader of training data, which yields JSON texts without line breaks: conversations for SFT, pairs of answers for
 * DPO, judged answers for KTO, trajectory groups for RL. The reader throws `NOTHING_TO_TRAIN` (422) after the last row if none
 * could be used, and the tracing interface's errors.
 * @param tracingUrl the tracing interface's URL, read when needed
 */
export function traceLines(
  tracingUrl: () => string | undefined,
): (request: LinesRequest) => AsyncGenerator<string> {
  return async function* ({ source, kind, credentials, signal, scored, told }) {
    checkReward(source, kind, scored)
    const tally = new Tally()
    const rows = rowsOf(source, { credentials, signal }, tracingUrl())
    for await (const outcome of outcomes(rows, kind, source)) {
      tally.count(outcome)
      if ('line' in outcome) yield outcome.line
    }
    if (tally.examples === 0) throw nothing(tally)
    if (tally.leftOut > 0) told?.(`${tally.leftOut} rows were left out: ${reasonsOf(tally)}`)
  }
}

/** Checks that groups get rewards, and from one place. @param scored a scorer gives them @throws HeddleError (422) */
export function checkReward(source: TrainingDataSource, kind: JobKind, scored = false): void {
  const problem = (code: string, message: string) =>
    new HeddleError(code, 422, message, { body: { param: 'training_data.reward' } })
  if (kind === 'rl' && source.reward === null && !scored)
    throw problem(
      'NO_REWARD',
      'Reinforcement learning needs rewards; say with training_data.reward where they come from, or with reward who gives them.',
    )
  if (scored && (kind !== 'rl' || source.reward !== null))
    throw problem(
      'TWO_REWARDS',
      kind === 'rl'
        ? 'Rewards come from training_data.reward or from the scorer of reward; send one of both.'
        : 'Only reinforcement learning takes rewards of a scorer; send training_data.reward.',
    )
}

/** The three most frequent reasons. */
function reasonsOf(tally: Tally): string {
  return tally.left
    .slice(0, 3)
    .map(({ count, message }) => `${count} × ${message}`)
    .join(' ')
}

function nothing(tally: Tally): HeddleError {
  const why =
    tally.leftOut === 0
      ? 'The source has no rows.'
      : `All ${tally.leftOut} rows were left out: ${reasonsOf(tally)} POST /v1/preview/training-data/preview shows them.`
  return new HeddleError('NOTHING_TO_TRAIN', 422, `There is nothing to train on. ${why}`)
}

/** Has a scorer look at an answer of a model that is trained. It is no stored call, but scorers of calls get it as one. */
import { type JsonTree, treeText } from '../../platform/json/tree.js'
import type { Scored } from '../answer.js'
import { stableId } from '../ids.js'
import type { Scorer } from '../scorer.js'
import type { Row } from '../trial.js'

/** The call that records what a scorer says of one answer or several, which is the trace of these. */
export interface Judgement {
  /** `entity/project` */
  project: string
  id: string
  /** µs since 1970 */
  startedAt: number
}

export interface Answer {
  output: JsonTree
  row: Row
  /** among those of the judgement, from 0 */
  number: number
}

const ANSWER_OP = 'training.answer'

/** @throws RowFailure */
export function scoreAnswer(
  scorer: Scorer,
  { output, row, number }: Answer,
  { project, id, startedAt }: Judgement,
  signal: AbortSignal,
): Promise<Scored> {
  const call = {
    ...{ id: stableId(id, 'answer', number), trace_id: id, parent_id: '', op_name: ANSWER_OP },
    ...{ started: startedAt, ended: startedAt, exception: '', inputs: treeText(new Map(row)) },
    ...{ output: treeText(output), attributes: '{}' },
    ...{ conversation: '', agent_name: '', agent_version: '', span_status: 0 },
  }
  // A group without its rewards is lost to the job: nobody asks for them later.
  const whole = scorer.of?.({ project, call, score: id, isTurn: false, again: true }) ?? scorer
  return whole.score(output, row, signal)
}

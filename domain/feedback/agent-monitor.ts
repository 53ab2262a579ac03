/**
 * What monitors say of the turns of agents, in the form that agents' pages and the SDK read: tags that hold, and ratings.
 * It stands beside the score on the call.
 */
import { isObject } from '../../platform/json/object.js'
import type { RunnableFeedback } from './runnable.js'
import { scoreRow } from './scores.js'
import { agentRef } from './subject.js'

export interface TurnScore {
  scorer_tags: string[]
  scorer_tag_reasons: Record<string, string>
  scorer_tag_confidences: Record<string, number>
  scorer_ratings: Record<string, number>
  scorer_rating_reasons: Record<string, string>
  scorer_rating_confidences: Record<string, number>
}

/** The turn that a score is about. */
export interface ScoredTurn {
  span_trace_id: string
  span_conversation_id: string
  span_agent_name: string
  span_agent_version: string
  span_status_code: string
}

export interface TurnFeedback extends RunnableFeedback {
  turn: ScoredTurn
  score: TurnScore
  /** trace of the scorer's call */
  scorerTrace: string
}

/**
 * What a scorer's result says: true is a tag with the scorer's name, a text is a tag, a number a rating. Pure.
 * @param value `{value, reason, confidence}`, or `{scores: […]}` of these
 * @returns undefined: nothing of a turn
 */
export function turnScoreOf(name: string, value: unknown): TurnScore | undefined {
  const said: TurnScore = {
    ...{ scorer_tags: [], scorer_tag_reasons: {}, scorer_tag_confidences: {} },
    ...{ scorer_ratings: {}, scorer_rating_reasons: {}, scorer_rating_confidences: {} },
  }
  const all = isObject(value) && Array.isArray(value.scores) ? value.scores : [value]
  for (const one of all) {
    if (!isObject(one)) continue
    const { value: result, reason, confidence } = one
    const isRating = typeof result === 'number'
    const key = typeof result === 'string' ? result : name
    if (isRating) said.scorer_ratings[name] = result
    else if (result === true || (typeof result === 'string' && result !== '')) said.scorer_tags.push(key)
    else continue
    const [reasons, confidences] = isRating
      ? [said.scorer_rating_reasons, said.scorer_rating_confidences]
      : [said.scorer_tag_reasons, said.scorer_tag_confidences]
    if (typeof reason === 'string' && reason !== '') reasons[key] = reason
    if (typeof confidence === 'number') confidences[key] = confidence
  }
  const isEmpty = said.scorer_tags.length + Object.keys(said.scorer_ratings).length === 0
  return isEmpty ? undefined : said
}

/** A row of the table `feedback`. */
export function turnRow({ turn, score, scorerTrace, ...feedback }: TurnFeedback) {
  const { runnableRef, callRef, triggerRef = '', ...one } = feedback
  const weaveRef = agentRef(feedback.project, 'turn', turn.span_trace_id)
  return {
    ...scoreRow({ ...one, callId: '', weaveRef, name: 'wandb.agent_monitor' }),
    canonical_type: 'platform.agent_monitor',
    ...{ runnable_ref: runnableRef, call_ref: callRef, trigger_ref: triggerRef },
    scorer: JSON.stringify({ ...score, ...turn, scorer_trace_id: scorerTrace }),
  }
}

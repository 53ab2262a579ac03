/** What the scorers of a monitor would say of calls, before it is made. Nothing is asked of others, and nothing stored. */
import type { MonitorPreview, TriedScore } from '../../contract/monitors.js'
import type { ScorerPlan } from '../../domain/evaluation/plan.js'
import { argumentsOf, mapped } from '../../domain/evaluation/scoring/arguments.js'
import { isPlain, ScoreError, scoring } from '../../domain/evaluation/scoring/score.js'
import { parsed } from '../../domain/evaluation/scoring/values.js'
import { projectIdOf } from '../../platform/ids/project.js'
import type { EvaluationParts, Requester } from '../evaluation/parts.js'
import { objectsAt } from '../evaluation/server/object-values.js'
import { scorerPlanOf } from '../evaluation/server/scorer-plan.js'
import { signalPlan } from './built-in.js'

type Plan = Omit<ScorerPlan, 'op'>

export interface Tried {
  scores: Map<string, TriedScore[]>
  /** names of scorers that others are asked for */
  left: string[]
}

/**
 * The scores of these calls, by their ids.
 * @throws 400, 403 and 404 for scorers that could not be run
 */
export async function triedOn(
  parts: EvaluationParts,
  requester: Requester,
  { signals, scorer_refs: refs }: Pick<MonitorPreview, 'signals' | 'scorer_refs'>,
  ids: readonly string[],
): Promise<Tried> {
  const objects = await objectsAt(parts, requester.principal, refs)
  const others = await Promise.all(objects.map((scorer) => scorerPlanOf(parts, requester, scorer)))
  const plans: Plan[] = [...signals.map(signalPlan), ...others]
  const made = plans.flatMap((plan) => scorerOf(plan) ?? [])
  const left = plans.filter(({ rule }) => !isPlain(rule)).map(({ name }) => name)
  if (made.length === 0) return { scores: new Map(), left }
  const projectId = projectIdOf(requester.project)
  const calls = await Promise.all(ids.map((id) => parts.calls.read(projectId, id)))
  const scores = calls.flatMap((call) => (call ? [[call.id, made.map((score) => score(call))] as const] : []))
  return { scores: new Map(scores), left }
}

interface Texts {
  inputs: string
  output: string
  attributes: string
}

/** undefined: others are asked for its scores */
function scorerOf({ name, rule, columns }: Plan): ((call: Texts) => TriedScore) | undefined {
  if (!isPlain(rule)) return undefined
  const score = scoring(rule)
  return (call) => {
    const row = new Map(mapped(argumentsOf(call), columns))
    try {
      return { scorer: name, result: score(parsed(call.output) ?? null, row), problem: null }
    } catch (error) {
      if (!(error instanceof ScoreError)) throw error
      return { scorer: name, result: null, problem: error.message }
    }
  }
}

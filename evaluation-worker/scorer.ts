/** Makes the scorers of a plan, which score an output and its row. */
import type { ScorerPlan } from '../domain/evaluation/plan.js'
import type { AnswerScore } from '../domain/evaluation/rubric.js'
import { mapped } from '../domain/evaluation/scoring/arguments.js'
import { ScoreError, scoring } from '../domain/evaluation/scoring/score.js'
import { type JsonTree, parseTree, treeValue } from '../platform/json/tree.js'
import type { Scored } from './answer.js'
import { RowFailure } from './failure.js'
import { judgementOf } from './judge.js'
import type { Models } from './models.js'
import type { ScoredCall } from './remote.js'
import { askedIn, rubricScores } from './rubric.js'

type Row = ReadonlyMap<string, JsonTree>

export interface Scorer {
  plan: ScorerPlan
  /** the part of the row that the score's call shows */
  shown: (row: Row) => Row
  /** the same, of a call; undefined: it looks at outputs and rows alone */
  of?: (scored: ScoredCall) => Scorer
  /** @throws RowFailure */
  score: (output: JsonTree, row: Row, signal: AbortSignal) => Promise<Scored>
}

/** @throws Error for an invalid rule; callers have validated it */
export function scorerOf(plan: ScorerPlan, models: Models): Scorer {
  const { rule, columns } = plan
  if (rule.kind === 'judge') {
    return {
      plan,
      shown: (row) => row,
      score: async (output, row, signal) => {
        const answer = await models.ask(rule.model, judgementOf(rule, plan, output, row), signal)
        return { value: answer.output, usage: { [answer.model]: answer.usage } }
      },
    }
  }
  if (rule.kind === 'rubric') {
    return {
      plan,
      shown: (row) => row,
      score: async (output, row, signal) => {
        const { scores, usage } = await rubricScores(models, rule, askedIn(row), [treeValue(output)], signal)
        const [{ value, reason }] = scores as [AnswerScore]
        return { value: parseTree(JSON.stringify({ score: value, reason })), usage }
      },
    }
  }
  if (rule.kind === 'remote')
    return ofCalls(plan, async (scored, signal) => {
      const ask = () => models.remote.score(plan, rule, scored, signal)
      return { value: await (scored.again ? models.patiently(plan.name, signal, ask) : ask()), usage: {} }
    })
  if (rule.kind === 'classifier')
    return ofCalls(plan, (scored, signal) => models.classifiers.score(plan, rule, scored, signal))
  const compute = scoring(rule)
  const looksAt = 'target' in rule ? rule.target : undefined
  return {
    plan,
    shown: (row) => {
      const all = mapped(row, columns)
      const value = looksAt === undefined ? undefined : all.get(looksAt)
      return value === undefined || looksAt === undefined ? new Map() : new Map([[looksAt, value]])
    },
    score: async (output, row) => {
      try {
        const score = compute(output, new Map(mapped(row, columns)))
        return { value: parseTree(JSON.stringify(score)), usage: {} }
      } catch (error) {
        if (error instanceof ScoreError) throw new RowFailure('NO_SCORE', error.message)
        throw error
      }
    },
  }
}

/** A scorer that looks at a call as a whole. */
function ofCalls(
  plan: ScorerPlan,
  score: (scored: ScoredCall, signal: AbortSignal) => Promise<Scored>,
): Scorer {
  const scorer: Scorer = {
    plan,
    shown: (row) => row,
    of: (scored) => ({ ...scorer, score: (_, __, signal) => score(scored, signal) }),
    score: async () => {
      throw new RowFailure(
        'NO_CALL',
        `${plan.name} scores calls: by a monitor, by /calls/score, or as the reward of a training job.`,
      )
    },
  }
  return scorer
}

/** Rewards the trajectories of a group: by a rubric all together, by any other scorer each by itself. */
import type { ScorerPlan } from '../../domain/evaluation/plan.js'
import {
  distinct,
  type Json,
  judgedGroup,
  judgedOutput,
  numberIn,
  rewardsOf,
  trajectoriesOf,
} from '../../domain/training/rewards.js'
import { parseTree, treeValue } from '../../platform/json/tree.js'
import { type Usage, UsageSums } from '../answer.js'
import { RowFailure } from '../failure.js'
import type { Models } from '../models.js'
import { asRow } from '../row-texts.js'
import { rubricScores } from '../rubric.js'
import { scorerOf } from '../scorer.js'
import { type Judgement, scoreAnswer } from './answer.js'

/** A reward, and why it is so. */
export interface Reward {
  value: number
  /** '': the scorer said none */
  reason: string
}

export interface GivenRewards {
  /** in the order of the trajectories */
  rewards: Reward[]
  usage: Record<string, Usage>
}

export interface RewardPlan {
  scorer: ScorerPlan
  /** of the number in what the scorer says; null: the usual places */
  path: string | null
}

/**
 * @param judgement the call that records it
 * @throws RowFailure with what was used, if a trajectory gets no reward
 */
export function rewardsFor(
  models: Models,
  { scorer, path }: RewardPlan,
  group: Json,
  judgement: Judgement,
  signal: AbortSignal,
): Promise<GivenRewards> {
  if (rewardsOf(group) === 'mixed')
    throw new RowFailure(
      'MIXED_REWARDS',
      'Some of its trajectories have rewards and some have none; send all or none.',
    )
  return scorer.rule.kind === 'rubric'
    ? compared(models, scorer.rule, group, signal)
    : byThemselves(models, { scorer, path }, group, judgement, signal)
}

async function compared(
  models: Models,
  rule: Extract<ScorerPlan['rule'], { kind: 'rubric' }>,
  group: Json,
  signal: AbortSignal,
): Promise<GivenRewards> {
  const { question, answers } = judgedGroup(group)
  const { shown, of } = distinct(answers)
  const { scores, usage } = await rubricScores(models, rule, question, shown, signal)
  return { rewards: of.map((place) => scores[place]!), usage }
}

async function byThemselves(
  models: Models,
  { scorer, path }: RewardPlan,
  group: Json,
  judgement: Judgement,
  signal: AbortSignal,
): Promise<GivenRewards> {
  const scoring = scorerOf(scorer, models)
  const used = new UsageSums()
  const rewards: Reward[] = []
  try {
    for (const [i, trajectory] of trajectoriesOf(group).entries()) {
      const { output, row: columns } = judgedOutput(group, trajectory)
      const row = asRow(parseTree(JSON.stringify(columns)))
      const { value, usage } = await scoreAnswer(scoring, { output, row, number: i }, judgement, signal)
      used.add(usage)
      rewards.push(rewardIn(treeValue(value), path))
    }
  } catch (error) {
    if (!(error instanceof RowFailure)) throw error
    used.add(error.usage)
    error.usage = used.result()
    throw error
  }
  return { rewards, usage: used.result() }
}

/** @throws RowFailure if there is no number */
export function rewardIn(value: unknown, path: string | null): Reward {
  const number = numberIn(value, path)
  if (number === undefined)
    throw new RowFailure(
      'NO_NUMBER',
      `The scorer said no number${path === null ? '; name its place with path' : ` at ${path}`}.`,
      JSON.stringify(value),
    )
  const reason = typeof value === 'object' && value !== null && 'reason' in value ? value.reason : ''
  return { value: number, reason: typeof reason === 'string' ? reason : '' }
}

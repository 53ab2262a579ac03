/** What is trained on and how, from the fields of the form. Pure. */
import { objectRef } from '../../api/object-ref'
import type { Guidance, Job, Source } from '../../api/training'
import { conditionOf, type TracesSearch } from '../traces/search'

/** Fields of the form, as texts. */
export type Fields = Record<string, string>

export const REWARDS = ['none', 'judge', 'reaction', 'scorer', 'feedback', 'column'] as const

/** @throws LanguageError for a query that is none */
export function sourceOf(project: string, fields: Fields, search: TracesSearch, now: number): Source {
  const { from, dataset, q = '', prompt, completion, rejected, system, minReward } = fields
  const reward = rewardOf(fields)
  return {
    ...(from === 'dataset'
      ? { dataset: objectRef(project, dataset ?? '') }
      : { calls: { project_id: project, ...conditionOf({ ...search, q }, now) } }),
    ...(prompt &&
      completion && {
        template: { prompt, completion, ...(rejected && { rejected }), ...(system && { system }) },
      }),
    ...(reward && { reward }),
    ...(reward && minReward && { min_reward: Number(minReward) }),
  }
}

function rewardOf({ reward, rewardName = '', rewardPath = '' }: Fields): Source['reward'] {
  if (reward === 'reaction') return { from: 'reaction' }
  if (reward === 'scorer')
    return { from: 'scorer', name: rewardName, ...(rewardPath && { path: rewardPath }) }
  if (reward === 'feedback') return { from: 'feedback', feedback_type: rewardName, path: rewardPath }
  return reward === 'column' ? { from: 'column', path: rewardPath } : null
}

/** Who rewards the answers of a reinforcement job, and what its model is watched by. */
export function guidanceOf(project: string, kind: Job['kind'], fields: Fields): Guidance {
  if (kind !== 'rl') return {}
  const { reward, judge = '', rewardPath, check, checkScorer, checkPath } = fields
  const number = (field: string, name: string) => (fields[name] ? { [field]: Number(fields[name]) } : {})
  return {
    ...(reward === 'judge' && {
      reward: { scorer: objectRef(project, judge), ...(rewardPath && { path: rewardPath }) },
    }),
    ...(check && {
      check: {
        dataset: objectRef(project, check),
        ...(checkScorer && { scorer: objectRef(project, checkScorer) }),
        ...(checkPath && { path: checkPath }),
        ...number('rows', 'checkRows'),
        ...number('max_tokens', 'checkMaxTokens'),
        ...number('every', 'checkEvery'),
        ...number('window', 'checkWindow'),
        ...number('min_change', 'checkMinChange'),
      },
    }),
  }
}

export function optionsOf(kind: Job['kind'], { learningRate, batchSize, epochs, beta }: Fields): object {
  return {
    ...(learningRate && { learning_rate: Number(learningRate) }),
    ...(kind !== 'rl' && batchSize && { batch_size: Number(batchSize) }),
    ...(kind !== 'rl' && epochs && { epochs: Number(epochs) }),
    ...((kind === 'dpo' || kind === 'kto') && beta && { beta: Number(beta) }),
  }
}

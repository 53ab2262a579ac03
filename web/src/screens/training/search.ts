/** What the addresses of training hold. Pure. */
import { textOf, textsOf } from '../../app/search-text'
import { readSearch, type TracesSearch } from '../traces/search'

export interface TrainingSearch {
  /** ids of the jobs that are shown, by commas */
  jobs?: string
  tab?: string
  /** jobs of a model are one line */
  joined?: boolean
  /** every metric */
  all?: boolean
  /** 0 to 0.98: the share of what came before in each value */
  smooth?: number
}

export function readTrainingSearch(given: Record<string, unknown>): TrainingSearch {
  const smooth = Number(textOf(given.smooth))
  return {
    ...textsOf(given, ['jobs', 'tab']),
    ...(typeof given.joined === 'boolean' && { joined: given.joined }),
    ...(given.all === true && { all: true }),
    ...(smooth > 0 && smooth <= 0.98 && { smooth }),
  }
}

/** What to train on: a dataset, or the calls that a traces table shows. */
export interface StartSearch extends TracesSearch {
  /** name of a dataset */
  dataset?: string
  /** the calls rather than a dataset */
  calls?: boolean
  /** what the form begins with, as in its fields */
  kind?: string
  reward?: string
  rewardName?: string
  rewardPath?: string
}

const BEGUN = ['dataset', 'kind', 'reward', 'rewardName', 'rewardPath'] as const

export const readStartSearch = (given: Record<string, unknown>): StartSearch => ({
  ...readSearch(given),
  ...(given.calls === true && { calls: true }),
  ...textsOf(given, BEGUN),
})

/** What `heddle train` says of rewards: who gives them, and on what rows the model is watched. Pure. */
import { CommandError } from '../command.js'
import { wholeNumber } from '../option-values.js'

/** As commander gives them. */
export interface RewardOptions {
  method?: string
  reward?: string
  rewardPath?: string
  check?: string
  checkScorer?: string
  checkPath?: string
  checkEvery?: string
  checkRows?: string
  checkMaxTokens?: string
  checkWindow?: string
  checkMinChange?: string
  batchSize?: string
  epochs?: string
  beta?: string
  desirableWeight?: string
  undesirableWeight?: string
}

/** Of the job's body. */
export interface RewardFields {
  reward?: { scorer: string; path: string | null }
  check?: Record<string, unknown>
}

const ONLY_RL = {
  ...{ reward: '--reward', rewardPath: '--reward-path', check: '--check', checkScorer: '--check-scorer' },
  ...{ checkPath: '--check-path', checkEvery: '--check-every', checkRows: '--check-rows' },
  ...{ checkMaxTokens: '--check-max-tokens', checkWindow: '--check-window' },
  checkMinChange: '--check-min-change',
} as const satisfies Partial<Record<keyof RewardOptions, string>>

const NOT_RL = {
  ...{ batchSize: '--batch-size', epochs: '--epochs', beta: '--beta' },
  ...{ desirableWeight: '--desirable-weight', undesirableWeight: '--undesirable-weight' },
} as const satisfies Partial<Record<keyof RewardOptions, string>>

/** @throws CommandError for options of another method, or for half of what is needed */
export function rewardFields(options: RewardOptions): RewardFields {
  const isRl = options.method === 'rl'
  const others = Object.entries(isRl ? NOT_RL : ONLY_RL)
  const odd = others.find(([name]) => options[name as keyof RewardOptions] !== undefined)
  if (odd) throw new CommandError(`${odd[1]} works ${isRl ? 'without' : 'with'} --method rl`, 2)
  const { reward, rewardPath, check } = options
  if (rewardPath !== undefined && reward === undefined)
    throw new CommandError('--reward-path works with --reward', 2)
  return {
    ...(reward !== undefined && { reward: { scorer: reward, path: rewardPath ?? null } }),
    ...checkOf(options, check),
  }
}

function checkOf(options: RewardOptions, dataset: string | undefined): Pick<RewardFields, 'check'> {
  const { checkScorer, checkPath, checkMinChange, reward } = options
  const counts = (['checkEvery', 'checkRows', 'checkMaxTokens', 'checkWindow'] as const).flatMap((name) => {
    const text = options[name]
    const field = {
      checkEvery: 'every',
      checkRows: 'rows',
      checkMaxTokens: 'max_tokens',
      checkWindow: 'window',
    }
    return text === undefined ? [] : [[field[name], wholeNumber(ONLY_RL[name], text)] as const]
  })
  if (dataset === undefined) {
    const more = [checkScorer, checkPath, checkMinChange, ...counts].some((one) => one !== undefined)
    if (more) throw new CommandError('name the held-out rows, too: --check weave:///…', 2)
    return {}
  }
  if (checkScorer === undefined && reward === undefined)
    throw new CommandError('--check needs a scorer: --check-scorer, or that of --reward', 2)
  const least = Number(checkMinChange ?? 1)
  if (!(least > 0)) throw new CommandError('--check-min-change must be a number above 0', 2)
  return {
    check: {
      dataset,
      ...(checkScorer !== undefined && { scorer: checkScorer }),
      ...(checkPath !== undefined && { path: checkPath }),
      ...Object.fromEntries(counts),
      ...(checkMinChange !== undefined && { min_change: least }),
    },
  }
}

/** A row's reward: from its feedback, a scorer's output, or a value of the row. Pure. */
import type { TrainingDataSource } from '../../contract/training-data.js'
import { isObject } from '../../platform/json/object.js'
import { valueAt } from './template.js'

export type RewardRule = NonNullable<TrainingDataSource['reward']>

const SKIN_TONES = /[\u{1f3fb}-\u{1f3ff}]/gu
const VARIATION = /\ufe0f/g

/** The mean of all matching values; undefined if none matches. @param feedback rows of feedback on the call */
export function rewardOf(rule: RewardRule, row: unknown, feedback: readonly unknown[]): number | undefined {
  const found =
    rule.from === 'column' ? [numberOf(valueAt(row, rule.path))] : feedback.map((one) => worth(rule, one))
  const numbers = found.filter((one) => one !== undefined)
  if (numbers.length === 0) return undefined
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length
}

function worth(rule: RewardRule, feedback: unknown): number | undefined {
  if (!isObject(feedback) || typeof feedback.feedback_type !== 'string') return undefined
  const { feedback_type: type, payload } = feedback
  switch (rule.from) {
    case 'reaction': {
      if (!/^(?:wandb|platform)\.reaction\.\d+$/.test(type)) return undefined
      const emoji = plain(String(valueAt(payload, 'emoji') ?? ''))
      const value = Object.entries(rule.values).find(([one]) => plain(one) === emoji)
      return value?.[1]
    }
    case 'feedback':
      return sameType(type, rule.feedback_type) ? numberOf(valueAt(payload, rule.path)) : undefined
    case 'scorer': {
      if (!sameType(type, `platform.runnable.${rule.name}`)) return undefined
      const output = valueAt(payload, 'output')
      return numberOf(rule.path === null ? output : valueAt(output, rule.path))
    }
    case 'column':
      return undefined
  }
}

/** Compares types, which have two names: the clients' and the neutral one. */
function sameType(type: string, wanted: string): boolean {
  const neutral = (name: string) => name.replace(/^wandb\./, 'platform.')
  return neutral(type) === neutral(wanted)
}

function plain(emoji: string): string {
  return emoji.replace(SKIN_TONES, '').replace(VARIATION, '')
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

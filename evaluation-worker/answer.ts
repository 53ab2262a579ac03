/** What a model's chat completion amounts to: the output of the row, or why there is none; and what it used. Pure. */
import type { ModelPlan } from '../domain/evaluation/plan.js'
import { at, parsed } from '../domain/evaluation/scoring/values.js'
import { type UsageCounts, usageCounts } from '../domain/providers/usage.js'
import { isObject } from '../platform/json/object.js'
import { type JsonTree, treeText, treeValue } from '../platform/json/tree.js'
import type { SchemaCheck } from '../platform/json-schema/check.js'
import { RowFailure } from './failure.js'

export type Usage = UsageCounts

/** A fence around JSON, which models like to write. */
const FENCE = /^```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/

/**
 * The output in `answer`, the body of a chat completion.
 * @param check of the plan's schema
 * @throws RowFailure with what the model said
 */
export function outputOf(answer: JsonTree, { format }: ModelPlan, check: SchemaCheck | undefined): JsonTree {
  const message = at(answer, ['choices', '0', 'message'])
  if (!(message instanceof Map))
    throw new RowFailure(
      'BAD_ANSWER',
      'The model answered something that is no chat completion.',
      treeText(answer),
    )
  const text = contentOf(message.get('content') ?? null)
  if (text === undefined)
    throw new RowFailure('NO_TEXT', 'The model answered without a text.', treeText(message))
  if (format === 'text') return text
  const value = parsed(text) ?? parsed(FENCE.exec(text.trim())?.[1] ?? '')
  if (value === undefined)
    throw new RowFailure(
      'NOT_JSON',
      'The model answered something that is no JSON where JSON was asked for.',
      text,
    )
  const problem = check?.(treeValue(value))?.why
  if (problem !== undefined)
    throw new RowFailure('BAD_OUTPUT', `The model's answer does not fit its schema: ${problem}.`, text)
  return value
}

/** A text, or texts in parts. */
function contentOf(content: JsonTree): string | undefined {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return undefined
  const texts = content.map((part) => (part instanceof Map ? part.get('text') : part))
  return texts.every((text) => typeof text === 'string') ? texts.join('') : undefined
}

/** What `answer` says that it used. */
export const usageOf = (answer: JsonTree): Usage => usageCounts((name) => at(answer, ['usage', name]))

/** Sums of usage by model. In maps, for callers name the models: a key of an object may be its prototype's. */
export class UsageSums {
  private readonly models = new Map<string, Map<string, number>>()

  /** @param more by model; in calls that callers wrote it may be anything, and only counts are taken */
  add(more: unknown): void {
    for (const [model, usage] of entriesOf(more)) {
      const sums = this.models.get(model) ?? new Map<string, number>()
      this.models.set(model, sums)
      for (const [name, count] of entriesOf(usage))
        if (typeof count === 'number') sums.set(name, (sums.get(name) ?? 0) + count)
    }
  }

  result(): Record<string, Usage> {
    return Object.fromEntries([...this.models].map(([model, sums]) => [model, Object.fromEntries(sums)]))
  }
}

const entriesOf = (value: unknown) => (isObject(value) ? Object.entries(value) : [])

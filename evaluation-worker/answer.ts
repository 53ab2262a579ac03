/** Reads a row's output and usage from a model's chat completion. Pure. */
import type { ModelPlan } from '../domain/evaluation/plan.js'
import { at, parsed } from '../domain/evaluation/scoring/values.js'
import { type UsageCounts, usageCounts } from '../domain/providers/usage.js'
import { isObject } from '../platform/json/object.js'
import { type JsonTree, treeText, treeValue } from '../platform/json/tree.js'
import type { SchemaCheck } from '../platform/json-schema/check.js'
import { RowFailure } from './failure.js'

export type Usage = UsageCounts

/** A score. */
export interface Scored {
  value: JsonTree
  /** by model; empty if none was asked */
  usage: Record<string, Usage>
}

/** What a model said. */
export interface Said {
  output: JsonTree
  /** the model's name in usage and prices */
  model: string
  usage: Usage
}

/** The Markdown fence that models often put around JSON. */
const FENCE = /^```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/

/**
 * @returns the output in `answer`, the body of a chat completion
 * @param check validates against the plan's schema
 * @throws RowFailure with the model's answer
 */
export function outputOf(answer: JsonTree, { format }: ModelPlan, check: SchemaCheck | undefined): JsonTree {
  const message = at(answer, ['choices', '0', 'message'])
  if (!(message instanceof Map))
    throw new RowFailure('BAD_ANSWER', "The model's answer is not a chat completion.", treeText(answer))
  const text = contentOf(message.get('content') ?? null)
  if (text === undefined)
    throw new RowFailure('NO_TEXT', "The model's answer has no text.", treeText(message))
  if (format === 'text') return text
  const value = parsed(text) ?? parsed(FENCE.exec(text.trim())?.[1] ?? '')
  if (value === undefined)
    throw new RowFailure('NOT_JSON', "The model's answer is not JSON, although JSON was requested.", text)
  const problem = check?.(treeValue(value))?.why
  if (problem !== undefined)
    throw new RowFailure('BAD_OUTPUT', `The model's answer does not fit its schema: ${problem}.`, text)
  return value
}

/** @returns the text of a message's content, which may be in parts */
function contentOf(content: JsonTree): string | undefined {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return undefined
  const texts = content.map((part) => (part instanceof Map ? part.get('text') : part))
  return texts.every((text) => typeof text === 'string') ? texts.join('') : undefined
}

/** The usage that `answer` reports. */
export const usageOf = (answer: JsonTree): Usage => usageCounts((name) => at(answer, ['usage', name]))

/** Sums usage by model. It uses maps, since callers name the models and `__proto__` is no safe key of an object. */
export class UsageSums {
  private readonly models = new Map<string, Map<string, number>>()

  /** @param more usage by model; callers' calls may hold anything here, and only numbers are added */
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

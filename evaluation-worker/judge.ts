/** Makes the messages that ask a model for a prediction, or a judge for a score. Pure. */
import type { ModelPlan, ScorerPlan } from '../domain/evaluation/plan.js'
import { mapped } from '../domain/evaluation/scoring/arguments.js'
import { type JsonTree, parseTree } from '../platform/json/tree.js'
import { formatMessage } from './template.js'

type Row = ReadonlyMap<string, JsonTree>

/** The messages of a prediction: the model's own, formatted with the row's columns, then the row's. */
export function questionOf({ messages }: ModelPlan, row: Row): JsonTree[] {
  const own = messages.map((message) => formatMessage(treeOf(message), row))
  const input = row.get('user_input') ?? (own.length === 0 ? row.get('messages') : undefined)
  return [...own, ...messagesOf(input ?? null)]
}

/** The messages of a judgement: its model's, unformatted, then its formatted prompt. */
export function judgementOf(
  judge: { model: ModelPlan; messages: readonly Record<string, unknown>[] },
  { columns }: ScorerPlan,
  output: JsonTree,
  row: Row,
): JsonTree[] {
  const variables = new Map(mapped(row, columns)).set('output', output)
  return [
    ...judge.model.messages.map(treeOf),
    ...judge.messages.map((message) => formatMessage(treeOf(message), variables)),
  ]
}

/** @param input a text, a message, or a list of these */
function messagesOf(input: JsonTree): JsonTree[] {
  if (input === null) return []
  if (Array.isArray(input)) return input.flatMap(messagesOf)
  if (input instanceof Map) return [input]
  return [
    new Map<string, JsonTree>([
      ['role', 'user'],
      ['content', input],
    ]),
  ]
}

/** A message as a tree. */
export function treeOf(message: Record<string, unknown>): JsonTree {
  return parseTree(JSON.stringify(message))
}

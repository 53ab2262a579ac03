/** What a model is asked about a row, and about an output of one: the messages. Pure. */
import type { ModelPlan, ScorerPlan } from '../domain/evaluation/plan.js'
import { type JsonTree, parseTree } from '../platform/json/tree.js'
import { formatMessage } from './template.js'

type Row = ReadonlyMap<string, JsonTree>

/** The messages of a prediction: the model's own, filled in with the row's columns, then what the row says. */
export function questionOf({ messages }: ModelPlan, row: Row): JsonTree[] {
  const own = messages.map((message) => formatMessage(treeOf(message), row))
  const said = row.get('user_input') ?? (own.length === 0 ? row.get('messages') : undefined)
  return [...own, ...messagesOf(said ?? null)]
}

/** The messages of a judgement: those of its model as they are, then its prompt, filled in. */
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

/** A row in which a scorer finds columns also by its own names for them. */
export function mapped(row: Row, columns: Readonly<Record<string, string>>): Row {
  const named = Object.entries(columns).flatMap(([own, theirs]): [string, JsonTree][] =>
    row.has(theirs) ? [[own, row.get(theirs)!]] : [],
  )
  return new Map([...row, ...named])
}

/** A text, a message, or a list of these. */
function messagesOf(said: JsonTree): JsonTree[] {
  if (said === null) return []
  if (Array.isArray(said)) return said.flatMap(messagesOf)
  if (said instanceof Map) return [said]
  return [
    new Map<string, JsonTree>([
      ['role', 'user'],
      ['content', said],
    ]),
  ]
}

function treeOf(message: Record<string, unknown>): JsonTree {
  return parseTree(JSON.stringify(message))
}

/** What rows of a trace say of a call beside its times: what kind it is, its model, tokens, cost and scores. Pure. */

import type { Kind } from '../../../../domain/calls/kinds'
import { firstTokenOf, ownUsageOf } from '../../api/calls'
import type { Call } from '../../api/client'
import { isInside } from '../../api/json'

export interface Facts {
  kind: Kind
  /** of the first model that the call names */
  model?: string
  /** of the call itself, as its summary says */
  tokens?: number
  /** in dollars; undefined: no price is known */
  cost?: number
  /** ms */
  firstToken?: number
  /** what people and scorers gave, in a few letters each */
  scores: string[]
}

export type FactsById = ReadonlyMap<string, Facts>

/** Names of spans begin with what was done: `invoke_agent Weather`. */
const BEGINNINGS: readonly [Kind, RegExp][] = [
  ['agent', /^(?:invoke_agent|create_agent) +/],
  ['tool', /^(?:execute_tool|running tool:?) +/],
  ['retrieval', /^embeddings +/],
  ['model', /^(?:chat|text_completion|generate_content) +/],
]

/** What a name says of its call. */
export const kindByName = (name: string): Kind | undefined =>
  BEGINNINGS.find(([, beginning]) => beginning.test(name))?.[0]

/** The name of an agent, tool or model within the name of a call. */
export function bareName(name: string): string {
  for (const [, beginning] of BEGINNINGS) if (beginning.test(name)) return name.replace(beginning, '')
  return name
}

interface Summary {
  usage?: Record<string, Record<string, unknown>>
  weave?: { feedback?: unknown[] }
}

/** @param said the kind that its attributes say */
export function factsOf(name: string, summary: Call['summary'], said?: Kind): Facts {
  const { usage = {}, weave = {} } = (summary ?? {}) as Summary
  const { feedback = [] } = weave
  const models = Object.keys(usage)
  const firstToken = firstTokenOf({ summary })
  const { tokens, cost } = ownUsageOf({ summary })
  const kind = said ?? kindByName(name) ?? (models.length > 0 ? 'model' : 'step')
  return {
    kind,
    ...(models[0] !== undefined && { model: models[0] }),
    ...(tokens !== undefined && { tokens }),
    ...(cost !== undefined && { cost }),
    ...(firstToken !== undefined && { firstToken }),
    scores: feedback.flatMap(scoreOf),
  }
}

/** `👍`, `note`, `exact true`, `quality 0.8` */
function scoreOf(given: unknown): string[] {
  const { feedback_type: type, payload } = (given ?? {}) as { feedback_type?: unknown; payload?: unknown }
  const { emoji, output, value } = (payload ?? {}) as Record<string, unknown>
  if (typeof emoji === 'string') return [emoji]
  const name = String(type ?? '')
    .replace(/^wandb\.(?:runnable\.|annotation\.)?/, '')
    .replace(/\.\d+$/, '')
  const said = output ?? value
  const isPlain = said !== undefined && said !== null && !isInside(said)
  if (name === '') return []
  return [isPlain ? `${name} ${String(said).slice(0, 24)}` : name]
}

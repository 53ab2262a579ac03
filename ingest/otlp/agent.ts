/**
 * The columns that say what a span's agent did, by which spans are listed, grouped and summed. Where a span says nothing,
 * its name may.
 */
import { agentOf, type COLUMN_KEYS, operationOf } from '../../domain/agents/keys.js'
import type { CallBlock } from '../../domain/calls/block.js'
import { AGENT, ATTRIBUTES, FETCH, RECORDED, SUMMED } from '../../domain/conventions/table.js'
import { type AttributeLookup, countOf, textOf } from './attribute-lookup.js'

/** Longer names are cut: they are read whole from the span's text. */
const MAX_TEXT = 512
const MAX_COUNT = 2 ** 32 - 1

type Field = keyof typeof COLUMN_KEYS
type Count = Extract<Field, `${string}_tokens`>

const isCount = (name: Field): name is Count => name.endsWith('_tokens')

/**
 * Sets the columns of the row. Returns whether another call made the answer that the span tells the usage of.
 * @param spanName of the span
 * @param thread the row's, if it has one
 */
export function writeAgent(
  block: CallBlock,
  lookup: AttributeLookup,
  spanName: string,
  thread: string | undefined,
): boolean {
  const counts = new Map<Count, number>()
  const texts = new Map<Exclude<Field, Count>, string>()
  let isUncached = false
  for (const [name, target] of AGENT) {
    const found = lookup.set(target)
    if (found === undefined) continue
    isUncached ||= found.place.isUncached
    if (isCount(name)) counts.set(name, countOf(found.json) ?? 0)
    else {
      const text = textOf(found.json) ?? ''
      texts.set(name, name === 'conversation_id' ? text : text.slice(0, MAX_TEXT))
    }
  }
  const { input_tokens: input } = Object.fromEntries(counts)
  if (isUncached && input !== undefined)
    for (const cached of ['cache_creation_input_tokens', 'cache_read_input_tokens'] as const)
      counts.set('input_tokens', counts.get('input_tokens')! + Math.min(counts.get(cached) ?? 0, MAX_COUNT))
  for (const [name, count] of counts) block[name].int(Math.min(count, MAX_COUNT))
  const { operation, agent } = namedIn(spanName)
  if (!texts.has('operation_name')) texts.set('operation_name', operation)
  if (!texts.has('agent_name')) texts.set('agent_name', agent)
  for (const [name, text] of texts) {
    if (name === 'conversation_id') block.own_conversation.int(text === thread ? 1 : 0)
    else block[name].text(name === 'provider_name' ? text.toLowerCase() : text)
  }
  return spanName === RECORDED || texts.get('operation_name') === FETCH
}

/** Whether the model asked for tools: another request of the same loop follows. */
export function isFollowed(lookup: AttributeLookup): boolean {
  const reasons = lookup.find(ATTRIBUTES.finish_reasons)?.json ?? ''
  return SUMMED.reasons.some((reason) => reasons.includes(`"${reason}"`))
}

/** What the name of a span says: empty where it says nothing. */
export function namedIn(spanName: string): { operation: string; agent: string } {
  return { operation: operationOf(spanName), agent: agentOf(spanName).slice(0, MAX_TEXT) }
}

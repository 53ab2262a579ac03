/** What agents said and did, as the messages of a conversation and the events between them. Pure. */
import type { ChatMessage } from '../../api/agents'
import { parsed } from '../../ui/parsed'
import type { Message } from '../trace/messages'

export type Item =
  | { kind: 'message'; message: Message; from: ChatMessage }
  | { kind: 'tool'; name: string; input: unknown; result: unknown; ms: number | null; from: ChatMessage }
  | { kind: 'event'; title: string; text: string; from: ChatMessage }

/** Events without anything to say are left out. */
export function itemsOf(messages: readonly ChatMessage[]): Item[] {
  return messages.flatMap((from) => itemOf(from) ?? [])
}

function itemOf(from: ChatMessage): Item | undefined {
  const said = (role: string, parts: Message['parts']): Item => ({
    kind: 'message',
    message: { role, parts, isOutput: role === 'assistant' },
    from,
  })
  if (from.user_message !== null) return said('user', [{ kind: 'text', text: from.user_message.text }])
  if (from.assistant_message !== null) {
    const { text, reasoning_content: reasoning } = from.assistant_message
    return said('assistant', [
      ...(reasoning ? [{ kind: 'reasoning' as const, text: reasoning }] : []),
      ...(text === '' ? [] : [{ kind: 'text' as const, text }]),
    ])
  }
  if (from.tool_call !== null) {
    const { tool_name: name, tool_arguments: input, tool_result: result, duration_ms: ms } = from.tool_call
    return { kind: 'tool', name: name || 'tool', input: parsed(input), result: parsed(result), ms, from }
  }
  if (from.agent_start !== null) {
    const { model, system_instructions: instructions, tool_definitions: tools } = from.agent_start
    const title = [from.agent_name || 'Agent', model].filter(Boolean).join(', ')
    return { kind: 'event', title, text: [instructions, tools].filter(Boolean).join('\n\n'), from }
  }
  if (from.context_compacted !== null) {
    const { compaction_items_before: before, compaction_items_after: after } = from.context_compacted
    const title = before ? `Context compacted from ${before} items to ${after}` : 'Context compacted'
    return { kind: 'event', title, text: from.context_compacted.compaction_summary ?? '', from }
  }
  return undefined
}

/** The messages of a turn, made of what spans say. Pure. */
import type { AgentChatMessage } from '../../contract/agent-chat.js'
import type { NormalizedMessage } from '../../contract/agent-span.js'
import { partsOf, shownText } from './messages.js'
import { type ChatSpan, tookMs } from './tree.js'

export const orNull = (text: string | null | undefined) => text || null

/** Roles of messages that are no input of a person's. */
const NOT_USERS = new Set(['assistant', 'system', 'tool', 'tool_call', 'tool_result'])
const NOTIFICATION = /^<task-notification>[\s\S]*<\/task-notification>$/

export function userMessage(span: ChatSpan, text: string, message: NormalizedMessage): AgentChatMessage {
  if (NOTIFICATION.test(text.trim())) return toolCall(span, undefined, 'Task notification', null, text)
  return {
    ...base(span, undefined, 'user_message'),
    span_id: null,
    agent_name: 'User',
    agent_version: null,
    status_code: null,
    error_type: null,
    status_message: null,
    user_message: { text, content_refs: refsOf(span, message) },
  }
}

/** The messages at the end of what went in that a person wrote. */
export function newInput({ input_messages }: ChatSpan): NormalizedMessage[] {
  const last = input_messages.findLastIndex(({ role }) => NOT_USERS.has(role))
  return input_messages.slice(last + 1)
}

export function base(
  span: ChatSpan,
  label: string | undefined,
  type: AgentChatMessage['type'],
): AgentChatMessage {
  return {
    type,
    span_id: span.span_id,
    agent_name: label ?? null,
    agent_version: orNull(span.agent_version),
    status_code: span.status_code,
    error_type: orNull(span.error_type),
    status_message: orNull(span.status_message),
    started_at: span.started_at,
    user_message: null,
    assistant_message: null,
    tool_call: null,
    agent_start: null,
    agent_handoff: null,
    context_compacted: null,
    feedback: null,
  }
}

export function startOf(span: ChatSpan): NonNullable<AgentChatMessage['agent_start']> {
  return {
    model: orNull(span.request_model) ?? orNull(span.response_model),
    system_instructions: orNull(span.system_instructions.join('\n\n')),
    tool_definitions: orNull(span.tool_definitions),
    status: span.status_code,
  }
}

export function toolCall(
  span: ChatSpan,
  label: string | undefined,
  name: string,
  args: string | null,
  result: string | null,
): AgentChatMessage {
  return {
    ...base(span, label, 'tool_call'),
    tool_call: {
      tool_name: name,
      tool_arguments: args,
      tool_result: result,
      duration_ms: tookMs(span),
      status: span.status_code,
      content_refs: span.content_refs,
    },
  }
}

/** The agent that a span started and did not wait for. */
export function asyncAgent(span: ChatSpan): string | undefined {
  const text = shown(span.output_messages)
  if (!text.startsWith('{')) return undefined
  try {
    const { isAsync, status, agentId } = JSON.parse(text) as Record<string, unknown>
    return isAsync === true && status === 'async_launched' && typeof agentId === 'string'
      ? span.agent_name || agentId
      : undefined
  } catch {
    return undefined
  }
}

export const shown = (messages: readonly NormalizedMessage[]) =>
  messages
    .filter(({ role }) => role !== 'user')
    .map(shownText)
    .filter((text) => text !== '')
    .join('\n\n')

const mediaParts = (message: NormalizedMessage) =>
  partsOf(message).filter(({ type }) => type === 'uri' || type === 'blob' || type === 'file')
export const mediaOf = (message: NormalizedMessage) =>
  mediaParts(message)
    .map((part) => JSON.stringify(part))
    .join()

/** The stored contents that a message has: those it names, and those of its span where they are the same. */
export function refsOf(span: ChatSpan, message: NormalizedMessage): string[] {
  const media = mediaOf(message)
  if (media === '') return []
  const inside = [...media.matchAll(/weave:\/\/\/[^"\s\\]+/g)].map(([ref]) => ref)
  const digest = (ref: string) => ref.slice(ref.lastIndexOf(':') + 1)
  return [...new Set([...span.content_refs.filter((ref) => media.includes(digest(ref))), ...inside])]
}

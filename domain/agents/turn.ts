/** A trace as one turn of a chat: its agent, its times and sums, and its messages. Pure. */
import type { AgentTraceChatRes } from '../../contract/agent-chat.js'
import { type ChatOptions, messagesOf } from './chat.js'
import { orNull } from './chat-message.js'
import { type ChatSpan, sumOf, tookMs } from './tree.js'

/** The turn that `spans`, those of one trace, make. */
export function turnOf(traceId: string, spans: readonly ChatSpan[], options: ChatOptions): AgentTraceChatRes {
  const roots = spans.filter(({ parent_span_id }) => parent_span_id === null)
  const latest = spans.reduce<ChatSpan | undefined>(
    (best, one) => (best && best.ended >= one.ended ? best : one),
    undefined,
  )
  const head = roots.length === 1 ? roots[0] : latest
  const counted = spans.filter(({ repeats }) => !repeats)
  const total = (
    field:
      | 'input_tokens'
      | 'output_tokens'
      | 'reasoning_tokens'
      | 'cache_creation_input_tokens'
      | 'cache_read_input_tokens',
  ) => counted.reduce((sum, span) => sum + (span[field] ?? 0), 0)
  return {
    trace_id: traceId,
    root_span_name: head ? head.agent_name || head.span_name : null,
    agent_name: head ? (head.agent_name ?? '') : null,
    agent_version: head ? (head.agent_version ?? '') : null,
    status_code: head?.status_code ?? null,
    provider: head ? (head.provider_name ?? '') : null,
    started_at: head?.started_at ?? null,
    ended_at: head?.ended_at ?? null,
    platform_user_id: orNull(head?.platform_user_id),
    wb_user_id: orNull(head?.platform_user_id),
    total_duration_ms: head ? tookMs(head) : null,
    total_cost_usd: sumOf(counted.map(({ total_cost_usd }) => total_cost_usd)),
    total_input_tokens: total('input_tokens'),
    total_output_tokens: total('output_tokens'),
    total_reasoning_tokens: total('reasoning_tokens'),
    total_cache_creation_input_tokens: total('cache_creation_input_tokens'),
    total_cache_read_input_tokens: total('cache_read_input_tokens'),
    messages: messagesOf(spans, options),
    feedback: null,
  }
}

/** The message of an assistant that a span makes in a turn. Pure. */
import type { AgentChatMessage } from '../../contract/agent-chat.js'
import { orNull, refsOf } from './chat-message.js'
import { type ChatSpan, sumOf, tookMs } from './tree.js'

type Counted =
  | 'input_tokens'
  | 'output_tokens'
  | 'reasoning_tokens'
  | 'input_cost_usd'
  | 'output_cost_usd'
  | 'total_cost_usd'

/** What `span` said, with what `counted` spans used: of several, those that count. */
export function assistantMessage(
  span: ChatSpan,
  text: string,
  counted: readonly ChatSpan[],
): NonNullable<AgentChatMessage['assistant_message']> {
  const once = counted.length === 1 ? counted : counted.filter(({ repeats }) => !repeats)
  const sum = (field: Counted) => sumOf(once.map((one) => one[field]))
  return {
    text,
    model: orNull(span.response_model) ?? orNull(span.request_model),
    reasoning_content: orNull(span.reasoning_content),
    reasoning_tokens: sum('reasoning_tokens') || null,
    input_tokens: sum('input_tokens') || null,
    output_tokens: sum('output_tokens') || null,
    input_cost_usd: sum('input_cost_usd'),
    output_cost_usd: sum('output_cost_usd'),
    total_cost_usd: sum('total_cost_usd'),
    duration_ms: tookMs(span),
    status: span.status_code,
    content_refs: span.output_messages.flatMap((message) => refsOf(span, message)),
  }
}

import {
  agentConversationChat,
  agentConversationSpans,
  agentSearch,
  agentTraceChat,
} from '../../contract/agent-chat.js'
import { SPAN_STATUSES } from '../../domain/agents/keys.js'
import { namesOneOf } from '../../domain/agents/own-conversation.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { ownOf } from '../../platform/json/object.js'
import { AgentChats } from './chat.js'
import { type ConversationFeedbackRow, conversationFeedbackStatement } from './feedback.js'
import { TOOK_MICROS } from './fields.js'
import { spansOf, windowOf } from './identity.js'
import type { AgentReader } from './read.js'
import { search } from './search.js'

interface SpanRow {
  conversation: string
  operation_name: string
  trace_id: string
  id: string
  span_status: number
  took: number
}

const MOST_SPANS = 200
const SKIN_TONES = /[\u{1f3fb}-\u{1f3ff}]/gu

export function agentChatRoutes(reader: AgentReader): Bound[] {
  const chats = new AgentChats(reader)
  return [
    serve(agentTraceChat, ({ body, signal }) => chats.turn(body, body.trace_id, signal)),
    serve(agentConversationChat, ({ body, signal }) => chats.conversation(body, signal)),
    serve(agentSearch, ({ body, signal }) => search(reader, body, signal)),
    serve(agentConversationSpans, async ({ body, signal }) => {
      const ids = [...new Set(body.conversation_ids)]
      if (ids.length === 0) return { conversations: [] }
      const window = windowOf(body)
      const [spans, feedback] = await Promise.all([
        reader.rows<SpanRow>(
          sql`SELECT * FROM (SELECT thread_id AS conversation, started_at, operation_name, trace_id, id, span_status, ${TOOK_MICROS} AS took
  ${spansOf(window, namesOneOf(ids))} ORDER BY started_at DESC, id DESC LIMIT ${bind.uint(MOST_SPANS)} BY thread_id) ORDER BY started_at, id`,
          signal,
        ),
        reader.rows<ConversationFeedbackRow>(conversationFeedbackStatement(window.projectId, ids), signal),
      ])
      const spansBy = groupBy(spans, ({ conversation }) => conversation)
      const feedbackBy = groupBy(feedback, ({ conversation }) => conversation)
      return {
        conversations: body.conversation_ids.map((conversation_id) => ({
          conversation_id,
          spans: (spansBy.get(conversation_id) ?? []).map(spanOf),
          spans_feedback: (feedbackBy.get(conversation_id) ?? []).map(feedbackOf),
        })),
      }
    }),
  ]
}

function spanOf({ operation_name, trace_id, id, span_status, took }: SpanRow) {
  const duration_ms = Math.round(took / 1000)
  return { operation_name, trace_id, span_id: id, status: SPAN_STATUSES[span_status]!, duration_ms }
}

function feedbackOf({
  trace_id,
  feedback_type,
  tags,
  ratings,
  reasons,
  confidences,
}: ConversationFeedbackRow) {
  return {
    trace_id: trace_id || null,
    feedback_type,
    tags: tags.map((tag) => tag.replace(SKIN_TONES, '')),
    ratings: Object.entries(ratings).map(([name, value]) => ({
      name,
      value,
      reason: ownOf(reasons, name) ?? null,
      confidence: ownOf(confidences, name) ?? null,
    })),
  }
}

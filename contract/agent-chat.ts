/** Declarations of the routes that show what agents and people said: turns, conversations, and search in them. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { StatusCode } from './agent-span.js'
import { timeIn } from './calls-read.js'
import { component, projectId, readInBody, shortText, timeOut, userIdOut } from './shared.js'

const of = { ...readInBody, tag: 'Agents' } as const
const text = z.string().nullable()
const whole = z.int().nullable()
const number = z.number().nullable()
const status = StatusCode.nullable()
const refs = z.array(z.string())

const ratings = z.record(z.string(), z.number())
const reasons = z.record(z.string(), z.string())
const AgentChatFeedback = component('AgentChatFeedback', {
  id: z.string(),
  feedback_type: z.string(),
  weave_ref: z.string(),
  payload: z.record(z.string(), z.unknown()),
  creator: text,
  created_at: timeOut.nullable(),
  ...userIdOut,
  runnable_ref: text,
  call_ref: text,
  trigger_ref: text,
  annotation_ref: text,
  scorer_tags: z.array(z.string()),
  scorer_tag_reasons: reasons,
  scorer_tag_confidences: ratings,
  scorer_ratings: ratings,
  scorer_rating_reasons: reasons,
  scorer_rating_confidences: ratings,
})
export type AgentChatFeedback = z.output<typeof AgentChatFeedback>
const feedback = z.array(AgentChatFeedback).nullable().describe('null: it was not asked for')

const AgentChatMessage = component('AgentChatMessage', {
  type: z.enum([
    ...(['user_message', 'assistant_message', 'tool_call', 'agent_handoff'] as const),
    ...(['agent_start', 'context_compacted'] as const),
  ]),
  span_id: text,
  agent_name: text,
  agent_version: text,
  status_code: status,
  error_type: text,
  status_message: text,
  started_at: timeOut.nullable(),
  user_message: component('AgentChatUserMessage', { text: z.string(), content_refs: refs }).nullable(),
  assistant_message: component('AgentChatAssistantMessage', {
    text: z.string(),
    model: text,
    reasoning_content: text,
    reasoning_tokens: whole,
    input_tokens: whole,
    output_tokens: whole,
    input_cost_usd: number,
    output_cost_usd: number,
    total_cost_usd: number,
    duration_ms: whole,
    status,
    content_refs: refs,
  }).nullable(),
  tool_call: component('AgentChatToolCall', {
    tool_name: text,
    tool_arguments: text,
    tool_result: text,
    duration_ms: whole,
    status,
    content_refs: refs,
  }).nullable(),
  agent_start: component('AgentChatAgentStart', {
    model: text,
    system_instructions: text,
    tool_definitions: text,
    status,
  }).nullable(),
  agent_handoff: z.null(),
  context_compacted: component('AgentChatContextCompacted', {
    compaction_summary: text,
    compaction_items_before: whole,
    compaction_items_after: whole,
  }).nullable(),
  feedback,
})
export type AgentChatMessage = z.output<typeof AgentChatMessage>

const AgentTraceChatRes = component('AgentTraceChatRes', {
  trace_id: z.string(),
  root_span_name: text,
  agent_name: text,
  agent_version: text,
  status_code: status,
  provider: text,
  started_at: timeOut.nullable(),
  ended_at: timeOut.nullable(),
  ...userIdOut,
  total_duration_ms: whole,
  total_cost_usd: number,
  total_input_tokens: z.int(),
  total_output_tokens: z.int(),
  total_reasoning_tokens: z.int(),
  total_cache_creation_input_tokens: z.int(),
  total_cache_read_input_tokens: z.int(),
  messages: z.array(AgentChatMessage),
  feedback,
})
export type AgentTraceChatRes = z.output<typeof AgentTraceChatRes>

const options = {
  include_feedback: z.boolean().default(false),
  include_model_tool_calls: z
    .boolean()
    .default(false)
    .describe('list tools that a model asked for and no span ran'),
}

export const agentTraceChat = route({
  ...of,
  id: 'agent_trace_chat',
  path: '/agents/traces/chat',
  summary: 'Show one turn: what was said and done in a trace',
  body: component('AgentTraceChatReq', { project_id: projectId, trace_id: shortText, ...options }),
  answer: AgentTraceChatRes,
})

export const agentConversationChat = route({
  ...of,
  id: 'agent_conversation_chat',
  path: '/agents/conversations/chat',
  summary: 'Show the turns of a conversation, the newest ones, in their order',
  body: component('AgentConversationChatReq', {
    project_id: projectId,
    conversation_id: shortText,
    limit: z.int().min(0).max(50).default(50),
    offset: z.int().min(0).default(0),
    ...options,
  }),
  answer: component('AgentConversationChatRes', {
    conversation_id: z.string(),
    turns: z.array(AgentTraceChatRes),
    total_turns: z.int(),
    has_more: z.boolean(),
    limit: z.int(),
    offset: z.int(),
    total_cost_usd: number,
    feedback,
  }),
})

export const agentConversationSpans = route({
  ...of,
  id: 'agent_conversation_spans',
  path: '/agents/conversations/spans',
  summary: 'List the newest 200 spans of each conversation, and what was said about it',
  body: component('AgentConversationSpansReq', {
    project_id: projectId,
    conversation_ids: z.array(shortText).max(10_000).default([]),
    started_after: timeIn.nullish(),
    started_before: timeIn.nullish(),
  }),
  answer: component('AgentConversationSpansRes', {
    conversations: z.array(
      component('AgentConversationSpans', {
        conversation_id: z.string(),
        spans: z.array(
          component('AgentConversationSpan', {
            operation_name: z.string(),
            trace_id: z.string(),
            span_id: z.string(),
            status: StatusCode,
            duration_ms: z.int(),
          }),
        ),
        spans_feedback: z.array(
          component('AgentConversationSpanFeedback', {
            trace_id: text,
            feedback_type: z.string(),
            tags: z.array(z.string()),
            ratings: z.array(
              component('AgentConversationSpanRating', {
                name: z.string(),
                value: z.number(),
                reason: text,
                confidence: number,
              }),
            ),
          }),
        ),
      }),
    ),
  }),
})

const ROLES = ['', 'user', 'assistant', 'system', 'tool', 'tool_call', 'tool_result'] as const
const AgentSearchReq = component('AgentSearchReq', {
  project_id: projectId,
  query: z
    .string()
    .max(10_000)
    .default('')
    .describe('part of a text, as it is written; empty: every message'),
  trace_id: shortText.nullish(),
  roles: z.array(z.enum(ROLES)).nullish(),
  conversation_id: shortText.nullish(),
  agent_name: shortText.nullish(),
  provider_name: shortText.nullish(),
  request_model: shortText.nullish(),
  truncate_content: z.boolean().default(true),
  started_after: timeIn.nullish(),
  started_before: timeIn.nullish(),
  limit: z.int().min(0).max(1000).default(20).describe('of messages'),
  offset: z.int().min(0).default(0),
})
export type AgentSearchReq = z.output<typeof AgentSearchReq>

export const agentSearch = route({
  ...of,
  id: 'agent_search',
  path: '/agents/search',
  summary: 'Find messages of agents by a part of their text, the newest first',
  body: AgentSearchReq,
  answer: component('AgentSearchRes', {
    results: z.array(
      component('AgentSearchConversationResult', {
        conversation_id: z.string(),
        conversation_name: z.string(),
        agent_name: z.string(),
        matched_messages: z.array(
          component('AgentSearchMatchedMessage', {
            span_id: z.string(),
            trace_id: z.string(),
            role: z.string(),
            content_preview: z.string(),
            content_digest: z.string(),
            started_at: timeOut,
          }),
        ),
        last_activity: timeOut,
      }),
    ),
    total_conversations: z.int(),
  }),
})

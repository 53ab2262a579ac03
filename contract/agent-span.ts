/** What answers say of a span of an agent, and of a group of them. */
import { z } from 'zod'
import { component, timeOut, userIdOut } from './shared.js'

const text = z.string().nullable()
const whole = z.int().nullable()
const number = z.number().nullable()
const texts = z.array(z.string())

export const StatusCode = z.enum(['UNSET', 'OK', 'ERROR'])
const SpanKind = z.enum(['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'])

const NormalizedMessage = component('NormalizedMessage', {
  role: z.string(),
  content: z.string(),
  finish_reason: z.string(),
})
export type NormalizedMessage = z.output<typeof NormalizedMessage>

const costs = {
  input_cost_usd: number,
  output_cost_usd: number,
  cache_read_cost_usd: number,
  cache_creation_cost_usd: number,
  total_cost_usd: number,
}

const identity = {
  operation_name: text,
  provider_name: text,
  agent_name: text,
  agent_id: text,
  agent_description: text,
  agent_version: text,
  eval_run_id: text,
  eval_predict_and_score_call_id: text,
  eval_kind: text,
  eval_row_digest: text,
  eval_example_id: text,
  eval_trial_index: whole,
  eval_evaluation_name: text,
  parent_call_id: text,
  parent_call_trace_id: text,
}

const request = {
  request_temperature: number,
  request_max_tokens: whole,
  request_top_p: number,
  request_frequency_penalty: number,
  request_presence_penalty: number,
  request_seed: whole,
  request_stop_sequences: texts,
  request_choice_count: whole,
}

const content = {
  reasoning_content: text,
  tool_description: text,
  tool_definitions: text,
  input_messages: z.array(NormalizedMessage),
  output_messages: z.array(NormalizedMessage),
  system_instructions: texts,
  tool_call_arguments: text,
  tool_call_result: text,
  compaction_summary: text,
  content_refs: texts,
  artifact_refs: texts,
  object_refs: texts,
  raw_span_dump: text,
}

export const AgentSpan = component('AgentSpanSchema', {
  project_id: z.string(),
  trace_id: z.string(),
  span_id: z.string(),
  parent_span_id: text,
  span_name: text,
  span_kind: SpanKind.nullable(),
  started_at: timeOut.nullable(),
  ended_at: timeOut.nullable(),
  status_code: StatusCode.nullable(),
  status_message: text,
  ...identity,
  request_model: text,
  response_model: text,
  response_id: text,
  input_tokens: whole,
  output_tokens: whole,
  reasoning_tokens: whole,
  cache_creation_input_tokens: whole,
  cache_read_input_tokens: whole,
  ...costs,
  conversation_id: text,
  conversation_name: text,
  tool_name: text,
  tool_type: text,
  tool_call_id: text,
  finish_reasons: texts,
  error_type: text,
  ...request,
  output_type: text,
  compaction_items_before: whole,
  compaction_items_after: whole,
  custom_attrs_string: z.record(z.string(), z.string()),
  custom_attrs_int: z.record(z.string(), z.int()),
  custom_attrs_float: z.record(z.string(), z.number()),
  custom_attrs_bool: z.record(z.string(), z.boolean()),
  server_address: text,
  server_port: whole,
  ...content,
  ...userIdOut,
  platform_run_id: text,
  wb_run_id: text,
  platform_run_step: whole,
  wb_run_step: whole,
  platform_run_step_end: whole,
  wb_run_step_end: whole,
})
export type AgentSpan = z.output<typeof AgentSpan>

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])
export type Scalar = z.output<typeof scalar>

const AgentConversationMessagePreview = component('AgentConversationMessagePreview', {
  role: z.enum(['user_message', 'assistant_message']),
  text: z.string(),
})

const AgentSpanGroupDistributionItem = component('AgentSpanGroupDistributionItem', {
  alias: z.string(),
  source: z.string(),
  key: z.string(),
  value_type: z.enum(['string', 'int', 'float', 'bool']),
  total_count: z.int(),
  present_count: z.int(),
  missing_count: z.int(),
  other_count: z.int(),
  bins: z.array(
    component('AgentSpanGroupDistributionBin', {
      index: z.int(),
      min: z.number(),
      max: z.number(),
      count: z.int(),
    }),
  ),
  values: z.array(component('AgentSpanGroupDistributionValue', { value: z.string(), count: z.int() })),
})

export const AgentSpanGroupRow = component('AgentSpanGroupRow', {
  group_keys: z.record(z.string(), scalar),
  span_count: z.int(),
  invocation_count: z.int(),
  conversation_count: z.int(),
  total_input_tokens: z.int(),
  total_cache_creation_input_tokens: z.int(),
  total_cache_read_input_tokens: z.int(),
  total_output_tokens: z.int(),
  total_reasoning_tokens: z.int(),
  total_duration_ms: z.int(),
  error_count: z.int(),
  total_cost_usd: number,
  total_input_cost_usd: number,
  total_output_cost_usd: number,
  agent_names: texts,
  agent_versions: texts,
  provider_names: texts,
  request_models: texts,
  conversation_names: texts,
  first_seen: timeOut.nullable(),
  last_seen: timeOut.nullable(),
  first_message: AgentConversationMessagePreview.nullable(),
  last_message: AgentConversationMessagePreview.nullable(),
  metrics: z.record(z.string(), scalar),
  distributions: z.record(z.string(), AgentSpanGroupDistributionItem),
})
export type AgentSpanGroupRow = z.output<typeof AgentSpanGroupRow>

/**
 * Which attributes of a span say what its agent did: for each field its keys, the first that is not null wins. The
 * decoder writes some of them into columns, the rest is read from the span's text for the spans that are shown.
 * `domain/conventions/table.ts` has this table among the other conventions.
 */

const both = (name: string): readonly string[] => [`weave.${name}`, `gen_ai.${name}`]
const own = (name: string): readonly string[] => [`weave.${name}`]

/** Fields that columns of a call hold, so that spans can be searched, grouped and summed by them. */
export const COLUMN_KEYS = {
  operation_name: both('operation.name'),
  provider_name: [...both('provider.name'), ...both('system')],
  agent_name: both('agent.name'),
  agent_version: both('agent.version'),
  request_model: both('request.model'),
  response_model: both('response.model'),
  tool_name: both('tool.name'),
  conversation_id: both('conversation.id'),
  input_tokens: both('usage.input_tokens'),
  output_tokens: both('usage.output_tokens'),
  reasoning_tokens: [
    'weave.usage.reasoning_tokens',
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'gen_ai.usage.experimental.reasoning_tokens',
  ],
  cache_creation_input_tokens: [
    ...both('usage.cache_creation.input_tokens'),
    'gen_ai.usage.cache_write.input_tokens',
    'gen_ai.usage.raw.cache_creation_input_tokens',
    'gen_ai.usage.raw.input_tokens_details.cache_write_tokens',
  ],
  cache_read_input_tokens: [
    ...both('usage.cache_read.input_tokens'),
    'gen_ai.usage.prompt_tokens_details.cached_tokens',
    'gen_ai.usage.input_tokens_details.cached_tokens',
    'prompt_tokens_details.cached_tokens',
    'gen_ai.usage.raw.cache_read_input_tokens',
    'gen_ai.usage.raw.prompt_tokens_details.cached_tokens',
    'gen_ai.usage.raw.input_tokens_details.cached_tokens',
  ],
} as const satisfies Record<string, readonly string[]>

/** Other texts. */
export const TEXT_KEYS = {
  agent_id: both('agent.id'),
  agent_description: both('agent.description'),
  response_id: both('response.id'),
  conversation_name: both('conversation.name'),
  tool_type: both('tool.type'),
  tool_call_id: both('tool.call.id'),
  tool_description: both('tool.description'),
  output_type: both('output.type'),
  error_type: ['weave.error.type', 'error.type'],
  server_address: ['weave.server.address', 'server.address'],
  compaction_summary: own('compaction.summary'),
  eval_run_id: own('eval.run_id'),
  eval_predict_and_score_call_id: own('eval.predict_and_score_call_id'),
  eval_kind: own('eval.kind'),
  eval_row_digest: own('eval.row_digest'),
  eval_example_id: own('eval.example_id'),
  eval_evaluation_name: own('eval.evaluation_name'),
  parent_call_id: own('parent_call.id'),
  parent_call_trace_id: own('parent_call.trace_id'),
} as const satisfies Record<string, readonly string[]>

/** Other numbers; those that are whole lose what is behind the point. */
export const NUMBER_KEYS = {
  request_temperature: both('request.temperature'),
  request_max_tokens: both('request.max_tokens'),
  request_top_p: both('request.top_p'),
  request_frequency_penalty: both('request.frequency_penalty'),
  request_presence_penalty: both('request.presence_penalty'),
  request_seed: both('request.seed'),
  request_choice_count: both('request.choice.count'),
  server_port: ['weave.server.port', 'server.port'],
  compaction_items_before: own('compaction.items_before'),
  compaction_items_after: own('compaction.items_after'),
  eval_trial_index: own('eval.trial_index'),
} as const satisfies Record<string, readonly string[]>

/** Lists of texts. */
const LIST_KEYS = {
  finish_reasons: both('response.finish_reasons'),
  request_stop_sequences: both('request.stop_sequences'),
  content_refs: own('content_refs'),
  artifact_refs: own('artifact_refs'),
  object_refs: own('object_refs'),
} as const satisfies Record<string, readonly string[]>

/** Values of any form. */
const CONTENT_KEYS = {
  tool_definitions: both('tool.definitions'),
  tool_call_arguments: both('tool.call.arguments'),
  tool_call_result: both('tool.call.result'),
  input_messages: [...both('input.messages'), ...both('prompt')],
  output_messages: [...both('output.messages'), ...both('completion')],
  system_instructions: both('system_instructions'),
} as const satisfies Record<string, readonly string[]>

/** By field, all of them. */
export const AGENT_KEYS = {
  ...COLUMN_KEYS,
  ...TEXT_KEYS,
  ...NUMBER_KEYS,
  ...LIST_KEYS,
  ...CONTENT_KEYS,
} as const satisfies Record<string, readonly string[]>

const OPERATIONS = [
  ...['chat', 'invoke_agent', 'execute_tool', 'generate_content'],
  ...['text_completion', 'embeddings', 'create_agent', 'retrieval'],
]

/** What a span does, by its name, where no attribute says it. */
export function operationOf(spanName: string): string {
  const name = spanName.slice(0, 32).toLowerCase()
  return OPERATIONS.find((operation) => name.startsWith(operation)) ?? ''
}

/** Whose run it is, by its name, where no attribute says it. */
export function agentOf(spanName: string): string {
  const [, name = ''] = /^invoke_agent (.*)$/is.exec(spanName) ?? []
  return name.trim()
}

/** Kinds and states of spans, in the order of the numbers that exporters send. */
export const SPAN_KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'] as const
export const SPAN_STATUSES = ['UNSET', 'OK', 'ERROR'] as const

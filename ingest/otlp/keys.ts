/**
 * Which span attributes mean what: the conventions of the instrumentation libraries, in order of precedence. The first
 * key that has a value wins. One table a target; knows nothing of the wire.
 */

/** Our own attributes have two names; the neutral one goes first. */
const own = (name: string): readonly string[] => [`platform.${name}`, `wandb.${name}`]

const conversation = ['gen_ai.conversation.id', 'gcp.vertex.agent.session_id']

/** A call's inputs: an object with the key's name and its value. */
export const INPUT_KEYS: readonly string[] = [
  'ai.prompt',
  'gen_ai.prompt',
  'input.value',
  'mlflow.spanInputs',
  'gen_ai.input.messages',
  'pydantic_ai.all_messages',
  'traceloop.entity.input',
  'gcp.vertex.agent.tool_call_args',
  'gcp.vertex.agent.llm_request',
  'input',
  'inputs',
]

/** A call's output: likewise. */
export const OUTPUT_KEYS: readonly string[] = [
  'ai.response',
  'gen_ai.completion',
  'output.value',
  'gen_ai.output.messages',
  'mlflow.spanOutputs',
  'final_result',
  'gen_ai.content.completion',
  'traceloop.entity.output',
  'gcp.vertex.agent.tool_response',
  'gcp.vertex.agent.llm_response',
  'output',
  'outputs',
]

/** Keys whose value stands for itself, without its key around it: inputs only if it is an object. */
export const UNWRAPPED_KEYS: ReadonlySet<string> = new Set(['input', 'inputs', 'output', 'outputs'])

/** Counts of tokens in `summary.usage`, by their name there. */
export const USAGE_KEYS = {
  input_tokens: ['gen_ai.usage.input_tokens'],
  prompt_tokens: ['gen_ai.usage.prompt_tokens', 'llm.token_count.prompt', 'ai.usage.promptTokens'],
  completion_tokens: [
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'ai.usage.completionTokens',
  ],
  output_tokens: ['gen_ai.usage.output_tokens'],
  total_tokens: ['llm.usage.total_tokens', 'llm.token_count.total'],
  cache_creation_input_tokens: ['gen_ai.usage.cache_creation.input_tokens'],
  cache_read_input_tokens: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.prompt_tokens_details.cached_tokens',
    'gen_ai.usage.input_tokens_details.cached_tokens',
    'prompt_tokens_details.cached_tokens',
  ],
} as const satisfies Record<string, readonly string[]>

/** A call's attributes, by their name there. */
export const ATTRIBUTE_KEYS = {
  system: ['gen_ai.system_instructions', 'gen_ai.system', 'llm.system'],
  kind: ['weave.span.kind', 'traceloop.span.kind', 'openinference.span.kind'],
  model: ['gen_ai.response.model', 'gen_ai.request.model', 'llm.model_name', 'ai.model.id'],
  provider: ['gen_ai.provider.name', 'llm.provider', 'ai.model.provider'],
  model_parameters: ['gen_ai.request', 'llm.invocation_parameters'],
  operation_name: ['gen_ai.operation.name'],
  response_id: ['gen_ai.response.id'],
  finish_reasons: ['gen_ai.response.finish_reasons'],
  agent_name: ['gen_ai.agent.name'],
  agent_id: ['gen_ai.agent.id'],
} as const satisfies Record<string, readonly string[]>

/** What goes into columns of its own, or decides about them. */
export const FIELD_KEYS = {
  callId: own('call_id'),
  traceId: own('trace_id'),
  parentId: own('parent_id'),
  displayName: own('display_name'),
  threadId: [...conversation, ...own('thread_id')],
  conversation,
  isTurn: own('is_turn'),
  runId: own('wb_run_id'),
  runStep: own('wb_run_step'),
  runStepEnd: own('wb_run_step_end'),
  startTime: ['langfuse.startTime'],
  endTime: ['langfuse.endTime'],
  merged: own('attributes'),
} as const satisfies Record<string, readonly string[]>

/** Resource attributes that name the project a block's spans belong to. */
export const RESOURCE_KEYS = {
  entity: ['platform.entity', 'wandb.entity'],
  project: ['platform.project', 'wandb.project'],
} as const

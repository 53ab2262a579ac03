/**
 * Which attributes mean what: the conventions of the instrumentation libraries as one table. For each part of a call
 * its sources, in order of precedence: the first whose key has a value wins. The decoder's plans, docs/conventions.md
 * and the tests are made of it, so a convention is added by adding lines.
 */

import { COLUMN_KEYS } from '../agents/keys.js'

/** The conventions: what they are called, and the versions that the keys come from, as far as they are known. */
export const CONVENTIONS = {
  own: ['Weave SDK, Heddle', 'weave 0.54'],
  genai: ['OpenTelemetry GenAI', '1.37 to 1.41, and what came since'],
  'genai-old': ['OpenTelemetry GenAI', 'before 1.37'],
  openinference: ['OpenInference', 'semantic conventions 0.1.30'],
  openllmetry: ['OpenLLMetry, Traceloop', 'semconv-ai 0.4'],
  'ai-sdk': ['Vercel AI SDK', '3 to 7'],
  pydantic: ['Pydantic AI, Logfire', 'pydantic-ai 1 and 2, logfire 5'],
  langfuse: ['Langfuse SDK', '3 to 5'],
  mlflow: ['MLflow', '3.17'],
  langsmith: ['LangSmith', '0.15'],
  strands: ['Strands Agents', '1'],
  adk: ['Google ADK', '1'],
  'claude-code': ['Claude Code, Claude Agent SDK', '2.1'],
  codex: ['Codex', '0.169'],
  'gemini-cli': ['Gemini CLI', '0.61'],
  mcp: ['MCP’s SDK', '2.3'],
  a2a: ['A2A', '1.0'],
  'openai-agents': ['OpenAI Agents', '0.24'],
  litellm: ['LiteLLM', '1.106'],
  crewai: ['CrewAI', '1'],
  livekit: ['LiveKit Agents', '1'],
  azure: ['Azure AI Inference, Semantic Kernel', '1'],
  laminar: ['Laminar', 'lmnr 0.8'],
  mastra: ['Mastra', '1'],
  genkit: ['Genkit', '1'],
  'spring-ai': ['Spring AI', '1 and 2'],
  ag2: ['AG2', '0.11 to 1.2'],
  opentelemetry: ['OpenTelemetry, general', '1.41'],
  plain: ['No convention', 'any'],
} as const satisfies Record<string, readonly [name: string, version: string]>

export type Convention = keyof typeof CONVENTIONS

/** How a source is read where not just as it is. */
export interface Reading {
  /** only if the key holds a list of messages or a value, not names beside it */
  readonly list?: true
  /** passed over if this key is there, too */
  readonly unless?: string
  /** only if this key is there, too */
  readonly beside?: string
  /** passed over if it is a program's dump of its objects and this key has the messages */
  readonly dumpUnless?: string
  /** passed over if it is a plain text and that key has the messages: the text is only the last of them */
  readonly text?: true
  /** the value stands for itself, without its key around it: inputs only if it is an object */
  readonly bare?: true
  /** a conversation whose last message, if it is the model's, is the answer to it */
  readonly unanswered?: true
  /** an operation whose kind is in {@link OPERATION_KINDS} */
  readonly operation?: true
  /** the count of the input is without what was read from or written to a cache, which is added unless the total says that it is in it */
  readonly uncached?: true
  /** the same where this key is there, too: those that write both take the counts as the provider has them */
  readonly uncachedWith?: string
  /** an amount of which 0 says that none is known */
  readonly positive?: true
  /** what a time is given in: `moment` is a point in time, ISO 8601 */
  readonly unit?: TimeUnit
}

export type TimeUnit = 'seconds' | 'milliseconds' | 'moment'

/** A key that may hold the wanted value, or a part of the tree of dotted keys. */
export type Source = readonly [key: string, convention: Convention, reading?: Reading]
type Target = readonly Source[]

/** Our own attributes have two names; the neutral one goes first. */
const own = (name: string): Target => [
  [`platform.${name}`, 'own'],
  [`wandb.${name}`, 'own'],
]

/** Mastra names what went in and came out after the kind of its span. */
const ofMastra = (side: 'input' | 'output') =>
  [
    ...['agent_run', 'workflow_run', 'workflow_step', 'processor_run', 'model_generation', 'model_step'],
    ...['tool_call', 'mcp_tool_call'],
  ].map((kind): Source => [`mastra.${kind}.${side}`, 'mastra'])

/** Genkit has the answer of a model in the span of the request, and again in those around it, which are no actions. */
const OF_ACTION: Reading = { beside: 'genkit:metadata:subtype' }

/** A call's inputs: an object with the key's name and its value. */
export const INPUTS: Target = [
  ['ai.prompt', 'ai-sdk'],
  ['gen_ai.prompt', 'openllmetry', { list: true, unless: 'gen_ai.input.messages' }],
  ['input.value', 'openinference', { dumpUnless: 'llm.input_messages', text: true }],
  ['mlflow.spanInputs', 'mlflow'],
  ['gen_ai.input.messages', 'genai'],
  ['pydantic_ai.all_messages', 'pydantic', { unanswered: true }],
  ['traceloop.entity.input', 'openllmetry'],
  ['lmnr.span.input', 'laminar'],
  ['genkit:input', 'genkit'],
  ['gcp.vertex.agent.tool_call_args', 'adk'],
  ['gcp.vertex.agent.llm_request', 'adk'],
  ['llm.input_messages', 'openinference'],
  ['input', 'plain', { bare: true }],
  ['inputs', 'plain', { bare: true }],
  ['llm.prompts', 'openinference'],
  ['langfuse.observation.input', 'langfuse'],
  ['langfuse.trace.input', 'langfuse'],
  ['gen_ai.tool.call.arguments', 'genai'],
  ['ai.toolCall.args', 'ai-sdk'],
  ['ai.toolCall.input', 'ai-sdk'],
  ['tool_arguments', 'pydantic'],
  ['all_messages_events', 'pydantic', { unanswered: true }],
  ['lk.pii.function_tool.arguments', 'livekit'],
  ['lk.function_tool.arguments', 'livekit'],
  ['lk.pii.chat_ctx', 'livekit'],
  ['lk.chat_ctx', 'livekit'],
  ['lk.pii.user_input', 'livekit'],
  ['lk.user_input', 'livekit'],
  ['lk.pii.input_text', 'livekit'],
  ['lk.input_text', 'livekit'],
  ['gen_ai.retrieval.query.text', 'genai'],
  ['gen_ai.memory.query.text', 'genai'],
  ['gen_ai.guardrail.input', 'openllmetry'],
  ['reranker.query', 'openinference'],
  ['ai.values', 'ai-sdk'],
  ['ai.value', 'ai-sdk'],
  ['embedding.text', 'openinference'],
  ['mcp.request.argument', 'openllmetry'],
  ['request_data', 'pydantic'],
  ['tool.parameters', 'openinference'],
  ['crew_inputs', 'crewai'],
  ['crew_tasks', 'crewai'],
  ['user_prompt', 'claude-code'],
  ...ofMastra('input'),
  ['spring.ai.tool.call.arguments', 'spring-ai'],
  ['db.vector.query.content', 'spring-ai'],
]

/** A call's output: likewise. */
export const OUTPUT: Target = [
  ['ai.response', 'ai-sdk'],
  ['gen_ai.completion', 'openllmetry', { list: true, unless: 'gen_ai.output.messages' }],
  ['output.value', 'openinference', { dumpUnless: 'llm.output_messages' }],
  ['gen_ai.output.messages', 'genai'],
  ['mlflow.spanOutputs', 'mlflow'],
  ['final_result', 'pydantic'],
  ['gen_ai.content.completion', 'openllmetry'],
  ['traceloop.entity.output', 'openllmetry'],
  ['lmnr.span.output', 'laminar'],
  ['genkit:output', 'genkit'],
  ['gcp.vertex.agent.tool_response', 'adk'],
  ['gcp.vertex.agent.llm_response', 'adk'],
  ['llm.output_messages', 'openinference'],
  ['output', 'plain', { bare: true }],
  ['outputs', 'plain', { bare: true }],
  ['llm.choices', 'openinference'],
  ['langfuse.observation.output', 'langfuse'],
  ['langfuse.trace.output', 'langfuse'],
  ['gen_ai.tool.call.result', 'genai'],
  ['ai.toolCall.result', 'ai-sdk'],
  ['ai.toolCall.output', 'ai-sdk'],
  ['ai.result', 'ai-sdk'],
  ['tool_response', 'pydantic'],
  ['lk.pii.function_tool.output', 'livekit'],
  ['lk.function_tool.output', 'livekit'],
  ['lk.pii.response.text', 'livekit'],
  ['lk.response.text', 'livekit'],
  ['lk.pii.response.function_calls', 'livekit'],
  ['lk.response.function_calls', 'livekit'],
  ['gen_ai.retrieval.documents', 'genai'],
  ['retrieval.documents', 'openinference'],
  ['reranker.output_documents', 'openinference'],
  ['gen_ai.memory.records', 'genai'],
  ['gen_ai.guardrail.output', 'openllmetry'],
  ['ai.embeddings', 'ai-sdk'],
  ['ai.embedding', 'ai-sdk'],
  ['embedding.embeddings', 'openinference'],
  ['embedding.vector', 'openinference'],
  ['mcp.response.value', 'openllmetry'],
  ['response_data', 'pydantic'],
  ['response', 'pydantic'],
  ...ofMastra('output'),
  ['spring.ai.tool.call.result', 'spring-ai'],
  ['db.vector.query.response.documents', 'spring-ai'],
]

/** Counts of tokens in `summary.usage`, by their name there. */
export const USAGE = {
  input_tokens: [
    // AWS's SDKs: Bedrock counts what it takes from the cache apart.
    ['gen_ai.usage.input_tokens', 'genai', { uncachedWith: 'rpc.service' }],
    ['ai.usage.inputTokens', 'ai-sdk'],
    ['langfuse.observation.usage_details.input', 'langfuse', { uncached: true }],
    ['langfuse.observation.usage_details.input_tokens', 'langfuse'],
    ['mlflow.chat.tokenUsage.input_tokens', 'mlflow'],
    ['input_tokens', 'claude-code', { uncached: true }],
    ['codex.turn.token_usage.input_tokens', 'codex'],
    ['genkit:output.usage.inputTokens', 'genkit', OF_ACTION],
  ],
  prompt_tokens: [
    ['gen_ai.usage.prompt_tokens', 'genai-old'],
    ['llm.token_count.prompt', 'openinference'],
    ['ai.usage.promptTokens', 'ai-sdk'],
    ['ai.usage.tokens', 'ai-sdk'],
    ['langfuse.observation.usage_details.prompt_tokens', 'langfuse'],
  ],
  completion_tokens: [
    ['gen_ai.usage.completion_tokens', 'genai-old'],
    ['llm.token_count.completion', 'openinference'],
    ['ai.usage.completionTokens', 'ai-sdk'],
    ['langfuse.observation.usage_details.completion_tokens', 'langfuse'],
  ],
  output_tokens: [
    ['gen_ai.usage.output_tokens', 'genai'],
    ['ai.usage.outputTokens', 'ai-sdk'],
    ['langfuse.observation.usage_details.output', 'langfuse'],
    ['langfuse.observation.usage_details.output_tokens', 'langfuse'],
    ['mlflow.chat.tokenUsage.output_tokens', 'mlflow'],
    ['output_tokens', 'claude-code'],
    ['codex.turn.token_usage.output_tokens', 'codex'],
    ['genkit:output.usage.outputTokens', 'genkit', OF_ACTION],
  ],
  total_tokens: [
    ['llm.usage.total_tokens', 'openllmetry'],
    ['llm.token_count.total', 'openinference'],
    ['gen_ai.usage.total_tokens', 'langsmith'],
    ['ai.usage.totalTokens', 'ai-sdk'],
    ['langfuse.observation.usage_details.total', 'langfuse'],
    ['langfuse.observation.usage_details.total_tokens', 'langfuse'],
    ['mlflow.chat.tokenUsage.total_tokens', 'mlflow'],
    ['codex.usage.total_tokens', 'codex'],
    ['codex.turn.token_usage.total_tokens', 'codex'],
  ],
  cache_creation_input_tokens: [
    ['gen_ai.usage.cache_creation.input_tokens', 'genai'],
    ['gen_ai.usage.cache_write.input_tokens', 'genai'],
    ['gen_ai.usage.cache_creation_input_tokens', 'openllmetry'],
    ['gen_ai.usage.cache_write_input_tokens', 'strands'],
    ['gen_ai.usage.details.cache_write_tokens', 'pydantic'],
    ['gen_ai.usage.details.cache_creation_input_tokens', 'pydantic'],
    ['gen_ai.usage.raw.cache_creation_input_tokens', 'pydantic', { uncached: true }],
    ['gen_ai.usage.raw.input_tokens_details.cache_write_tokens', 'pydantic'],
    ['gen_ai.usage.input_token_details.cache_creation', 'langsmith'],
    ['llm.token_count.prompt_details.cache_write', 'openinference'],
    ['langfuse.observation.usage_details.cache_creation_input_tokens', 'langfuse'],
    ['langfuse.observation.usage_details.input_cache_creation', 'langfuse'],
    ['mlflow.chat.tokenUsage.cache_creation_input_tokens', 'mlflow'],
    ['cache_creation_tokens', 'claude-code'],
    ['codex.turn.token_usage.cache_write_input_tokens', 'codex'],
  ],
  cache_read_input_tokens: [
    ['gen_ai.usage.cache_read.input_tokens', 'genai'],
    ['gen_ai.usage.prompt_tokens_details.cached_tokens', 'genai-old'],
    ['gen_ai.usage.input_tokens_details.cached_tokens', 'genai-old'],
    ['prompt_tokens_details.cached_tokens', 'plain'],
    ['gen_ai.usage.cache_read_input_tokens', 'openllmetry'],
    ['gen_ai.usage.input_cached_tokens', 'livekit'],
    ['gen_ai.usage.details.cache_read_tokens', 'pydantic'],
    ['gen_ai.usage.details.cache_read_input_tokens', 'pydantic'],
    ['gen_ai.usage.details.cached_tokens', 'pydantic'],
    // What the provider said: Anthropic counts these apart, OpenAI doesn't.
    ['gen_ai.usage.raw.cache_read_input_tokens', 'pydantic', { uncached: true }],
    ['gen_ai.usage.raw.prompt_tokens_details.cached_tokens', 'pydantic'],
    ['gen_ai.usage.raw.input_tokens_details.cached_tokens', 'pydantic'],
    ['gen_ai.usage.input_token_details.cache_read', 'langsmith'],
    ['llm.token_count.prompt_details.cache_read', 'openinference'],
    ['llm.token_count.prompt_details.cache_input', 'openinference'],
    ['ai.usage.cachedInputTokens', 'ai-sdk'],
    ['langfuse.observation.usage_details.cache_read_input_tokens', 'langfuse'],
    ['langfuse.observation.usage_details.input_cached_tokens', 'langfuse'],
    ['langfuse.observation.usage_details.prompt_tokens_details.cached_tokens', 'langfuse'],
    ['gen_ai.completion.llm_output.token_usage.prompt_tokens_details.cached_tokens', 'langsmith'],
    ['usage.input_tokens_details.cached_tokens', 'openai-agents'],
    ['mlflow.chat.tokenUsage.cache_read_input_tokens', 'mlflow'],
    ['cache_read_tokens', 'claude-code'],
    ['codex.turn.token_usage.cached_input_tokens', 'codex'],
    ['genkit:output.usage.cachedContentTokens', 'genkit', OF_ACTION],
  ],
  reasoning_tokens: [
    ['gen_ai.usage.reasoning.output_tokens', 'genai'],
    ['gen_ai.usage.reasoning_tokens', 'openllmetry'],
    ['gen_ai.usage.reasoning_output_tokens', 'genai'],
    ['gen_ai.usage.experimental.reasoning_tokens', 'adk'],
    ['gen_ai.usage.details.reasoning_tokens', 'pydantic'],
    ['gen_ai.usage.raw.completion_tokens_details.reasoning_tokens', 'pydantic'],
    ['gen_ai.usage.raw.output_tokens_details.reasoning_tokens', 'pydantic'],
    ['gen_ai.usage.output_token_details.reasoning', 'langsmith'],
    ['llm.token_count.completion_details.reasoning', 'openinference'],
    ['ai.usage.reasoningTokens', 'ai-sdk'],
    ['langfuse.observation.usage_details.output_reasoning_tokens', 'langfuse'],
    ['langfuse.observation.usage_details.completion_tokens_details.reasoning_tokens', 'langfuse'],
    ['gen_ai.completion.llm_output.token_usage.completion_tokens_details.reasoning_tokens', 'langsmith'],
    ['usage.output_tokens_details.reasoning_tokens', 'openai-agents'],
    ['codex.usage.reasoning_output_tokens', 'codex'],
    ['codex.turn.token_usage.reasoning_output_tokens', 'codex'],
    ['genkit:output.usage.thoughtsTokens', 'genkit', OF_ACTION],
  ],
  input_text_tokens: [
    ['gen_ai.usage.text.input_tokens', 'genai'],
    ['gen_ai.usage.input_text_tokens', 'livekit'],
  ],
  output_text_tokens: [
    ['gen_ai.usage.text.output_tokens', 'genai'],
    ['gen_ai.usage.output_text_tokens', 'livekit'],
  ],
  input_audio_tokens: [
    ['gen_ai.usage.audio.input_tokens', 'genai'],
    ['gen_ai.usage.input_audio_tokens', 'livekit'],
    ['gen_ai.usage.details.input_audio_tokens', 'pydantic'],
    ['llm.token_count.prompt_details.audio', 'openinference'],
  ],
  output_audio_tokens: [
    ['gen_ai.usage.audio.output_tokens', 'genai'],
    ['gen_ai.usage.output_audio_tokens', 'livekit'],
    ['gen_ai.usage.details.output_audio_tokens', 'pydantic'],
    ['llm.token_count.completion_details.audio', 'openinference'],
  ],
  input_image_tokens: [['gen_ai.usage.image.input_tokens', 'genai']],
  output_image_tokens: [['gen_ai.usage.image.output_tokens', 'genai']],
  input_video_tokens: [['gen_ai.usage.video.input_tokens', 'genai']],
  output_video_tokens: [['gen_ai.usage.video.output_tokens', 'genai']],
} as const satisfies Record<string, Target>

/** Names of one count: where a span has both, the first is kept, for readers add up what they find. */
export const SYNONYMS = [
  ['input_tokens', 'prompt_tokens'],
  ['output_tokens', 'completion_tokens'],
] as const satisfies readonly (readonly [keyof typeof USAGE, keyof typeof USAGE])[]

/** What the sender says it cost, in dollars, in `summary.usage` by its name there. */
export const COSTS = {
  input_cost: [
    ['llm.cost.prompt', 'openinference'],
    ['gen_ai.cost.input_cost', 'litellm'],
    ['gen_ai.usage.input_cost', 'langfuse'],
    ['langfuse.observation.cost_details.input', 'langfuse'],
    ['mlflow.llm.cost.input_cost', 'mlflow'],
  ],
  output_cost: [
    ['llm.cost.completion', 'openinference'],
    ['gen_ai.cost.output_cost', 'litellm'],
    ['gen_ai.usage.output_cost', 'langfuse'],
    ['langfuse.observation.cost_details.output', 'langfuse'],
    ['mlflow.llm.cost.output_cost', 'mlflow'],
  ],
  total_cost: [
    ['gen_ai.usage.cost', 'openllmetry', { positive: true }],
    ['operation.cost', 'pydantic'],
    ['llm.cost.total', 'openinference'],
    ['gen_ai.cost.total_cost', 'litellm'],
    ['gen_ai.usage.total_cost', 'langfuse'],
    ['langfuse.observation.cost_details.total', 'langfuse'],
    ['mlflow.llm.cost.total_cost', 'mlflow'],
  ],
} as const satisfies Record<string, Target>

/** A call's attributes, by their name there. */
export const ATTRIBUTES = {
  system: [
    ['gen_ai.system_instructions', 'genai'],
    ['gen_ai.system', 'genai-old'],
    ['llm.system', 'openinference'],
  ],
  kind: [
    ['weave.span.kind', 'own'],
    ['traceloop.span.kind', 'openllmetry'],
    ['openinference.span.kind', 'openinference'],
    ['langfuse.observation.type', 'langfuse'],
    ['lmnr.span.type', 'laminar'],
    ['langsmith.span.kind', 'langsmith'],
    ['mlflow.spanType', 'mlflow'],
    ['gen_ai.operation.name', 'genai', { operation: true }],
    ['ai.operationId', 'ai-sdk', { operation: true }],
    ['operation.name', 'ai-sdk', { operation: true }],
    ['span.type', 'claude-code', { operation: true }],
    ['code.function', 'openai-agents', { operation: true }],
    ['mcp.method.name', 'mcp', { operation: true }],
    ['a2a.method.name', 'a2a', { operation: true }],
    ['a2a.operation', 'a2a', { operation: true }],
    ['mastra.span.type', 'mastra', { operation: true }],
    ['genkit:metadata:subtype', 'genkit', { operation: true }],
    ['spring.ai.kind', 'spring-ai', { operation: true }],
    ['ag2.span.type', 'ag2', { operation: true }],
  ],
  model: [
    ['gen_ai.response.model', 'genai'],
    ['gen_ai.request.model', 'genai'],
    ['llm.model_name', 'openinference'],
    ['ai.model.id', 'ai-sdk'],
    ['langfuse.observation.model.name', 'langfuse'],
    ['mlflow.llm.model', 'mlflow'],
    ['llm.response.model_name', 'openinference'],
    ['llm.request.model_name', 'openinference'],
    ['llm.invocation_parameters.model', 'openinference'],
    ['embedding.model_name', 'openinference'],
    ['reranker.model_name', 'openinference'],
    ['langsmith.metadata.ls_model_name', 'langsmith'],
    ['mlflow.spanInputs.model', 'mlflow'],
    ['model_name', 'pydantic'],
    ['genkit:output.raw.model', 'genkit', OF_ACTION],
    ['genkit:output.raw.modelVersion', 'genkit', OF_ACTION],
    ['model', 'plain'],
  ],
  provider: [
    ['gen_ai.provider.name', 'genai'],
    ['llm.provider', 'openinference'],
    ['ai.model.provider', 'ai-sdk'],
    ['mlflow.llm.provider', 'mlflow'],
    ['langsmith.metadata.ls_provider', 'langsmith'],
  ],
  model_parameters: [
    ['gen_ai.request', 'genai'],
    ['llm.invocation_parameters', 'openinference'],
    ['langfuse.observation.model.parameters', 'langfuse'],
    ['embedding.invocation_parameters', 'openinference'],
  ],
  operation_name: [['gen_ai.operation.name', 'genai']],
  response_id: [['gen_ai.response.id', 'genai']],
  finish_reasons: [
    ['gen_ai.response.finish_reasons', 'genai'],
    ['llm.finish_reason', 'openinference'],
    ['ai.response.finishReason', 'ai-sdk'],
  ],
  agent_name: [
    ['gen_ai.agent.name', 'genai'],
    ['agent.name', 'openinference'],
  ],
  agent_id: [['gen_ai.agent.id', 'genai']],
  top_k: [['gen_ai.retrieval.top_k', 'genai']],
  user_id: [
    ['user.id', 'opentelemetry'],
    ['enduser.id', 'opentelemetry'],
    ['langfuse.user.id', 'langfuse'],
    ['ai.telemetry.metadata.userId', 'ai-sdk'],
    ['ai.settings.context.userId', 'ai-sdk'],
    ['mlflow.trace.user', 'mlflow'],
    ['traceloop.association.properties.user_id', 'openllmetry'],
    ['langsmith.metadata.user_id', 'langsmith'],
    ['lmnr.association.properties.user_id', 'laminar'],
    ['mastra.metadata.userId', 'mastra'],
    ['metadata.user_id', 'openinference'],
    ['llm.user', 'openllmetry'],
  ],
} as const satisfies Record<string, Target>

/** Where and by what a call was made: columns by which calls are filtered, grouped and sorted. */
export const LABELS = {
  environment: [
    ['langfuse.environment', 'langfuse'],
    ['deployment.environment.name', 'opentelemetry'],
    ['deployment.environment', 'opentelemetry'],
    ['ai.telemetry.metadata.environment', 'ai-sdk'],
    ['langsmith.metadata.environment', 'langsmith'],
    ['traceloop.association.properties.environment', 'openllmetry'],
    ['environment', 'plain'],
  ],
  release: [
    ['langfuse.release', 'langfuse'],
    ['ai.telemetry.metadata.release', 'ai-sdk'],
    ['release', 'plain'],
  ],
  version: [
    ['langfuse.version', 'langfuse'],
    ['service.version', 'opentelemetry'],
    ['ai.telemetry.metadata.version', 'ai-sdk'],
    ['version', 'plain'],
  ],
  prompt_name: [
    ['langfuse.observation.prompt.name', 'langfuse'],
    ['langfuse.prompt.name', 'langfuse'],
    ['ai.telemetry.metadata.langfusePrompt.name', 'ai-sdk'],
    ['gen_ai.prompt.name', 'genai'],
    ['traceloop.prompt.key', 'openllmetry'],
    ['langsmith.metadata.lc_hub_repo', 'langsmith'],
    ['llm.prompt_template.name', 'openinference'],
    ['prompt.id', 'openinference'],
    ['prompt.name', 'plain'],
    ['prompt_name', 'plain'],
  ],
  prompt_version: [
    ['langfuse.observation.prompt.version', 'langfuse'],
    ['langfuse.prompt.version', 'langfuse'],
    ['ai.telemetry.metadata.langfusePrompt.version', 'ai-sdk'],
    ['gen_ai.prompt.version', 'genai'],
    ['traceloop.prompt.version', 'openllmetry'],
    ['langsmith.metadata.lc_hub_commit_hash', 'langsmith'],
    ['llm.prompt_template.version', 'openinference'],
    ['prompt.version', 'plain'],
    ['prompt_version', 'plain'],
  ],
} as const satisfies Record<string, Target>

export type Label = keyof typeof LABELS

/** Those that the resource of a span says where the span doesn't, by the same keys. */
export const RESOURCE_LABELS = ['environment', 'release', 'version'] as const satisfies readonly Label[]

/** How long the first part of an answer took, from the start of the call. */
export const FIRST_TOKEN: Target = [
  ['gen_ai.response.time_to_first_chunk', 'genai', { unit: 'seconds' }],
  ['gen_ai.response.time_to_first_token', 'plain', { unit: 'seconds' }],
  ['langfuse.observation.completion_start_time', 'langfuse', { unit: 'moment' }],
  ['ai.response.msToFirstChunk', 'ai-sdk', { unit: 'milliseconds' }],
  ['lk.response.ttft', 'livekit', { unit: 'seconds' }],
  ['ttft_ms', 'claude-code', { unit: 'milliseconds' }],
  ['time_to_first_token_ms', 'plain', { unit: 'milliseconds' }],
]

/** How counts are read that are columns, too. */
const COUNT_READINGS = new Map(
  Object.values<Target>(USAGE).flatMap((target) =>
    target.flatMap(([key, , reading]): [string, Reading][] =>
      reading === undefined ? [] : [[key, reading]],
    ),
  ),
)

/** What an agent did: columns by which its spans are listed, grouped and summed. */
export const AGENT = new Map<keyof typeof COLUMN_KEYS, Target>(
  Object.entries<readonly string[]>(COLUMN_KEYS).map(([name, keys]) => [
    name as keyof typeof COLUMN_KEYS,
    keys.map(
      (key): Source => [key, key.startsWith('weave.') ? 'own' : 'genai', COUNT_READINGS.get(key) ?? {}],
    ),
  ]),
)

/** Conversations and sessions: their spans' threads. */
const CONVERSATIONS: Target = [
  ['weave.conversation.id', 'own'],
  ['gen_ai.conversation.id', 'genai'],
  ['gcp.vertex.agent.session_id', 'adk'],
  ['conversation.id', 'codex'],
]
const SESSIONS: Target = [
  ['session.id', 'opentelemetry'],
  ['langfuse.session.id', 'langfuse'],
  ['traceloop.association.properties.thread_id', 'openllmetry'],
  ['traceloop.association.properties.session_id', 'openllmetry'],
  ['langsmith.metadata.thread_id', 'langsmith'],
  ['langsmith.metadata.session_id', 'langsmith'],
  ['langsmith.metadata.conversation_id', 'langsmith'],
  ['ai.telemetry.metadata.sessionId', 'ai-sdk'],
  ['ai.settings.context.sessionId', 'ai-sdk'],
  ['mlflow.trace.session', 'mlflow'],
  ['lmnr.association.properties.session_id', 'laminar'],
  ['mastra.metadata.sessionId', 'mastra'],
  ['metadata.thread_id', 'openinference'],
  ['group_id', 'openai-agents'],
  ['a2a.context.id', 'a2a'],
  ['genkit:sessionId', 'genkit'],
  ['spring.ai.chat.client.conversation.id', 'spring-ai'],
]

/** What goes into columns of its own, or decides about them. */
export const FIELDS = {
  callId: own('call_id'),
  traceId: own('trace_id'),
  parentId: own('parent_id'),
  displayName: [...own('display_name'), ['logfire.msg', 'pydantic']],
  threadId: [...CONVERSATIONS, ...own('thread_id'), ...SESSIONS],
  /** the only one that a span is refused for, if it can't be a thread's */
  ownThreadId: own('thread_id'),
  /** what makes a span a turn where nothing says whether it is one */
  conversation: [...CONVERSATIONS, ...SESSIONS],
  isTurn: own('is_turn'),
  runId: own('wb_run_id'),
  runStep: own('wb_run_step'),
  runStepEnd: own('wb_run_step_end'),
  startTime: [['langfuse.startTime', 'langfuse']],
  endTime: [['langfuse.endTime', 'langfuse']],
  /** `ERROR`: the span failed, whatever its status */
  level: [['langfuse.observation.level', 'langfuse']],
  /** why it failed, where neither the status nor an event `exception` says so */
  errorMessage: [
    ['langfuse.observation.status_message', 'langfuse'],
    ['error.message', 'opentelemetry'],
    ['error.type', 'opentelemetry'],
  ],
  merged: own('attributes'),
} as const satisfies Record<string, Target>

/** The operation that fetches an answer which another call made: its tokens don't count again. */
export const FETCH = 'fetch_response'
/** The name of AG2's span that tells the usage of a request once more, beside the request's own. */
export const RECORDED = 'record_usage model_call'
/**
 * The scope of Spring AI 1, whose chat models call tools themselves: each request of such a loop tells the tokens of those
 * before it, too. In version 2, with Spring Boot 4, each tells its own.
 */
export const SUMMED = {
  scope: 'org.springframework.boot',
  version: '3.',
  reasons: ['TOOL_CALLS', 'tool_use'],
} as const

const kinds = (kind: string, ...operations: string[]): Record<string, string> =>
  Object.fromEntries(operations.map((operation) => [operation, kind]))

/** The kind of a span by what it does, up to the first space of the operation's name. */
export const OPERATION_KINDS: Readonly<Record<string, string>> = {
  chat: 'llm',
  text_completion: 'llm',
  generate_content: 'llm',
  [FETCH]: 'llm',
  llm_request: 'llm',
  llm_call: 'llm',
  generation_span: 'llm',
  response_span: 'llm',
  'ai.generateText': 'llm',
  'ai.generateText.doGenerate': 'llm',
  'ai.streamText': 'llm',
  'ai.streamText.doStream': 'llm',
  'ai.generateObject': 'llm',
  'ai.generateObject.doGenerate': 'llm',
  'ai.streamObject': 'llm',
  'ai.streamObject.doStream': 'llm',
  execute_tool: 'tool',
  tool: 'tool',
  tool_call: 'tool',
  'tools/call': 'tool',
  function_span: 'tool',
  'ai.toolCall': 'tool',
  invoke_agent: 'agent',
  create_agent: 'agent',
  interaction: 'agent',
  agent_call: 'agent',
  agent_span: 'agent',
  plan: 'agent',
  ...kinds('agent', 'SendMessage', 'SendStreamingMessage', 'message/send', 'message/stream'),
  ...kinds(
    'agent',
    'GetTask',
    'CancelTask',
    'SubscribeToTask',
    'tasks/get',
    'tasks/cancel',
    'tasks/resubscribe',
  ),
  invoke_workflow: 'workflow',
  schedule_tool_calls: 'workflow',
  embeddings: 'embedding',
  'ai.embed': 'embedding',
  'ai.embed.doEmbed': 'embedding',
  'ai.embedMany': 'embedding',
  'ai.embedMany.doEmbed': 'embedding',
  retrieval: 'retriever',
  search_memory: 'retriever',
  ...kinds('tool', 'create_memory', 'update_memory', 'upsert_memory', 'delete_memory'),
  ...kinds(
    'tool',
    'create_memory_store',
    'update_memory_store',
    'upsert_memory_store',
    'delete_memory_store',
  ),
  ...kinds('llm', 'llm', 'model', 'model_generation', 'model_step', 'model_inference'),
  ...kinds('tool', 'mcp_tool_call', 'code_execution'),
  ...kinds('agent', 'agent', 'agent_run', 'speaker_selection'),
  ...kinds(
    'workflow',
    'flow',
    'workflow_run',
    'workflow_step',
    'conversation',
    'initiate_chats',
    'chat_client',
  ),
  ...kinds('retriever', 'retriever', 'vector_store'),
  ...kinds('embedding', 'embedder'),
  apply_guardrail: 'guardrail',
  run_guardrail: 'guardrail',
}

/** Keys whose texts are JSON even where that is a string: it is unquoted, and read once more if it holds JSON. */
export const JSON_TEXTS: readonly string[] = [
  'mlflow.',
  'traceloop.entity.input',
  'traceloop.entity.output',
  'lmnr.span.input',
  'lmnr.span.output',
  'genkit:input',
  'genkit:output',
  'ai.toolCall.result',
  'ai.toolCall.output',
]

/**
 * Keys that conventions own: beside what was recognised, a call's attributes have every key of a span but these. People
 * filter by the rest.
 */
export const CONVENTION_KEYS: readonly string[] = [
  ...['ai.', 'gcp.vertex.agent.', 'gen_ai.', 'input.', 'langfuse.', 'langsmith.', 'llm.', 'lk.', 'lmnr.'],
  ...[
    'logfire.',
    'mlflow.',
    'openinference.',
    'output.',
    'platform.',
    'pydantic_ai.',
    'traceloop.',
    'wandb.',
    'weave.',
  ],
]

/** Under those, what users say in them. */
export const USER_KEYS: readonly string[] = [
  ...[
    'ai.settings.context.',
    'ai.telemetry.metadata.',
    'langfuse.observation.metadata',
    'langfuse.session.id',
    'langfuse.trace.metadata',
  ],
  ...['langfuse.trace.tags', 'langfuse.user.id', 'langsmith.metadata.', 'langsmith.span.tags'],
  ...[
    'mlflow.trace.session',
    'mlflow.trace.user',
    'mlflow.traceTag.',
    'traceloop.association.properties.',
    'lmnr.association.properties.',
  ],
]

/** Which events of a span carry what was said, and by whom. */
export const EVENTS: Readonly<Record<string, { to: 'inputs' | 'output'; role: string }>> = {
  'gen_ai.system.message': { to: 'inputs', role: 'system' },
  'gen_ai.user.message': { to: 'inputs', role: 'user' },
  'gen_ai.assistant.message': { to: 'inputs', role: 'assistant' },
  'gen_ai.tool.message': { to: 'inputs', role: 'tool' },
  'gen_ai.choice': { to: 'output', role: 'assistant' },
  'gen_ai.content.prompt': { to: 'inputs', role: 'user' },
  'gen_ai.content.completion': { to: 'output', role: 'assistant' },
}

/**
 * Events that are inputs or output, by the attributes that are; the first that is there counts. Where a span has several,
 * an event counts before those below it.
 */
export const EVENT_FIELDS: Readonly<
  Record<
    string,
    {
      readonly convention: Convention
      readonly inputs?: readonly string[]
      readonly output?: readonly string[]
    }
  >
> = {
  'claude_code.user_prompt': { convention: 'claude-code', inputs: ['prompt'] },
  'claude_code.assistant_response': { convention: 'claude-code', output: ['response'] },
  'claude_code.api_request_body': { convention: 'claude-code', inputs: ['body'] },
  'claude_code.api_response_body': { convention: 'claude-code', output: ['body'] },
  'claude_code.tool_result': { convention: 'claude-code', inputs: ['tool_input', 'tool_parameters'] },
  'tool.output': {
    convention: 'claude-code',
    inputs: ['bash_command', 'file_path'],
    output: ['output', 'content', 'diff'],
  },
  'codex.user_prompt': { convention: 'codex', inputs: ['prompt'] },
  'codex.tool_result': { convention: 'codex', inputs: ['arguments'], output: ['output'] },
  'gemini_cli.user_prompt': { convention: 'gemini-cli', inputs: ['prompt'] },
  'gemini_cli.api_request': { convention: 'gemini-cli', inputs: ['request_text'] },
  'gemini_cli.api_response': { convention: 'gemini-cli', output: ['response_text'] },
  'gemini_cli.tool_call': { convention: 'gemini-cli', inputs: ['function_args'] },
}

/** The attributes of an event that say how a call was judged; of several keys the first that is there counts. */
interface Judgement {
  /** the feedback's name where the event has none */
  readonly unnamed: string
  readonly name: readonly string[]
  readonly score: readonly string[]
  readonly label: readonly string[]
  readonly explanation: readonly string[]
}

/** Events that say how a call was judged: feedback on the call. Guardrails are not in a release of the conventions yet. */
export const JUDGEMENTS: Readonly<Record<string, Judgement>> = {
  'gen_ai.evaluation.result': {
    unnamed: 'evaluation',
    name: ['gen_ai.evaluation.name'],
    score: ['gen_ai.evaluation.score.value'],
    label: ['gen_ai.evaluation.score.label'],
    explanation: ['gen_ai.evaluation.explanation'],
  },
  'gen_ai.guardrail.result': {
    unnamed: 'guardrail',
    name: ['gen_ai.guardrail.component.name', 'gen_ai.guardrail.name'],
    score: ['gen_ai.guardrail.security.risk.score'],
    label: ['gen_ai.guardrail.verdict.type', 'gen_ai.guardrail.action.type'],
    explanation: ['gen_ai.guardrail.verdict.reason', 'error.type'],
  },
  'gen_ai.guardrail.security.finding': {
    unnamed: 'guardrail',
    name: ['gen_ai.guardrail.component.name', 'gen_ai.guardrail.name'],
    score: ['gen_ai.guardrail.security.risk.score'],
    label: ['gen_ai.guardrail.security.risk.category', 'gen_ai.guardrail.verdict.type'],
    explanation: ['gen_ai.guardrail.security.finding.evidence', 'gen_ai.guardrail.verdict.reason'],
  },
  'gen_ai.security.finding': {
    unnamed: 'guardrail',
    name: ['gen_ai.security.guardrail.name', 'gen_ai.security.policy.name'],
    score: ['gen_ai.security.risk.score'],
    label: ['gen_ai.security.risk.finding', 'gen_ai.security.verdict.type'],
    explanation: ['gen_ai.security.finding.evidence', 'gen_ai.security.verdict.reason'],
  },
}

/** What other events begin with that are kept with their span. */
export const EVENT_NAMESPACES: readonly string[] = [
  ...['gen_ai.', 'claude_code.', 'codex.', 'gemini_cli.', 'tool.output'],
]

/** What a log record's body stands for. */
export const EVENT_BODY = 'gen_ai.event.content'

/** Attributes of such an event that are a whole message, as JSON text or as text. */
export const EVENT_MESSAGES: readonly string[] = [EVENT_BODY, 'gen_ai.prompt', 'gen_ai.completion', 'message']

/** Attributes of any event that are inputs or output as they are. */
export const EVENT_VALUES: Readonly<Record<'inputs' | 'output', readonly string[]>> = {
  inputs: ['gen_ai.input.messages', 'gen_ai.tool.call.arguments'],
  output: ['gen_ai.output.messages', 'gen_ai.tool.call.result'],
}

/** Resource attributes that name the project a block's spans belong to. */
export const RESOURCE_KEYS = {
  entity: ['platform.entity', 'wandb.entity'],
  project: ['platform.project', 'wandb.project'],
} as const

/** Translates a checked chat request into a node's request. A pure mapping, field by field. */

import {
  type ChatPrompt,
  type GenerateRequest,
  type Reporting,
  type Sampling,
  type Stopping,
  type Structure,
  TOOL_CHOICE,
} from '../../proto/heddle/node/v1/messages.js'
import type { ChatRequest } from './request.js'

/** What a node needs besides the caller's request. */
export interface NodeTerms {
  /** identifies the request on the node */
  requestId: string
  /** empty: the base model */
  adapterId: string
  /** requests with the same salt share cached prefixes */
  cacheSalt: string
  /** priority among all requests of the node */
  priority: number
  /** counts the tokens of the prompt, and generates nothing */
  countOnly?: boolean
}

export function generateRequestOf(request: ChatRequest, terms: NodeTerms): GenerateRequest {
  const { fields } = request
  return given({
    ...terms,
    ...promptOf(request),
    truncatePromptTokens: request.truncatePromptTokens,
    sampling: samplingOf(request),
    stopping: stoppingOf(request),
    structure: structureOf(request),
    reporting: reportingOf(request),
    stream: fields.stream,
    kvTransferParamsJson: request.json('kv_transfer_params'),
    backendXargsJson: request.json('backend_xargs') ?? request.json('vllm_xargs'),
  })
}

function promptOf(request: ChatRequest): Pick<GenerateRequest, 'chat' | 'text' | 'tokens'> {
  const { prompt } = request
  if (!prompt) return { chat: chatOf(request) }
  return 'text' in prompt ? { text: prompt } : { tokens: prompt }
}

function chatOf(request: ChatRequest): ChatPrompt {
  const { fields } = request
  const { tool_choice: choice } = fields
  return given({
    messagesJson: request.images?.messages ?? request.json('messages') ?? '[]',
    images: request.images?.files.map((data) => ({ data })),
    toolsJson: fields.tools?.length ? request.json('tools') : undefined,
    toolChoice: typeof choice === 'object' && choice ? TOOL_CHOICE.function : TOOL_CHOICE[choice ?? 'none'],
    toolName: typeof choice === 'object' ? choice?.function.name : undefined,
    parallelToolCalls: fields.parallel_tool_calls,
    documentsJson: request.json('documents'),
    chatTemplate: fields.chat_template,
    chatTemplateKwargsJson: request.json('chat_template_kwargs'),
    addGenerationPrompt: fields.add_generation_prompt,
    continueFinalMessage: fields.continue_final_message,
    addSpecialTokens: fields.add_special_tokens,
    echo: fields.echo,
    reasoningEffort: fields.reasoning_effort,
    includeReasoning: fields.include_reasoning,
    mmProcessorKwargsJson: request.json('mm_processor_kwargs'),
  })
}

function samplingOf({ fields, seed }: ChatRequest): Sampling {
  const allowed = fields.allowed_token_ids
  return given({
    temperature: fields.temperature,
    topP: fields.top_p,
    topK: fields.top_k,
    minP: fields.min_p,
    frequencyPenalty: fields.frequency_penalty,
    presencePenalty: fields.presence_penalty,
    repetitionPenalty: fields.repetition_penalty,
    logitBias: fields.logit_bias,
    seed,
    n: fields.n,
    useBeamSearch: fields.use_beam_search,
    lengthPenalty: fields.length_penalty,
    allowedTokenIds: allowed ? { tokenIds: allowed } : undefined,
    badWords: fields.bad_words,
  })
}

function stoppingOf({ fields }: ChatRequest): Stopping {
  const { stop, repetition_detection: repetition } = fields
  const most = fields.max_completion_tokens ?? fields.max_tokens
  return given({
    maxTokens: most ? String(most) : undefined,
    minTokens: fields.min_tokens ? String(fields.min_tokens) : undefined,
    stop: typeof stop === 'string' ? (stop === '' ? undefined : [stop]) : stop,
    stopTokenIds: fields.stop_token_ids,
    includeStopStrInOutput: fields.include_stop_str_in_output,
    ignoreEos: fields.ignore_eos,
    repetitionDetection: repetition
      ? given({
          maxPatternSize: repetition.max_pattern_size,
          minPatternSize: repetition.min_pattern_size,
          minCount: repetition.min_count,
        })
      : undefined,
  })
}

function structureOf(request: ChatRequest): Structure | undefined {
  const { structured_outputs: asked, response_format: format } = request.fields
  const kind = format?.type ?? (format?.json_schema ? 'json_schema' : 'text')
  if (!asked && kind === 'text') return undefined
  const schema = asked?.json
  return given({
    json:
      typeof schema === 'string'
        ? schema
        : (request.json('structured_outputs', 'json') ??
          (kind === 'json_schema' ? request.json('response_format', 'json_schema', 'schema') : undefined)),
    regex: asked?.regex,
    choice: asked?.choice ? { values: asked.choice } : undefined,
    grammar: asked?.grammar,
    jsonObject: asked?.json_object || kind === 'json_object' || undefined,
    structuralTag:
      asked?.structural_tag ?? (kind === 'structural_tag' ? request.json('response_format') : undefined),
    disableFallback: asked?.disable_fallback,
    disableAnyWhitespace: asked?.disable_any_whitespace,
    disableAdditionalProperties: asked?.disable_additional_properties,
    whitespacePattern: asked?.whitespace_pattern,
    backend: asked?._backend,
    backendWasAuto: asked?._backend_was_auto,
  })
}

function reportingOf({ fields, promptText, keepsTokens }: ChatRequest): Reporting {
  return given({
    promptText,
    logprobs: fields.logprobs,
    topLogprobs: fields.top_logprobs,
    promptLogprobs: fields.prompt_logprobs,
    returnTokensAsTokenIds: fields.return_tokens_as_token_ids,
    promptTokenIds: keepsTokens || fields.return_token_ids,
    skipSpecialTokens: fields.skip_special_tokens,
    spacesBetweenSpecialTokens: fields.spaces_between_special_tokens,
  })
}

type Given<T> = { [K in keyof T]: Exclude<T[K], null> }

/** Drops null and undefined fields: the node's defaults for absent fields are the interface's. */
function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as Given<T>
}

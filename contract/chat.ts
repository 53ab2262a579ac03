/**
 * The chat completion request: one schema with every field of the specification's table and its bounds. `domain/chat`
 * checks fields against each other. Optional fields may also be null.
 */
import { z } from 'zod'
import { component, maybe, openComponent } from './shared.js'

const json = z.record(z.string(), z.unknown())
const texts = z.array(z.string()).max(1024)
const tokenIds = z.array(z.int().min(0)).max(262_144)

/** 64-bit integers; the printed bounds are the limits after float rounding. The digits are kept elsewhere. */
const int64 = (min: number) =>
  z
    .number()
    .refine((value) => Number.isInteger(value), 'Should be a whole number')
    .refine((value) => value >= min && value <= 2 ** 63, 'Should be a whole number of 64 bits')
    .meta({ type: 'integer', minimum: min, maximum: 2 ** 63 })

const contentPart = openComponent('ContentPart', { type: z.string(), text: z.string().optional() })

const functionCall = z.looseObject({ name: z.string(), arguments: z.string() })

const toolCall = openComponent('ToolCall', {
  id: z.string(),
  type: z.literal('function'),
  function: functionCall,
})

const message = openComponent('Message', {
  role: z.string().describe('developer, system, user, assistant, tool, … as the template supports'),
  content: z.union([z.string(), z.array(contentPart)], 'Should be a text or a list of parts').nullish(),
  name: maybe(z.string()),
  tool_call_id: maybe(z.string()),
  tool_calls: maybe(z.array(toolCall)),
  reasoning: maybe(z.string()),
})

const tool = openComponent('Tool', {
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string().min(1),
    description: maybe(z.string()),
    parameters: maybe(json),
  }),
})

const responseFormat = openComponent('ResponseFormat', {
  type: z.enum(['text', 'json_object', 'json_schema', 'structural_tag']).optional(),
  json_schema: maybe(
    z.looseObject({
      name: maybe(z.string()),
      description: maybe(z.string()),
      schema: maybe(json),
      strict: maybe(z.boolean()),
    }),
  ),
})

const structuredOutputs = component('StructuredOutputs', {
  json: maybe(z.union([z.string(), json])),
  regex: maybe(z.string()),
  choice: maybe(texts.min(1)),
  grammar: maybe(z.string()),
  json_object: maybe(z.boolean()),
  disable_fallback: maybe(z.boolean()),
  disable_any_whitespace: maybe(z.boolean()),
  disable_additional_properties: maybe(z.boolean()),
  whitespace_pattern: maybe(z.string()),
  structural_tag: maybe(z.string()),
  _backend: maybe(z.string()),
  _backend_was_auto: maybe(z.boolean()),
})

const xarg = z.union([z.string(), z.number()])

/** What the routes that ask a model have in common. */
export const asksModel = {
  method: 'POST',
  access: 'read',
  project: 'none',
  unlimited: 'the chat queue limits the waiting and running requests of each key and entity',
  // The digits of 64-bit numbers are read from the bytes.
  raw: true,
  maxBytes: 16 * 2 ** 20,
} as const

/** Every field of the request. */
export const chatFields = {
  messages: z.array(message),
  model: maybe(z.string()),
  frequency_penalty: maybe(z.number().min(-2).max(2)),
  logit_bias: maybe(
    z.record(z.string().regex(/^\d{1,9}$/, 'Should be a token id'), z.number().min(-100).max(100)),
  ),
  logprobs: maybe(z.boolean()),
  top_logprobs: maybe(z.int().min(0).max(20)),
  max_tokens: maybe(z.int().min(1)).meta({ deprecated: true }),
  max_completion_tokens: maybe(z.int().min(1)),
  n: maybe(z.int().min(1).max(128)),
  presence_penalty: maybe(z.number().min(-2).max(2)),
  response_format: maybe(responseFormat),
  seed: maybe(int64(-(2 ** 63))),
  stop: maybe(z.union([z.string(), texts])),
  stream: maybe(z.boolean()),
  stream_options: maybe(
    z.object({
      include_usage: maybe(z.boolean()),
      continuous_usage_stats: maybe(z.boolean()),
    }),
  ),
  temperature: maybe(z.number().min(0)),
  top_p: maybe(z.number().gt(0).max(1)),
  tools: maybe(z.array(tool).max(1024)),
  tool_choice: maybe(
    z.union([
      z.enum(['none', 'auto', 'required']),
      z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }),
    ]),
  ),
  reasoning_effort: maybe(z.enum(['low', 'medium', 'high'])),
  include_reasoning: maybe(z.boolean()),
  parallel_tool_calls: maybe(z.boolean()),
  user: maybe(z.string()),
  use_beam_search: maybe(z.boolean()),
  top_k: maybe(
    z
      .int()
      .min(-1)
      .max(2 ** 31 - 1),
  ),
  min_p: maybe(z.number().min(0).max(1)),
  repetition_penalty: maybe(z.number().gt(0)),
  length_penalty: maybe(z.number()),
  stop_token_ids: maybe(tokenIds),
  include_stop_str_in_output: maybe(z.boolean()),
  ignore_eos: maybe(z.boolean()),
  min_tokens: maybe(z.int().min(0)),
  skip_special_tokens: maybe(z.boolean()),
  spaces_between_special_tokens: maybe(z.boolean()),
  truncate_prompt_tokens: maybe(int64(-1)),
  prompt_logprobs: maybe(
    z
      .int()
      .min(-1)
      .max(2 ** 31 - 1),
  ),
  allowed_token_ids: maybe(tokenIds),
  bad_words: maybe(texts),
  echo: maybe(z.boolean()),
  add_generation_prompt: maybe(z.boolean()),
  continue_final_message: maybe(z.boolean()),
  add_special_tokens: maybe(z.boolean()),
  documents: maybe(z.array(json)),
  chat_template: maybe(z.string()),
  chat_template_kwargs: maybe(json),
  mm_processor_kwargs: maybe(json),
  structured_outputs: maybe(structuredOutputs),
  priority: maybe(z.int()),
  request_id: maybe(z.string().min(1).max(256)),
  return_tokens_as_token_ids: maybe(z.boolean()),
  return_token_ids: maybe(z.boolean()),
  cache_salt: maybe(z.string()),
  kv_transfer_params: maybe(json),
  backend_xargs: maybe(z.record(z.string(), z.union([xarg, z.array(xarg)]))),
  repetition_detection: maybe(
    z.object({
      max_pattern_size: maybe(z.int().min(0).max(1_000_000)),
      min_pattern_size: maybe(z.int().min(0).max(1_000_000)),
      min_count: maybe(z.int().min(0).max(1_000_000)),
    }),
  ),
}

const request = component('ChatCompletionRequest', chatFields)
export type ChatCompletionRequest = z.output<typeof request>

/** The field's older name; the neutral name wins if both are present. */
const OLD_XARGS = 'vllm_xargs'

export const chatCompletionRequest = z.preprocess((value) => {
  if (value === null || typeof value !== 'object' || !(OLD_XARGS in value)) return value
  return 'backend_xargs' in value ? value : { ...value, backend_xargs: value[OLD_XARGS] }
}, request)

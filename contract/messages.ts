/**
 * Anthropic's Messages interface: its request, answer and routes. Fields that change nothing here (`cache_control`,
 * `context_management`, `service_tier` and others) are accepted and ignored; so are unknown ones, as clients send new
 * ones with every release.
 */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { asksModel, chatFields } from './chat.js'
import { component, maybe, openComponent } from './shared.js'

const json = z.record(z.string(), z.unknown())

const source = maybe(
  z.looseObject({
    type: z.string(),
    data: z.string().optional(),
    content: z.unknown().optional(),
  }),
)

const about = { type: z.string(), text: z.string().optional(), title: maybe(z.string()) }

/** What a `tool_result` contains. */
const innerBlock = openComponent('MessageInnerBlock', {
  ...about,
  source: z.unknown().optional(),
  tool_name: z.string().optional(),
})

const tool = openComponent('MessageTool', {
  type: maybe(z.string()).describe('custom; tools of the provider are refused'),
  name: z.string().optional(),
  description: maybe(z.string()),
  input_schema: maybe(json),
  strict: maybe(z.boolean()),
  defer_loading: maybe(z.boolean()).describe('shown to the model once a tool_reference names it'),
})
export type MessageTool = z.output<typeof tool>

const block = openComponent('MessageBlock', {
  ...about,
  type: z
    .string()
    .describe('text, tool_use, tool_result, thinking, redacted_thinking, document, search_result'),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  content: maybe(z.union([z.string(), z.array(innerBlock), json])),
  is_error: maybe(z.boolean()),
  thinking: z.string().optional(),
  signature: maybe(z.string()),
  source: z.union([z.string(), source]).optional(),
  context: maybe(z.string()),
  tool: z
    .looseObject({ type: z.string(), name: z.string().optional(), definition: tool.optional() })
    .optional(),
})
export type MessageBlock = z.output<typeof block>

const content = z.union([z.string(), z.array(block)], 'Should be a text or a list of blocks')

const message = openComponent('InputMessage', {
  role: z.enum(['user', 'assistant', 'system']),
  content: maybe(content),
})
export type InputMessage = z.output<typeof message>

const format = maybe(z.looseObject({ type: z.literal('json_schema'), schema: json }))

/** Fields of chat completions that this interface takes, too, under their names. */
const extensions = {
  seed: chatFields.seed,
  min_p: chatFields.min_p,
  frequency_penalty: chatFields.frequency_penalty,
  presence_penalty: chatFields.presence_penalty,
  repetition_penalty: chatFields.repetition_penalty,
  logit_bias: chatFields.logit_bias,
  logprobs: chatFields.logprobs,
  top_logprobs: chatFields.top_logprobs,
  stop_token_ids: chatFields.stop_token_ids,
  min_tokens: chatFields.min_tokens,
  ignore_eos: chatFields.ignore_eos,
  structured_outputs: chatFields.structured_outputs,
  chat_template: chatFields.chat_template,
  chat_template_kwargs: chatFields.chat_template_kwargs,
  truncate_prompt_tokens: chatFields.truncate_prompt_tokens,
  priority: chatFields.priority,
  request_id: chatFields.request_id,
  cache_salt: chatFields.cache_salt,
  return_token_ids: chatFields.return_token_ids,
}
export const MESSAGE_EXTENSIONS: readonly string[] = Object.keys(extensions)

const counted = {
  model: z.string().min(1).describe('a base model or a trained one'),
  messages: z.array(message),
  system: maybe(z.union([z.string(), z.array(block)])),
  tools: maybe(z.array(tool).max(1024)),
  tool_choice: maybe(
    z.looseObject({
      type: z.enum(['auto', 'any', 'tool', 'none']),
      name: z.string().optional(),
      disable_parallel_tool_use: maybe(z.boolean()),
    }),
  ),
  thinking: maybe(
    z.looseObject({
      type: z.string().describe('enabled, adaptive, between_tools or disabled'),
      display: maybe(z.string()).describe('omitted: thinking is not sent, but comes back in the signature'),
    }),
  ),
  output_config: maybe(
    z.looseObject({ effort: maybe(z.string()), format }).describe('structured output, and how much to think'),
  ),
  output_format: format,
  mcp_servers: maybe(z.array(z.unknown())).describe('refused'),
  thread: maybe(json).describe('refused, so that SDKs send the whole conversation'),
}

const countRequest = component('MessageCountRequest', counted)

const request = component('MessageRequest', {
  ...counted,
  max_tokens: z.int().min(1).describe('more than the model has room for means all that it has'),
  stop_sequences: maybe(z.array(z.string()).max(64)),
  stream: chatFields.stream,
  temperature: chatFields.temperature,
  top_p: chatFields.top_p,
  top_k: chatFields.top_k,
  metadata: maybe(z.looseObject({ user_id: maybe(z.string()) })),
  ...extensions,
})
export const messageRequest = request
export const messageCountRequest = countRequest
export type MessageRequest = z.output<typeof request>
export type MessageCountRequest = z.output<typeof countRequest>

const Usage = component('MessageUsage', {
  input_tokens: z.int().describe('without those of the cache'),
  cache_creation_input_tokens: z.int(),
  cache_read_input_tokens: z.int(),
  output_tokens: z.int(),
  output_tokens_details: z.object({ thinking_tokens: z.int() }).optional(),
})
export type MessageUsage = z.output<typeof Usage>

const Message = component('MessageAnswer', {
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(
    z.discriminatedUnion('type', [
      component('TextBlock', { type: z.literal('text'), text: z.string() }),
      component('ThinkingBlock', {
        type: z.literal('thinking'),
        thinking: z.string(),
        signature: z.string(),
      }),
      component('ToolUseBlock', {
        type: z.literal('tool_use'),
        id: z.string(),
        name: z.string(),
        input: json,
      }),
    ]),
  ),
  stop_reason: z
    .string()
    .nullable()
    .describe('end_turn, max_tokens, model_context_window_exceeded, stop_sequence, tool_use'),
  stop_sequence: z.string().nullable(),
  usage: Usage,
  prompt_token_ids: z.array(z.int()).optional(),
  token_ids: z.array(z.int()).optional(),
  logprobs: z.unknown().optional(),
})

const shared = {
  ...asksModel,
  tag: 'messages',
} as const

export const createMessage = route({
  ...shared,
  id: 'create_message',
  path: '/v1/messages',
  summary: 'Answer a conversation as Anthropic’s SDKs expect it; with `stream`, as server-sent events',
  body: request,
  answer: Message,
})

export const countMessageTokens = route({
  ...shared,
  id: 'count_message_tokens',
  path: '/v1/messages/count_tokens',
  summary: 'Count the tokens of a conversation by the model’s own template',
  body: countRequest,
  answer: component('MessageTokens', { input_tokens: z.int() }),
})

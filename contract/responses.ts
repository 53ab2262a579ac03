/**
 * The Responses interface: its request, its answer and its routes. Items and tools are open here: `training-api/responses`
 * reads them. Settings that chat completions have as well are taken from there.
 */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { chatFields } from './chat.js'
import { component, maybe, openComponent } from './shared.js'

const json = z.record(z.string(), z.unknown())
const name = z.string().min(1).max(256)

const part = openComponent('ResponseContentPart', { type: z.string(), text: z.string().optional() })
const content = z.union([z.string(), z.array(part)], 'Should be a text or a list of parts')

const item = openComponent('ResponseInputItem', {
  type: maybe(z.string()).describe('absent: a message'),
  id: maybe(z.string()),
  role: maybe(z.string()),
  content: maybe(content),
  call_id: maybe(z.string()),
  name: maybe(z.string()),
  namespace: maybe(z.string()),
  arguments: maybe(z.string()).describe('JSON, of a function call'),
  input: maybe(z.string()).describe('of a call of a custom tool'),
  output: maybe(content),
  summary: maybe(z.array(part)),
  encrypted_content: maybe(z.string()),
})
export type ResponseItem = z.output<typeof item>
export type ResponsePart = z.output<typeof part>

const functionTool = {
  name: maybe(name),
  description: maybe(z.string()),
  parameters: maybe(json),
}
const tool = openComponent('ResponseTool', {
  type: z.string(),
  ...functionTool,
  format: maybe(z.looseObject({ type: z.string(), definition: maybe(z.string()) })),
  tools: maybe(z.array(z.looseObject({ type: z.string(), ...functionTool })).max(1024)),
})
export type ResponseTool = z.output<typeof tool>

const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.looseObject({
    type: z.string(),
    name: maybe(z.string()),
    mode: maybe(z.enum(['auto', 'required'])),
    tools: maybe(z.array(z.looseObject({ type: z.string(), name: maybe(z.string()) })).max(1024)),
  }),
])
export type ResponseToolChoice = z.output<typeof toolChoice>

const format = z.looseObject({
  type: z.enum(['text', 'json_object', 'json_schema']),
  name: maybe(z.string()),
  description: maybe(z.string()),
  schema: maybe(json),
  strict: maybe(z.boolean()),
})

const {
  messages: _messages,
  n: _n,
  use_beam_search: _beams,
  stream_options: _options,
  max_tokens: _most,
  max_completion_tokens: mostTokens,
  logprobs: _logprobs,
  response_format: _format,
  reasoning_effort: _effort,
  tools: _tools,
  tool_choice: _choice,
  echo: _echo,
  continue_final_message: _continue,
  add_generation_prompt: _prompt,
  ...sameAsChat
} = chatFields

/** Names of the fields that chat completions take as they are. */
export const SAME_AS_CHAT: readonly string[] = Object.keys(sameAsChat)

const refused = maybe(z.unknown()).describe('refused: nothing is stored')
const NOT_HERE = {
  previous_response_id: refused,
  conversation: refused,
  background: refused,
  prompt: refused,
}
export const FIELDS_NOT_HERE = Object.keys(NOT_HERE) as (keyof typeof NOT_HERE)[]

const request = component('ResponseCreateRequest', {
  ...sameAsChat,
  input: maybe(z.union([z.string(), z.array(item)], 'Should be a text or a list of items')),
  instructions: maybe(z.string()),
  max_output_tokens: mostTokens,
  metadata: maybe(z.record(z.string().max(64), z.string().max(512))),
  text: maybe(z.looseObject({ format: maybe(format) })),
  tools: maybe(z.array(tool).max(1024)),
  tool_choice: maybe(toolChoice),
  reasoning: maybe(
    z.looseObject({
      effort: maybe(z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])),
      summary: maybe(z.enum(['auto', 'concise', 'detailed', 'none'])),
      generate_summary: maybe(z.enum(['auto', 'concise', 'detailed'])).meta({ deprecated: true }),
    }),
  ),
  include: maybe(z.array(z.string()).max(100)),
  truncation: maybe(z.enum(['auto', 'disabled'])),
  store: maybe(z.boolean()).describe('ignored: nothing is stored'),
  max_tool_calls: maybe(z.int().min(1)),
  prompt_cache_key: maybe(z.string()),
  safety_identifier: maybe(z.string()),
  ...NOT_HERE,
})
export type ResponseCreateRequest = z.output<typeof request>
export const responseCreateRequest = request

const usage = component('ResponseUsage', {
  input_tokens: z.int(),
  input_tokens_details: z.object({ cached_tokens: z.int(), cache_write_tokens: z.int() }),
  output_tokens: z.int(),
  output_tokens_details: z.object({ reasoning_tokens: z.int() }),
  total_tokens: z.int(),
})

const output = openComponent('ResponseOutputItem', { type: z.string(), id: z.string() })
export type ResponseOutputItem = z.output<typeof output>

export const responseStatus = z.enum([
  'queued',
  'in_progress',
  'completed',
  'incomplete',
  'failed',
  'cancelled',
])
export type ResponseStatus = z.output<typeof responseStatus>

const response = openComponent('Response', {
  id: z.string(),
  object: z.literal('response'),
  created_at: z.number(),
  status: responseStatus,
  error: z.object({ code: z.string(), message: z.string(), reason: z.string() }).nullable(),
  incomplete_details: z.object({ reason: z.string() }).nullable(),
  model: z.string(),
  output: z.array(output),
  usage: usage.nullable(),
})
export type Response = z.output<typeof response>

export const createResponse = route({
  method: 'POST',
  tag: 'responses',
  access: 'read',
  project: 'none',
  unlimited: 'the chat queue limits the waiting and running requests of each key and entity',
  // Digits of 64-bit numbers are read from the bytes.
  raw: true,
  maxBytes: 16 * 2 ** 20,
  id: 'create_response',
  path: '/v1/responses',
  aliases: ['/v1/responses/'],
  summary: 'Answer items with a message, reasoning and tool calls; with `stream`, as server-sent events',
  body: request,
  answer: response,
})

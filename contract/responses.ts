/**
 * The Responses interface: its request, its answer and its routes. Items and tools are open here: `training-api/responses`
 * reads them. Settings that chat completions have as well are taken from there.
 */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { asksModel, chatFields } from './chat.js'
import { component, maybe, openComponent } from './shared.js'
import { orderQuery, pageOf, pageQuery } from './training-shared.js'

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

const metadata = maybe(z.record(z.string().max(64), z.string().max(512)))

const request = component('ResponseCreateRequest', {
  ...sameAsChat,
  input: maybe(z.union([z.string(), z.array(item)], 'Should be a text or a list of items')),
  instructions: maybe(z.string()),
  max_output_tokens: mostTokens,
  metadata,
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
  store: maybe(z.boolean()).describe('default: true'),
  max_tool_calls: maybe(z.int().min(1)),
  prompt_cache_key: maybe(z.string()),
  safety_identifier: maybe(z.string()),
  previous_response_id: maybe(name),
  conversation: maybe(z.union([name, z.looseObject({ id: name })])),
  background: maybe(z.boolean()),
  prompt: maybe(z.unknown()).describe('refused: there are no stored prompts'),
})
export type ResponseCreateRequest = z.output<typeof request>
export const responseCreateRequest = request
const itemsRequest = component('ConversationItemsRequest', { items: z.array(item).max(1000) })

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

const asks = {
  ...asksModel,
  tag: 'responses',
  body: request,
} as const

export const createResponse = route({
  ...asks,
  id: 'create_response',
  path: '/v1/responses',
  aliases: ['/v1/responses/'],
  summary: 'Answer items with a message, reasoning and tool calls; with `stream`, as server-sent events',
  answer: response,
})

export const countResponseTokens = route({
  ...asks,
  id: 'count_response_tokens',
  path: '/v1/responses/input_tokens',
  summary: 'Count the tokens of a request',
  answer: component('ResponseInputTokens', {
    object: z.literal('response.input_tokens'),
    input_tokens: z.int(),
  }),
})

export const compactResponse = route({
  ...asks,
  id: 'compact_response',
  path: '/v1/responses/compact',
  summary: 'Sum up a conversation in one item that a request can begin with',
  answer: component('CompactedResponse', {
    id: z.string(),
    object: z.literal('response.compaction'),
    created_at: z.number(),
    output: z.array(output),
    usage,
  }),
})

const inPath = z.object({ response_id: name })
const stored = { tag: 'responses', project: 'none', params: inPath } as const

export const retrieveResponse = route({
  ...stored,
  method: 'GET',
  access: 'read',
  id: 'retrieve_response',
  path: '/v1/responses/{response_id}',
  summary: 'Retrieve a stored response; with `stream`, follow one that runs in the background',
  query: z.object({
    stream: z.enum(['true', 'false']).optional(),
    starting_after: z.coerce.number().int().optional().describe('the number of the last event received'),
  }),
  answer: response,
})

export const deleteResponse = route({
  ...stored,
  method: 'DELETE',
  access: 'write',
  id: 'delete_response',
  audit: { category: 'deletion', names: ['params.response_id'] },
  path: '/v1/responses/{response_id}',
  summary: 'Delete a stored response',
  answer: component('ResponseDeleted', {
    id: z.string(),
    object: z.literal('response'),
    deleted: z.literal(true),
  }),
})

export const cancelResponse = route({
  ...stored,
  method: 'POST',
  access: 'read',
  id: 'cancel_response',
  path: '/v1/responses/{response_id}/cancel',
  summary: 'Cancel a response that runs in the background',
  answer: response,
})

const itemsQuery = z.object({ ...pageQuery, order: orderQuery('desc') })
const itemPage = pageOf(item, 'ResponseItemPage')

export const listInputItems = route({
  ...stored,
  method: 'GET',
  access: 'read',
  id: 'list_response_input_items',
  path: '/v1/responses/{response_id}/input_items',
  summary: 'List the items that a stored response was asked with',
  query: itemsQuery,
  answer: itemPage,
})

const conversation = component('Conversation', {
  id: z.string(),
  object: z.literal('conversation'),
  created_at: z.int(),
  metadata: z.record(z.string(), z.string()),
})
const conversationPath = z.object({ conversation_id: name })
const ofConversation = {
  tag: 'conversations',
  project: 'none',
  params: conversationPath,
  path: '/v1/conversations/{conversation_id}',
} as const

export const createConversation = route({
  method: 'POST',
  tag: 'conversations',
  access: 'write',
  project: 'none',
  id: 'create_conversation',
  path: '/v1/conversations',
  summary: 'Create a conversation, to which responses add their items',
  body: component('ConversationCreateRequest', { metadata, items: maybe(z.array(item).max(1000)) }),
  answer: conversation,
})

export const retrieveConversation = route({
  ...ofConversation,
  method: 'GET',
  access: 'read',
  id: 'retrieve_conversation',
  summary: 'Retrieve a conversation',
  answer: conversation,
})

export const updateConversation = route({
  ...ofConversation,
  method: 'POST',
  access: 'write',
  id: 'update_conversation',
  summary: 'Replace the metadata of a conversation',
  body: component('ConversationUpdateRequest', { metadata }),
  answer: conversation,
})

export const deleteConversation = route({
  ...ofConversation,
  method: 'DELETE',
  access: 'write',
  id: 'delete_conversation',
  audit: { category: 'deletion', names: ['params.conversation_id'] },
  summary: 'Delete a conversation and the items that were added to it; its responses stay',
  answer: component('ConversationDeleted', {
    id: z.string(),
    object: z.literal('conversation.deleted'),
    deleted: z.literal(true),
  }),
})

export const createItems = route({
  ...ofConversation,
  method: 'POST',
  access: 'write',
  id: 'create_conversation_items',
  path: '/v1/conversations/{conversation_id}/items',
  summary: 'Add items to a conversation',
  // Each is held against the shapes of all items.
  maxValues: 2 ** 15,
  body: itemsRequest,
  answer: itemPage,
})

export const listItems = route({
  ...ofConversation,
  method: 'GET',
  access: 'read',
  id: 'list_conversation_items',
  path: '/v1/conversations/{conversation_id}/items',
  summary: 'List the items of a conversation',
  query: itemsQuery,
  answer: itemPage,
})

const itemPath = z.object({ conversation_id: name, item_id: name })

export const retrieveItem = route({
  ...ofConversation,
  method: 'GET',
  access: 'read',
  id: 'retrieve_conversation_item',
  path: '/v1/conversations/{conversation_id}/items/{item_id}',
  params: itemPath,
  summary: 'Retrieve an item of a conversation',
  answer: item,
})

export const deleteItem = route({
  ...ofConversation,
  method: 'DELETE',
  access: 'write',
  id: 'delete_conversation_item',
  audit: { category: 'deletion', names: ['params.conversation_id', 'params.item_id'] },
  path: '/v1/conversations/{conversation_id}/items/{item_id}',
  params: itemPath,
  summary: 'Remove an item from a conversation',
  answer: conversation,
})

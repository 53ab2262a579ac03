/** The answers of a chat completion, complete and as chunks, and its routes. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { asksModel, chatCompletionRequest } from './chat.js'
import { component, maybe } from './shared.js'

const TopLogprob = component('TopLogprob', {
  token: z.string(),
  logprob: z.number(),
  bytes: z.array(z.int()).nullable(),
})

const ChoiceLogprobs = component('ChoiceLogprobs', {
  content: z
    .array(
      component('TokenLogprob', {
        token: z.string(),
        logprob: z.number(),
        bytes: z.array(z.int()).nullable(),
        top_logprobs: z.array(TopLogprob),
      }),
    )
    .nullable(),
})

const Usage = component('Usage', {
  prompt_tokens: z.int(),
  total_tokens: z.int(),
  completion_tokens: z.int(),
  prompt_tokens_details: z.object({ cached_tokens: z.int() }).nullish(),
  completion_tokens_details: z.object({ reasoning_tokens: z.int() }).nullish(),
})

const ending = {
  logprobs: ChoiceLogprobs.nullable(),
  finish_reason: z.string().nullable().describe('stop, length, tool_calls, repetition, abort'),
  stop_reason: z.union([z.int(), z.string()]).nullable().describe('the stop string or token that ended it'),
  token_ids: maybe(z.array(z.int())),
}

const ToolCallOut = component('ChoiceToolCall', {
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
})

const Choice = component('Choice', {
  index: z.int(),
  message: component('ChoiceMessage', {
    role: z.string(),
    content: z.string().nullable(),
    refusal: z.string().nullable(),
    reasoning: maybe(z.string()),
    tool_calls: z.array(ToolCallOut).optional(),
  }),
  ...ending,
})

const PromptLogprob = z.object({
  logprob: z.number(),
  rank: maybe(z.int()),
  decoded_token: maybe(z.string()),
})

const common = { id: z.string(), created: z.int(), model: z.string() }

const ChatCompletionResponse = component('ChatCompletionResponse', {
  ...common,
  object: z.literal('chat.completion'),
  choices: z.array(Choice),
  usage: Usage,
  service_tier: maybe(z.string()),
  system_fingerprint: maybe(z.string()),
  prompt_logprobs: maybe(z.array(z.record(z.string(), PromptLogprob).nullable())),
  prompt_token_ids: maybe(z.array(z.int())),
  kv_transfer_params: maybe(z.record(z.string(), z.unknown())),
})
export type ChatCompletionResponse = z.output<typeof ChatCompletionResponse>
export type ChatChoice = z.output<typeof Choice>
export type ChatUsage = z.output<typeof Usage>
export type ChatLogprobs = z.output<typeof ChoiceLogprobs>

/** A chunk of a stream, as a type; the stream itself is `text/event-stream`. */
export interface ChatCompletionChunk {
  id: string
  object: 'chat.completion.chunk'
  created: number
  model: string
  choices: {
    index: number
    delta: {
      role?: string
      content?: string
      reasoning?: string
      tool_calls?: {
        index: number
        id?: string
        type?: 'function'
        function: { name?: string; arguments?: string }
      }[]
    }
    logprobs: ChatLogprobs | null
    finish_reason: string | null
    stop_reason?: string | number | null
    token_ids?: number[] | null
  }[]
  usage?: ChatUsage
  prompt_token_ids?: number[]
  prompt_logprobs?: ChatCompletionResponse['prompt_logprobs']
}

const chat = {
  ...asksModel,
  tag: 'chat-completions',
  body: chatCompletionRequest,
  answer: ChatCompletionResponse,
} as const

export const createChatCompletion = route({
  ...chat,
  id: 'create_chat_completion',
  path: '/v1/chat/completions',
  summary: 'Complete a chat; with `stream`, as server-sent events',
})

export const createChatCompletionSlash = route({
  ...chat,
  id: 'create_chat_completion_slash',
  path: '/v1/chat/completions/',
  summary: 'Complete a chat, with a slash at the end of the path',
})

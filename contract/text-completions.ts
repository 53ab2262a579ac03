/**
 * Text completions: the request, its answer and its routes. Settings that chat completions have as well are taken from
 * there; those that only a chat has are not there.
 */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { asksModel, chatFields } from './chat.js'
import { component, maybe } from './shared.js'

const {
  messages: _messages,
  logprobs: _logprobs,
  top_logprobs: _top,
  max_tokens: _max,
  max_completion_tokens: _most,
  tools: _tools,
  tool_choice: _choice,
  parallel_tool_calls: _parallel,
  reasoning_effort: _effort,
  include_reasoning: _reasoning,
  documents: _documents,
  chat_template: _template,
  chat_template_kwargs: _kwargs,
  mm_processor_kwargs: _media,
  echo: _echo,
  add_generation_prompt: _prompt,
  continue_final_message: _continue,
  ...sameAsChat
} = chatFields

/** Names of the fields that chat completions take as they are. */
export const COMPLETION_SAME_AS_CHAT: readonly string[] = Object.keys(sameAsChat)

/** Most prompts of a request. */
const MOST_PROMPTS = 128
export const tokenPrompt = z
  .array(
    z
      .int()
      .min(0)
      .max(2 ** 31 - 1),
  )
  .min(1)
const texts = z.array(z.string()).min(1).max(MOST_PROMPTS)

const request = component('CompletionRequest', {
  ...sameAsChat,
  prompt: z
    .union(
      [z.string(), texts, tokenPrompt, z.array(tokenPrompt).min(1).max(MOST_PROMPTS)],
      'Should be a text, tokens, or a list of either',
    )
    .describe('no template is applied to it'),
  max_tokens: maybe(z.int().min(0)).describe('default: 16'),
  logprobs: maybe(z.int().min(0).max(20)).describe('so many alternatives of each token, too'),
  echo: maybe(z.boolean()).describe('the answer begins with the prompt'),
  best_of: maybe(z.int().min(1)).describe('refused unless it is n'),
  suffix: maybe(z.string()).describe('refused unless it is empty'),
})
export const completionRequest = request
export type CompletionRequest = z.output<typeof request>

const Logprobs = component('CompletionLogprobs', {
  tokens: z.array(z.string()),
  token_logprobs: z.array(z.number().nullable()),
  top_logprobs: z.array(z.record(z.string(), z.number()).nullable()),
  text_offset: z.array(z.int()),
})
export type CompletionLogprobs = z.output<typeof Logprobs>

const Choice = component('CompletionChoice', {
  index: z.int().describe('of n choices of each prompt, in the order of the prompts'),
  text: z.string(),
  logprobs: Logprobs.nullable(),
  finish_reason: z.string().nullable().describe('stop, length, repetition, abort'),
  stop_reason: z.union([z.int(), z.string()]).nullish(),
  token_ids: maybe(z.array(z.int())),
  prompt_token_ids: maybe(z.array(z.int())),
})
export type CompletionChoice = z.output<typeof Choice>

const completion = {
  ...asksModel,
  tag: 'completions',
  body: request,
  answer: component('Completion', {
    id: z.string(),
    object: z.literal('text_completion'),
    created: z.int(),
    model: z.string(),
    choices: z.array(Choice),
    usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() }),
  }),
} as const

export const createCompletion = route({
  ...completion,
  // There are no images in it, and stop texts are read on the main thread.
  maxBytes: 12 * 2 ** 20,
  id: 'create_completion',
  path: '/v1/completions',
  summary: 'Continue a text; with `stream`, as server-sent events',
})

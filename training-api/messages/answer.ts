/** Writes a complete answer as a message. Pure. */
import type { ChatCompletionResponse, ChatUsage } from '../../contract/chat-answer.js'
import type { MessageUsage } from '../../contract/messages.js'
import { isObject } from '../../platform/json/object.js'
import type { Answering } from './read.js'

/** What the message's form depends on. */
export interface MessageForm {
  answering: Answering
  /** makes the signature of a thinking block */
  sign: (reasoning: string) => string
}

/** JSON of the message. */
export function messageText(answer: ChatCompletionResponse, { answering, sign }: MessageForm): string {
  const [choice] = answer.choices
  const { content: text, reasoning, tool_calls: calls } = choice?.message ?? {}
  const thinks = answering.thinking !== 'none' && reasoning
  const blocks = [
    ...(thinks
      ? [JSON.stringify(thinkingBlock(answering.thinking === 'shown' ? thinks : '', sign(thinks)))]
      : []),
    ...(isShown(text) ? [JSON.stringify({ type: 'text', text })] : []),
    ...(calls ?? []).map(({ id, function: { name, arguments: input } }) => {
      const head = JSON.stringify({ type: 'tool_use', id, name })
      return `${head.slice(0, -1)},"input":${inputText(input)}}`
    }),
  ]
  const { stop_reason: stop, finish_reason: finish } = choice ?? {}
  const head = {
    ...messageHead(answer.id, answer.model),
    ...ending(finish ?? 'stop', typeof stop === 'string' ? stop : undefined, answer.usage, answering),
    usage: usageOf(answer.usage),
    ...(answer.prompt_token_ids && { prompt_token_ids: answer.prompt_token_ids }),
    ...(choice?.token_ids && { token_ids: choice.token_ids }),
    ...(choice?.logprobs && { logprobs: choice.logprobs }),
  }
  return `${JSON.stringify(head).slice(0, -1)},"content":[${blocks.join(',')}]}`
}

/** The head of every message, and of the events of one. @param id of the chat completion */
export function messageHead(id: string, model: string) {
  return { id: id.replace(/^chatcmpl-/, 'msg_'), type: 'message', role: 'assistant', model } as const
}

export function thinkingBlock(thinking: string, signature: string) {
  return { type: 'thinking', thinking, signature } as const
}

/** Whether a text is a block: clients may not send one of white space back. */
export function isShown(text: string | null | undefined): text is string {
  return typeof text === 'string' && text.trim() !== ''
}

export function usageOf(usage: ChatUsage): MessageUsage {
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0
  const thinking = usage.completion_tokens_details?.reasoning_tokens
  return {
    input_tokens: usage.prompt_tokens - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: usage.completion_tokens,
    ...(thinking !== undefined && { output_tokens_details: { thinking_tokens: thinking } }),
  }
}

/** Why the answer ended. @param finish as a chat completion names it @param stop the stop string that ended it */
export function ending(finish: string, stop: string | undefined, usage: ChatUsage, answering: Answering) {
  const isAsked = stop !== undefined && answering.stopSequences.includes(stop)
  return { stop_reason: isAsked ? 'stop_sequence' : reason(), stop_sequence: isAsked ? stop : null }

  function reason(): string {
    if (finish === 'tool_calls') return 'tool_use'
    if (finish !== 'length') return 'end_turn'
    return usage.completion_tokens < answering.maxTokens ? 'model_context_window_exceeded' : 'max_tokens'
  }
}

/** What a model has written as the arguments of a call: its own text, if that is an object. */
function inputText(text: string): string {
  if (text === '') return '{}'
  try {
    if (isObject(JSON.parse(text))) return text
  } catch {
    // Reported below.
  }
  return JSON.stringify({ INVALID_JSON: text })
}

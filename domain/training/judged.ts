/**
 * Checks lines of KTO data, answers that are good or bad by themselves, and writes texts and lists of messages as one
 * form: {prompt, completion, label, tools?}. Pure.
 */
import { isObject } from '../../platform/json/object.js'
import { conversationFault } from './conversations.js'
import { type Message, messagesOf } from './pairs.js'

export interface Judged {
  prompt: Message[]
  completion: Message[]
  label: boolean
  tools?: Message[]
}

/** The judged answer, as TRL's unpaired preferences have it, or why it can't be trained on, as part of a sentence. */
export function judgedOf(value: unknown): Judged | string {
  if (!isObject(value)) return 'it is not an object with prompt, completion and label'
  const { label, tools } = value
  const prompt = messagesOf(value.prompt, 'user')
  const completion = messagesOf(value.completion, 'assistant')
  if (!prompt || !completion) return 'it needs `prompt` and `completion`: texts or lists of messages'
  if (typeof label !== 'boolean') return 'it needs `label`: true for a good answer, false for a bad one'
  const fault = conversationFault({ messages: [...prompt, ...completion], tools })
  if (fault !== undefined) return fault
  if (!completion.some(({ role }) => role === 'assistant')) return 'its `completion` has no assistant message'
  return {
    prompt,
    completion,
    label,
    ...(Array.isArray(tools) && tools.length > 0 && { tools }),
  }
}

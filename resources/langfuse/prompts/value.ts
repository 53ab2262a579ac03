/**
 * Prompts as values of objects, which the weave SDKs read as StringPrompt and MessagesPrompt, and as Langfuse's SDKs read
 * them. What only Langfuse knows lies in a member of its own. Pure.
 */
import type { LangfusePromptCreate } from '../../../contract/langfuse-prompts.js'
import { isObject } from '../../../platform/json/object.js'
import { fromFormat, toFormat } from './template.js'

export interface PromptValue {
  /** as the value says; a version of another client may have none */
  name: unknown
  type: 'text' | 'chat'
  prompt: string | Record<string, unknown>[]
  config: unknown
  commitMessage: string | null
}

/** The classes of objects that are prompts here. */
export const PROMPT_CLASSES = ['StringPrompt', 'MessagesPrompt']

type Message = Record<string, unknown>

/** The JSON text of the value that a request publishes. */
export function promptValue(given: LangfusePromptCreate): string {
  const { name, config, commitMessage } = given
  // The SDKs send the type of ordinary messages, which providers refuse.
  const prompt =
    typeof given.prompt === 'string'
      ? given.prompt
      : given.prompt.map(({ type, ...rest }) =>
          type === undefined || type === 'chatmessage' ? rest : { type, ...rest },
        )
  const ours =
    typeof prompt === 'string'
      ? { ...classOf('StringPrompt'), content: toFormat(prompt) }
      : { ...classOf('MessagesPrompt'), messages: withContents(prompt, toFormat) }
  const same = JSON.stringify(langfuseContent(ours)) === JSON.stringify(prompt)
  const langfuse = {
    // Kept where our spelling loses something, such as spaces around a variable.
    ...(!same && { prompt }),
    ...{ config: config ?? {}, commitMessage: commitMessage ?? undefined },
  }
  return JSON.stringify({ ...ours, name, description: null, langfuse })
}

const classOf = (name: string) => ({
  ...{ _type: name, _class_name: name, _bases: ['Prompt', 'Object', 'BaseModel'] },
})

/** What a value says; undefined: it is no prompt. */
export function readPromptValue(value: unknown): PromptValue | undefined {
  if (!isObject(value)) return undefined
  const content = langfuseContent(value)
  if (content === undefined) return undefined
  const own = isObject(value.langfuse) ? value.langfuse : {}
  const kept = own.prompt
  const prompt = typeof kept === typeof content ? (kept as typeof content) : content
  return {
    ...{ name: value.name, type: typeof prompt === 'string' ? 'text' : 'chat', prompt },
    config: own.config ?? {},
    commitMessage: typeof own.commitMessage === 'string' ? own.commitMessage : null,
  }
}

function langfuseContent(value: { content?: unknown; messages?: unknown }): string | Message[] | undefined {
  const { content, messages } = value
  if (typeof content === 'string') return fromFormat(content)
  if (!Array.isArray(messages)) return undefined
  return withContents(messages.filter(isObject), fromFormat)
}

function withContents(messages: readonly Message[], spelled: (text: string) => string): Message[] {
  return messages.map((message) =>
    typeof message.content === 'string' ? { ...message, content: spelled(message.content) } : message,
  )
}

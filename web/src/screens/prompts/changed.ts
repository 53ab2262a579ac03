/** A prompt's value with other messages. Pure. */
import { type DraftMessage, promptValue } from '../playground/draft'

/**
 * @param value of a StringPrompt or a MessagesPrompt. The first stays one while its text is one plain message, and everything
 * else that the value holds stays as it is.
 */
export function changedPrompt(value: unknown, messages: readonly DraftMessage[]): Record<string, unknown> {
  const old = value as Record<string, unknown>
  const [first, ...others] = messages
  if (typeof old.content === 'string' && first?.role === 'system' && !first.isJson && others.length === 0)
    return { ...old, content: first.text }
  const { content: _, ...kept } = old
  const { messages: sent, ...kind } = promptValue(String(old.name ?? ''), messages)
  // Only a text becomes something else.
  return typeof old.content === 'string' ? { ...kept, ...kind, messages: sent } : { ...kept, messages: sent }
}

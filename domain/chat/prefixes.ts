/** Hashes of longer and longer beginnings of a prompt, by which requests find the node that knows theirs. Pure. */
import { createHash } from 'node:crypto'
import type { ChatCompletionRequest } from '../../contract/chat.js'

/** A conversation grows at its end, so its last messages tell enough. */
const MOST = 8

/**
 * @param adapter whose keys and values they are
 * @param salt with whom they are shared: others have other hashes of the same prompt
 */
export function prefixesOf(fields: ChatCompletionRequest, adapter: string, salt: string): string[] {
  const { messages, tools, chat_template: template } = fields
  const hash = createHash('sha1').update(JSON.stringify([adapter, salt, template ?? '', tools ?? []]))
  const prefixes: string[] = []
  for (const [i, message] of messages.entries()) {
    hash.update(JSON.stringify(message))
    if (i >= messages.length - MOST) prefixes.push(hash.copy().digest('base64').slice(0, 16))
  }
  return prefixes
}

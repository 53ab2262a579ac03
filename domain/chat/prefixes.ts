/** Hashes ever longer prefixes of a prompt, to route requests to the node that has them cached. Pure. */
import { createHash } from 'node:crypto'
import type { ChatCompletionRequest } from '../../contract/chat.js'

/** A conversation grows at its end, so its last messages are enough. */
const MOST = 8

/**
 * @param adapter the adapter that the cached keys and values belong to
 * @param salt separates caches: another salt gives other hashes of the same prompt
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

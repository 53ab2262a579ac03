/**
 * Prompts that share a node's cached prefixes: whose they are, what keeps tenants apart, and hashes of ever longer prefixes,
 * by which requests are routed to the node that has them cached. Pure.
 */
import { createHash } from 'node:crypto'
import type { ChatCompletionRequest } from '../../contract/chat.js'
import type { Principal } from '../../platform/http/principal.js'

/**
 * The entities that the caller's key has grants for, as one name: keys with the same entities are one tenant. A key for
 * several does not share with keys for fewer, which may not see the others' prompts; a key without grants is alone.
 */
export function tenantOf({ whole: { grants }, keyId }: Principal): string {
  const entities = new Set(grants.map(({ scope }) => scope.split('/')[0]!))
  if (entities.size === 0) return JSON.stringify({ key: keyId })
  return JSON.stringify(entities.has('*') ? ['*'] : [...entities].sort())
}

/**
 * The cache salt of a request: requests of the same tenant with the same `cache_salt` share cached prefixes on a node.
 * It reveals neither.
 */
export function cacheSaltOf(tenant: string, salt: string | null | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify([tenant, salt ?? '']))
    .digest('base64url')
}

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

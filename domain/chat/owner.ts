/** The tenant of a chat completion, by which queues share places and nodes separate prompt caches. Pure. */
import { createHash } from 'node:crypto'
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

/**
 * Whose work a chat completion is: what divides places in queues and what a node remembers of prompts. Pure; knows
 * nothing of either.
 */
import { createHash } from 'node:crypto'
import type { Principal } from '../../platform/http/principal.js'

/**
 * The entities that the caller's key is for, as one name: keys with the same ones are one tenant. A key for several shares
 * with none that is for fewer, which may not see what the others say; a key for nothing is alone.
 */
export function tenantOf({ grants, keyId }: Principal): string {
  const entities = new Set(grants.map(({ scope }) => scope.split('/')[0]!))
  if (entities.size === 0) return JSON.stringify({ key: keyId })
  return JSON.stringify(entities.has('*') ? ['*'] : [...entities].sort())
}

/**
 * With whom a request shares beginnings of prompts on a node: requests of the same tenant that send the same
 * `cache_salt`. Tells its reader nothing of either.
 */
export function cacheSaltOf(tenant: string, salt: string | null | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify([tenant, salt ?? '']))
    .digest('base64url')
}

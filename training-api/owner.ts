/** Who finds what a caller stores on the training port: files, batches, responses. Pure. */
import { createHash } from 'node:crypto'
import type { Principal } from '../platform/http/principal.js'

/**
 * Keys with exactly the same rights share what they store; a key without rights is alone. So is a user, with the keys
 * that follow it: its rights change.
 */
export function ownerOf({ whole: { grants }, keyId, userId, isUser }: Principal): string {
  const rights = grants.map(({ scope, right, area }) => [scope, right, area].join(' ').trim()).sort()
  const whole = JSON.stringify(isUser ? { user: userId } : rights.length > 0 ? rights : { key: keyId })
  return createHash('sha256').update(whole).digest('base64url')
}

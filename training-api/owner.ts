/** Who finds what a caller stores on the training port: files, batches, responses. Pure. */
import { createHash } from 'node:crypto'
import type { Principal } from '../platform/http/principal.js'

/** Keys with exactly the same rights share what they store; a key without rights is alone. */
export function ownerOf({ grants, keyId }: Principal): string {
  const rights = grants.map(({ scope, right }) => `${scope} ${right}`).sort()
  const whole = JSON.stringify(rights.length > 0 ? rights : { key: keyId })
  return createHash('sha256').update(whole).digest('base64url')
}

/** Who may see a file or a batch: the keys with exactly the same rights. Pure. */
import { createHash } from 'node:crypto'
import type { Principal } from '../../platform/http/principal.js'

/** The owner of what this caller stores; a key without rights is alone. */
export function ownerOf({ grants, keyId }: Principal): string {
  const rights = grants.map(({ scope, right }) => `${scope} ${right}`).sort()
  const whole = JSON.stringify(rights.length > 0 ? rights : { key: keyId })
  return createHash('sha256').update(whole).digest('base64url')
}

/** Recognises keys of credentials, whose values are never stored. */
import { Lru } from '../../platform/lru/lru.js'

const WHOLE = new Set([
  'authheaders',
  'authorization',
  'authtoken',
  'awsaccesskey',
  'awsaccesskeyid',
  'bearertoken',
  'vertexcredentials',
  'webhookkey',
  'webhooksecret',
])

const ENDINGS = [
  'accesstoken',
  'apikey',
  'apitoken',
  'clientsecret',
  'privatekey',
  'refreshtoken',
  'secretaccesskey',
  'secretkey',
  'sessiontoken',
]

/** The last six letters of every such key, without `_` and `-`, in lower case; none is shorter. */
export const CREDENTIAL_KEY_ENDS = new Set([...WHOLE, ...ENDINGS].map((key) => key.slice(-6)))

/** Stored instead of a non-empty string under such a key. */
export const REDACTED = 'REDACTED'

const cache = new Lru<boolean>(20_000)

/** True if a non-empty string under `key` must be stored as `REDACTED`. Ignores `_`, `-` and case. */
export function isCredentialKey(key: string): boolean {
  let answer = cache.get(key)
  if (answer === undefined) {
    const plain = key.replace(/[_-]/g, '').toLowerCase()
    answer = WHOLE.has(plain) || ENDINGS.some((ending) => plain.endsWith(ending))
    if (key.length <= 256) cache.set(key, answer)
  }
  return answer
}

/** Which keys hold credentials, so that what stands under them is never stored. Knows nothing of JSON or OTLP. */
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

/** The last six letters of every such key, `_`, `-` and case left out; none is shorter. */
export const CREDENTIAL_KEY_ENDS = new Set([...WHOLE, ...ENDINGS].map((key) => key.slice(-6)))

/** What is stored in place of a non-empty string under such a key. */
export const REDACTED = 'REDACTED'

const cache = new Lru<boolean>(20_000)

/** True if a non-empty string under `key` must be stored as `REDACTED`. `_`, `-` and case make no difference. */
export function isCredentialKey(key: string): boolean {
  let answer = cache.get(key)
  if (answer === undefined) {
    const plain = key.replace(/[_-]/g, '').toLowerCase()
    answer = WHOLE.has(plain) || ENDINGS.some((ending) => plain.endsWith(ending))
    if (key.length <= 256) cache.set(key, answer)
  }
  return answer
}

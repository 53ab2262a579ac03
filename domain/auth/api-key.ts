/** Creates API keys, hashes them for storage, and finds them in requests. */
import { createHash, hash, randomBytes } from 'node:crypto'

const PREFIX = 'hk_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_BYTES = 32
/** 62^43 > 2^256. */
const DIGITS = 43
/** Longer keys can't be ours, so don't hash them. */
const MAX_LENGTH = 512

/** A new key: `hk_` and 32 random bytes in letters and digits, so that it can be selected by a double click. */
export function newKey(): string {
  let value = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`)
  let digits = ''
  for (let i = 0; i < DIGITS; i++) {
    digits = ALPHABET[Number(value % 62n)] + digits
    value /= 62n
  }
  return PREFIX + digits
}

/** The id of a key in lists and commands: not secret, and not derived from the key. */
export function newKeyId(): string {
  return randomBytes(6).toString('hex')
}

/** The stored form of a key. A key has 256 random bits, so a plain hash can't be searched and needs no salt. */
export function hashKey(key: string): string {
  return hash('sha256', key)
}

/** The id of the user called `username`: the same in every process. */
export function userIdOf(username: string): string {
  return createHash('sha256').update('heddle user ').update(username).digest('hex').slice(0, 16)
}

/** Headers in which some clients send the bare key on OTLP routes. */
const OTLP_HEADERS = ['platform-api-key', 'wandb-api-key']
const OTLP_PATH = /\/v1\/(?:traces|metrics)$/

/** The header in which Anthropic's clients send the bare key. */
export const BARE_HEADER = 'x-api-key'

/**
 * The key in a request's headers: Basic (the password; any user name), Bearer, or a header of its own.
 * Undefined if there is none, or if it can't be a key.
 * @param path the route's path; default: not one of OTLP
 */
export function presentedKey(headers: ReadonlyMap<string, string>, path = ''): string | undefined {
  const authorization = headers.get('authorization')
  let key: string | undefined
  if (authorization !== undefined) key = fromAuthorization(authorization)
  else {
    for (const name of OTLP_PATH.test(path) ? OTLP_HEADERS : [BARE_HEADER]) key ??= headers.get(name)
  }
  return key === undefined || key === '' || key.length > MAX_LENGTH ? undefined : key
}

/** Some exporters send the space of `OTEL_EXPORTER_OTLP_HEADERS` as it is written there: `Bearer%20…`. */
function fromAuthorization(header: string): string | undefined {
  const [, scheme, rest = ''] = /^(\w+)(?: |%20)(.*)$/.exec(header) ?? []
  if (scheme?.toLowerCase() === 'bearer') return rest.trim()
  return scheme?.toLowerCase() === 'basic' ? basicOf(rest.trim())?.password : undefined
}

/** The user name of Basic authentication, if there is one. */
export function presentedUser(headers: ReadonlyMap<string, string>): string | undefined {
  const [, rest] = /^basic +(.*)$/i.exec(headers.get('authorization') ?? '') ?? []
  return rest === undefined ? undefined : basicOf(rest.trim())?.user
}

function basicOf(text: string): { user: string; password: string } | undefined {
  if (text.length > 4 * MAX_LENGTH) return undefined
  const pair = Buffer.from(text, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  return colon < 0 ? undefined : { user: pair.slice(0, colon), password: pair.slice(colon + 1) }
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Bytes } from '../../platform/bytes/bytes.js'
import { Notes, scanText } from '../../platform/json/scan.js'
import { isCredentialKey } from './credential-keys.js'
import { mayHoldCredential, redactInto } from './redact.js'

/** The stored form of `text`, by the way a writer takes: gone through again only if the watch said so. */
function stored(text: string): string {
  const source = Buffer.from(text)
  const notes = new Notes(mayHoldCredential)
  const { from, to } = scanText(source, notes)
  if (!notes.watched) return text
  const out = new Bytes(1)
  redactInto(out, source, from, to)
  return out.buf.toString('utf8', 0, out.pos)
}

/** The rule on parsed values. */
function plainly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainly)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([key, inner]) => {
    const secret = isCredentialKey(key) && typeof inner === 'string' && inner !== ''
    return [key, secret ? 'REDACTED' : plainly(inner)]
  })
  return Object.fromEntries(fields)
}

const credentialKeys = [
  ...['auth_headers', 'Authorization', 'auth-token', 'AWS_ACCESS_KEY', 'awsAccessKeyId', 'bearerToken'],
  ...['vertex_credentials', 'webhook_key', 'Webhook-Secret', 'accessToken', 'my_api_key', 'OPENAI_API_KEY'],
  ...['x-api-token', 'client_secret', 'private_key', 'refresh_token', 'aws_secret_access_key', 'SECRET_KEY'],
  ...['session_token', 'apikey', 'api_key_', 'a_p_i_k_e_y', 'api\u212aey'],
]

const otherKeys = [
  'token',
  'key',
  'max_tokens',
  'api_keys',
  'description',
  'id',
  'apikey2',
  'password',
  'authorizations',
]

describe('redaction', () => {
  it.each(credentialKeys)('replaces what stands under %s', (key) => {
    const name = JSON.stringify(key)
    expect(stored(`{"a":[{${name}:"s3cret \\" x"}],${name} : "y"}`)).toBe(
      `{"a":[{${name}:"REDACTED"}],${name}:"REDACTED"}`,
    )
  })

  it.each(otherKeys)('leaves what stands under %s', (key) => {
    const text = JSON.stringify({ [key]: 'plain', list: [{ [key]: 'plain' }] })
    expect(stored(text)).toBe(text)
  })

  it.each([
    'question',
    'description',
    'operation',
    'request_token',
    'donkey',
    'trip_key',
    'specials',
    'orders',
  ])('does not go through a text because of a key like %s', (key) => {
    const notes = new Notes(mayHoldCredential)
    scanText(Buffer.from(JSON.stringify({ [key]: 'plain' })), notes)
    expect(notes.watched).toBe(false)
  })

  it.each([
    ['{"api_key":""}', '{"api_key":""}'],
    [
      '{"api_key":["x"],"secret_key":{"a":"x"},"apikey":1.0}',
      '{"api_key":["x"],"secret_key":{"a":"x"},"apikey":1.0}',
    ],
    ['{"api\\u005fkey":"x"}', '{"api\\u005fkey":"REDACTED"}'],
    ['["api_key","x",{"k":"api_key"}]', '["api_key","x",{"k":"api_key"}]'],
    ['{"api_key":"x", "n":[1.0, 2], "s":"\\ud800 a"}', '{"api_key":"REDACTED","n":[1.0,2],"s":"\\ufffd a"}'],
    ['{"api_key":"x","api_key":"y"}', '{"api_key":"REDACTED","api_key":"REDACTED"}'],
  ])('%s becomes %s', (text, expected) => {
    expect(stored(text)).toBe(expected)
  })

  it('is the rule, at any depth and length', () => {
    const key = fc.oneof(
      fc.constantFrom(...credentialKeys, ...otherKeys),
      fc.string({ maxLength: 3 }).map((start) => `${start}api-key`),
      fc.string({ unit: 'binary', maxLength: 9 }),
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'medium' },
        fc.constantFrom(null, 1, '', 'x', 'a "secret" \\ \n', 'é'.repeat(40)),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(value, fc.nat(2), (json, indent) => {
        const text = JSON.stringify(json, null, indent)
        expect(JSON.parse(stored(text))).toEqual(JSON.parse(JSON.stringify(plainly(JSON.parse(text)))))
      }),
      { numRuns: 1000 },
    )
  })
})

import { describe, expect, it } from 'vitest'
import { isCredentialKey } from './credential-keys.js'

describe('isCredentialKey', () => {
  it.each([
    'api_key',
    'API-KEY',
    'x-api-key',
    'OPENAI_API_KEY',
    'authorization',
    'Auth_Headers',
    'auth_token',
    'aws_access_key',
    'aws_access_key_id',
    'bearer_token',
    'vertex_credentials',
    'webhook_key',
    'webhookSecret',
    'access_token',
    'api_token',
    'clientSecret',
    'ssh_private_key',
    'refresh-token',
    'aws_secret_access_key',
    'secret_key',
    'session_token',
  ])('%s: yes', (key) => {
    expect(isCredentialKey(key)).toBe(true)
    expect(isCredentialKey(key)).toBe(true)
  })

  it.each([
    '',
    'key',
    'token',
    'tokens',
    'api_keys',
    'authorizations',
    'my_authorization',
    'secret',
    'password',
  ])('%s: no', (key) => {
    expect(isCredentialKey(key)).toBe(false)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ATTEMPT_MS,
  attemptCookie,
  isStateOf,
  newAttempt,
  openAttempt,
  presentedAttempt,
  sealAttempt,
  secretsOf,
} from './attempt.js'

const NOW = 1_800_000_000_000
const attempt = newAttempt('house', '/acme', NOW)
const sealed = sealAttempt(attempt, 'secret')

describe('an attempt', () => {
  it('comes back as it was, within its time, whichever secret signed it', () => {
    expect(openAttempt(sealed, ['older', 'secret'], NOW)).toEqual(attempt)
    expect(openAttempt(sealed, ['secret'], NOW + ATTEMPT_MS - 1)).toEqual(attempt)
  })

  it.each([
    ['too late', sealed, ['secret'], NOW + ATTEMPT_MS],
    ['signed by another', sealed, ['other'], NOW],
    ['signed by nobody', sealed.split('.')[0]!, ['secret'], NOW],
    ['empty', '', ['secret'], NOW],
  ])('is none: %s', (_, value, secrets, now) => expect(openAttempt(value, secrets, now)).toBeUndefined())

  it('is none if any of it was changed', () => {
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.constantFrom('A', 'z', '.', '-'), (at, char) => {
        fc.pre(sealed[at] !== char)
        const changed = sealed.slice(0, at) + char + sealed.slice(at + 1)
        const opened = openAttempt(changed, ['secret'], NOW)
        // The last digit of base64 has bits that mean nothing.
        if (opened !== undefined) expect(opened).toEqual(attempt)
      }),
    )
  })

  it('has a state, a nonce and a verifier that tell nothing of each other', () => {
    const { state, nonce, verifier } = secretsOf(attempt)
    expect(new Set([state, nonce, verifier, attempt.seed]).size).toBe(4)
    expect(verifier).toMatch(/^[\w-]{43}$/)
    expect(isStateOf(attempt, state)).toBe(true)
    expect(isStateOf(newAttempt('house', '/acme', NOW), state)).toBe(false)
    expect(isStateOf(attempt, '')).toBe(false)
  })

  it('is a cookie that no script reads and that comes along from the provider', () => {
    const plain = new Map<string, string>()
    const tls = new Map([['x-forwarded-proto', 'https']])
    expect(attemptCookie(sealed, plain)).toMatch(/^heddle_sign_in=.*; HttpOnly; SameSite=Lax$/)
    expect(attemptCookie(sealed, tls)).toMatch(/^__Host-heddle_sign_in=.*Path=\/;.*; Secure$/)
    const sent = (headers: Map<string, string>) =>
      headers.set('cookie', `a=b; ${attemptCookie(sealed, headers)}`)
    for (const headers of [plain, tls]) expect(presentedAttempt(sent(headers))).toBe(sealed)
    // Behind TLS, one that a sibling of the host planted does not count.
    expect(presentedAttempt(new Map([...tls, ['cookie', `heddle_sign_in=${sealed}`]]))).toBe('')
  })
})

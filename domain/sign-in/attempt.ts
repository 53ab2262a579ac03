/**
 * What a browser keeps while somebody is at a provider: a cookie with random bytes, from which state, nonce and PKCE
 * verifier are derived. So no process stores anything before the answer comes, and an answer fits only the browser that
 * asked. Knows neither the provider nor the store.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { isHttps } from '../../platform/http/forwarded.js'
import { parsedAs } from '../../platform/json/parse.js'

const COOKIE = 'heddle_sign_in'
/** As for sessions: behind TLS, no sibling of this host can plant one. */
const HOST_COOKIE = `__Host-${COOKIE}`
/** How long somebody may take at the provider. */
export const ATTEMPT_MS = 15 * 60_000

const attemptSchema = z.object({
  /** random, known to this browser alone */
  seed: z.string(),
  provider: z.string(),
  /** where the browser goes afterwards */
  next: z.string(),
  startedAt: z.number(),
})
export type Attempt = z.infer<typeof attemptSchema>

/** A new attempt at `now`, ms since the epoch. */
export function newAttempt(provider: string, next: string, now: number): Attempt {
  return { seed: randomBytes(32).toString('base64url'), provider, next, startedAt: now }
}

/** What is sent to the provider of an attempt; none of it tells the others, or the seed. */
export function secretsOf({ seed }: Attempt): { state: string; nonce: string; verifier: string } {
  const derived = (use: string) => createHash('sha256').update(`${use} ${seed}`).digest('base64url')
  return { state: derived('state'), nonce: derived('nonce'), verifier: derived('verifier') }
}

/** The cookie's value: signed, so that a browser can't prolong an attempt. */
export function sealAttempt(attempt: Attempt, secret: string): string {
  const text = Buffer.from(JSON.stringify(attempt)).toString('base64url')
  return `${text}.${signature(text, secret)}`
}

/** The attempt in a cookie's value, if one of `secrets` signed it and it is not too old at `now`; else undefined. */
export function openAttempt(sealed: string, secrets: readonly string[], now: number): Attempt | undefined {
  const [text = '', signed = ''] = sealed.split('.')
  const given = Buffer.from(signed)
  const isOurs = secrets.some((secret) => {
    const wanted = Buffer.from(signature(text, secret))
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  })
  if (!isOurs) return undefined
  const attempt = parsedAs(attemptSchema, Buffer.from(text, 'base64url').toString())
  return attempt && now - attempt.startedAt < ATTEMPT_MS ? attempt : undefined
}

/** Whether an answer's state is that of the attempt. */
export function isStateOf(attempt: Attempt, state: string): boolean {
  const [given, wanted] = [Buffer.from(state), Buffer.from(secretsOf(attempt).state)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** The value of the cookie that a browser sent; empty: none. */
export function presentedAttempt(headers: ReadonlyMap<string, string>): string {
  const name = isHttps(headers) ? HOST_COOKIE : COOKIE
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const [key, value = ''] = pair.trim().split('=', 2)
    if (key === name) return value
  }
  return ''
}

/**
 * The cookie that makes a browser keep an attempt; an empty value deletes it. It has to come along when the provider
 * sends the browser back, which a strict one would not.
 */
export function attemptCookie(value: string, headers: ReadonlyMap<string, string>): string {
  const [name, secure] = isHttps(headers) ? [HOST_COOKIE, '; Secure'] : [COOKIE, '']
  const seconds = value === '' ? 0 : ATTEMPT_MS / 1000
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

function signature(text: string, secret: string): string {
  return createHmac('sha256', secret).update(`sign-in ${text}`).digest('base64url')
}

/** Who asks: reads the ways in which ClickHouse clients send a user and password, and compares. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { failure } from '../engine/failure.js'

export type Credentials = { username: string; password: string }

/**
 * @throws QueryFailure 516 where neither Basic authorization, nor `X-ClickHouse-User` and `-Key`, nor the
 * `user` and `password` parameters are right.
 */
export function checkCredentials(
  request: IncomingMessage,
  params: Map<string, string>,
  expected: Credentials,
): void {
  const given = fromHeaders(request) ?? {
    username: params.get('user') ?? 'default',
    password: params.get('password') ?? '',
  }
  const right = same(given.username, expected.username) && same(given.password, expected.password)
  if (right) return
  const name = given.username.slice(0, 64)
  throw failure(
    516,
    'AUTHENTICATION_FAILED',
    `${name}: Authentication failed: password is incorrect, or there is no user with such name`,
  )
}

function fromHeaders(request: IncomingMessage): Credentials | undefined {
  const { authorization } = request.headers
  if (authorization !== undefined) {
    const basic = /^Basic\s+([A-Za-z0-9+/=]+)$/i.exec(authorization)
    const text = basic ? Buffer.from(basic[1]!, 'base64').toString('utf8') : ''
    const colon = text.indexOf(':')
    return { username: text.slice(0, Math.max(0, colon)), password: colon < 0 ? '' : text.slice(colon + 1) }
  }
  const user = request.headers['x-clickhouse-user']
  const key = request.headers['x-clickhouse-key']
  if (user === undefined && key === undefined) return undefined
  return { username: String(user ?? 'default'), password: String(key ?? '') }
}

function same(one: string, other: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(one), hash(other))
}

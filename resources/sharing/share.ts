/** A link to one thing of a project for people without a key, and when it leads somewhere. Pure, but for making tokens. */
import { randomBytes } from 'node:crypto'
import { DAY_S, SHARE_DAYS, type ShareKind } from '../../contract/sharing.js'
import { hashKey } from '../../domain/auth/api-key.js'
import { errors } from '../../platform/errors/catalog.js'

export interface Share {
  /** sha256 of the token, hex */
  hash: string
  id: string
  project: string
  kind: ShareKind
  /** id of the trace or of the run; of a dashboard `NAME:DIGEST` */
  target: string
  note: string
  createdBy: string
  userId: string
  /** µs since the epoch */
  createdAt: number
  /** µs since the epoch */
  expiresAt: number
  isRevoked: boolean
}

const TOKEN_BYTES = 32
const TOKEN = /^[\w-]{43}$/

/** What a link has: 256 random bits. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** The stored form of a token. What can't be one has that of no token. */
export const hashOf = (token: string): string => hashKey(TOKEN.test(token) ? token : '')

/**
 * How long a new link is good for, in s.
 * @param asked null: as usual @param daysMost what the operator allows
 * @throws `SHARING_OFF` (403), 400 for longer than allowed
 */
export function lifeOf(asked: number | null, daysMost: number): number {
  if (daysMost === 0) throw errors.sharingOff()
  const most = daysMost * DAY_S
  if (asked === null) return Math.min(SHARE_DAYS * DAY_S, most)
  if (asked > most) throw errors.badRequest(`A link may be good for at most ${daysMost} days here.`)
  return asked
}

/** When a link ends, in µs: also those that were made when longer ones were allowed. */
export const endOf = ({ createdAt, expiresAt }: Share, daysMost: number): number =>
  Math.min(expiresAt, createdAt + daysMost * DAY_S * 1e6)

/** @param now µs since the epoch */
export function stateOf(share: Share, daysMost: number, now: number): 'live' | 'expired' | 'revoked' {
  if (share.isRevoked) return 'revoked'
  return endOf(share, daysMost) > now ? 'live' : 'expired'
}

/** The name and the version of a dashboard. */
export function dashboardOf(target: string): { name: string; digest: string } {
  const colon = target.lastIndexOf(':')
  return { name: target.slice(0, colon), digest: target.slice(colon + 1) }
}

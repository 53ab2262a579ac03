/** A user as it is stored, and what follows from its name. */

/** Of people, who sign in, and of service accounts, which have keys alone. */
export type UserKind = 'person' | 'service'

export interface User {
  userId: string
  username: string
  email: string
  name: string
  kind: UserKind
  active: boolean
  /** who made it: `oidc:PROVIDER`, `scim`, `invitation`, `email`; empty: by hand */
  source: string
  externalId: string
  /** of service accounts: who administers it looks after the account; else empty */
  scope: string
  /** ISO 8601 */
  createdAt: string
}

/** Roles of somebody over a scope, by one source. */
export interface Membership {
  /** *, an entity, or entity/project */
  scope: string
  /** `oidc:PROVIDER`, `scim`; empty: by hand */
  source: string
  roles: readonly string[]
}

/** The stored name of a user who has memberships. */
export const userSubject = (userId: string): string => `user:${userId}`
/** The stored name of a team that has memberships. */
export const teamSubject = (teamId: string): string => `team:${teamId}`

/** How a name is stored and compared. */
export const normalName = (username: string): string => username.trim().toLowerCase()

/** Whether a name, as {@link normalName} has it, can be a user's. */
export const isUsername = (name: string): boolean => /^[\w.@+-]{1,128}$/.test(name)

/** The key id of a user's session: it stands where keys have their id. */
export const sessionKeyId = (userId: string): string => `user:${userId}`

/** The user whose session has this key id; undefined: it is a key's id. */
export const userOfKeyId = (keyId: string): string | undefined =>
  keyId.startsWith('user:') ? keyId.slice('user:'.length) : undefined

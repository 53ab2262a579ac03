/** What a provider's claims say of a person, and whether the operator lets that person in. Pure. */
import { errors } from '../../platform/errors/catalog.js'
import type { ProviderSettings, SignInSettings } from './settings.js'

export interface Membership {
  scope: string
  role: string
}

/** Somebody whom a provider, or an e-mail link, vouches for. */
export interface Person {
  /** of the provider, or empty: an e-mail link */
  issuer: string
  subject: string
  /** verified, in lower case; empty: there is none */
  email: string
  /** empty: not known */
  name: string
  /** what the operator's mapping gives */
  memberships: Membership[]
  /** comes in without having been known before */
  isWelcome: boolean
}

export type Claims = Readonly<Record<string, unknown>>

/**
 * @throws `SIGN_IN_EMAIL_NOT_VERIFIED` or `SIGN_IN_NOT_ALLOWED` (403) unless a verified e-mail address is of the provider's domains,
 * if it has some
 */
export function personFrom(provider: ProviderSettings, claims: Claims): Person {
  const email = verifiedEmail(claims)
  const { domains, default_role: everyone, roles, issuer } = provider
  if (domains !== undefined) {
    if (email === '') throw errors.signInEmailNotVerified()
    if (!isOfDomains(email, domains)) throw errors.signInNotAllowed()
  }
  const groups = new Set(groupsIn(claims, provider.groups_claim))
  const mapped = roles.filter(({ group }) => groups.has(group)).map(({ scope, role }) => ({ scope, role }))
  const memberships = distinct(everyone === undefined ? mapped : [...mapped, everyone])
  return {
    ...{ issuer, subject: String(claims.sub), email, name: nameIn(claims), memberships },
    isWelcome: domains !== undefined || memberships.length > 0,
  }
}

/** Who can read mail to `email`. */
export function personOfEmail({ email: settings }: SignInSettings, email: string): Person {
  const isWelcome = settings !== undefined && isOfDomains(email, settings.domains)
  const everyone = settings?.default_role
  return {
    ...{ issuer: '', subject: email, email, name: '', isWelcome },
    memberships: isWelcome && everyone !== undefined ? [everyone] : [],
  }
}

/** Whether this person is to own everything, as nobody is a user yet. */
export function mayBeFirst({ first_owners: firsts }: SignInSettings, { email }: Person): boolean {
  return email !== '' && firsts.includes(email)
}

/** The part after the last @ decides: the one before may be quoted and have one, too. */
function isOfDomains(email: string, domains: readonly string[]): boolean {
  return domains.includes(email.slice(email.lastIndexOf('@') + 1))
}

/**
 * The e-mail address in lower case, if the provider has verified it: Entra ID says so by a claim of its own. Empty: there
 * is none, or nobody has verified it.
 */
function verifiedEmail({ email, email_verified: verified, xms_edov: ofDomainOwner }: Claims): string {
  if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(email) || email.length > MOST_EMAIL) return ''
  return isTrue(verified) || isTrue(ofDomainOwner) ? email.toLowerCase() : ''
}

const MOST_EMAIL = 254
/** Some providers write it as a text, or a number. */
const isTrue = (value: unknown) => value === true || value === 'true' || value === 1 || value === '1'

/** The groups in a claim: by its name as it is, or by a path. One group may be a text. */
function groupsIn(claims: Claims, name: string): string[] {
  const value = Object.hasOwn(claims, name)
    ? claims[name]
    : name.split('.').reduce<unknown>((within, part) => {
        const isObject = typeof within === 'object' && within !== null && Object.hasOwn(within, part)
        return isObject ? (within as Record<string, unknown>)[part] : undefined
      }, claims)
  const list = Array.isArray(value) ? (value as unknown[]) : [value]
  return list.filter((one) => typeof one === 'string')
}

/** Whether a claim of groups is there at all. */
export function hasGroups(claims: Claims, name: string): boolean {
  return Object.hasOwn(claims, name) || Object.hasOwn(claims, name.split('.')[0]!)
}

function nameIn({ name }: Claims): string {
  return typeof name === 'string' ? name.slice(0, 200).toWellFormed() : ''
}

function distinct(memberships: readonly Membership[]): Membership[] {
  const byKey = new Map(memberships.map((one) => [`${one.scope} ${one.role}`, one]))
  return [...byKey.values()]
}

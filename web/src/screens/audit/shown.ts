/** How the audit log is shown. Pure. */

import type { AuditEntry, AuditFilter } from '../../api/audit'
import { jsonText } from '../../api/json'

type Grants = readonly { scope: string; right: string; area?: string | undefined }[]

/**
 * What somebody administers: everything, or one thing after the other.
 * @param area the tag of the routes that are meant
 */
export function scopesOf(grants: Grants, area: string): string[] {
  const scopes = grants
    .filter((one) => one.right === 'admin' && (one.area ?? area) === area)
    .map(({ scope }) => scope)
  return scopes.includes('*') ? ['*'] : [...new Set(scopes)].sort()
}

export const OUTCOMES: Record<AuditEntry['outcome'], string> = {
  ...{ ok: 'done', failed: 'failed', refused: 'refused', unknown: 'unknown' },
}

/** What an outcome means that its name does not say. */
export function outcomeText({ outcome, status, error_code: code, count }: AuditEntry): string {
  if (outcome === 'unknown') return 'It is still running, or its process ended before it said.'
  const why = [status, code].filter((part) => part !== null).join(' ')
  return count > 1 ? `${count} times, counted only: ${why}` : why
}

/** Who did it: without a key, where they are. */
export const whoText = ({ username, remote_address: address }: AuditEntry): string =>
  username || address || 'nobody known'

export function targetText(target: AuditEntry['target']): string {
  return Object.entries(target)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : jsonText(value)}`)
    .join(', ')
}

/** What the fields of the page ask for. */
export interface Fields {
  scope: string
  user: string
  category: string
  outcome: string
  /** as a field of dates has it */
  since: string
}

export function filterOf({ scope, user, category, outcome, since }: Fields): AuditFilter {
  return {
    scope: scope.trim() || '*',
    user: user.trim() || null,
    category: (category || null) as AuditFilter['category'],
    outcome: (outcome || null) as NonNullable<AuditFilter['outcome']> | null,
    since: since === '' ? null : `${since}T00:00:00Z`,
    until: null,
    action: null,
  }
}

/** An end of a chain as `heddle audit verify --head` takes it. */
export const headText = ({ chain, seq, hash }: { chain: string; seq: number; hash: string }): string =>
  `${chain}:${seq}:${hash}`

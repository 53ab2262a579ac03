/**
 * How long the calls of a project are kept: the most particular of what was said about it, its entity, or all. Pure;
 * knows nothing of tables.
 */
import { isProjectName } from '../../platform/ids/project.js'

/** What was said about a scope. */
export interface Policy {
  /** `*`, an entity, or entity/project */
  scope: string
  /** 0: for ever */
  days: number
}

/** Calls that began before `before` are to be deleted, of these projects, or of all but these. */
export interface Expired {
  days: number
  /** ms since 1970 */
  before: number
  only: boolean
  projects: string[]
}

const DAY_MS = 86_400_000
/** A century: more is a typing error. */
const MOST_DAYS = 36_500

/** Days of a text such as `30d`, `12w`, `1y` or `forever`; undefined if it is none. */
export function daysOf(text: string): number | undefined {
  if (text === 'forever') return 0
  const [, count, unit] = /^(\d{1,6})(d|w|y)?$/.exec(text.trim()) ?? []
  if (count === undefined) return undefined
  const days = Number(count) * { d: 1, w: 7, y: 365 }[unit ?? 'd']!
  return days >= 1 && days <= MOST_DAYS ? days : undefined
}

/** True for `*`, an entity and entity/project. */
export function isScope(text: string): boolean {
  return text === '*' || (text.includes('/') ? isProjectName(text) : isProjectName(`${text}/x`))
}

/** Days that calls of `project` (entity/project) are kept; 0: for ever. */
export function daysFor(policies: readonly Policy[], project: string): number {
  const [entity = ''] = project.split('/')
  for (const scope of [project, entity, '*']) {
    const found = policies.find((policy) => policy.scope === scope)
    if (found) return found.days
  }
  return 0
}

/**
 * What has expired by now, as few groups of projects as there are different ages.
 * @param projects internal id → entity/project of every project that is known
 * @param now ms since 1970
 */
export function expired(
  policies: readonly Policy[],
  projects: ReadonlyMap<string, string>,
  now: number,
): Expired[] {
  const byDays = new Map<number, string[]>()
  for (const [id, name] of projects) {
    const days = daysFor(policies, name)
    byDays.set(days, [...(byDays.get(days) ?? []), id])
  }
  const general = daysFor(policies, '')
  const groups: Expired[] = []
  for (const [days, ids] of byDays) {
    if (days === 0 || days === general) continue
    groups.push({ days, before: now - days * DAY_MS, only: true, projects: ids.sort() })
  }
  // Most projects are under what is said of all: naming the others is shorter, and takes in what nobody has named.
  if (general > 0) {
    const others = [...byDays].flatMap(([days, ids]) => (days === general ? [] : ids))
    groups.push({ days: general, before: now - general * DAY_MS, only: false, projects: others.sort() })
  }
  return groups.sort((a, b) => a.days - b.days)
}

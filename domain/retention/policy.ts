/**
 * How long a project's calls are kept: by the operator's most specific policy for the project, its entity, or all, or
 * shorter if the project wants so. Pure.
 */
import { groupBy } from '../../platform/batch/group-by.js'
import { isProjectName } from '../../platform/ids/project.js'

/** The policy of a scope. */
export interface Policy {
  /** `*`, an entity, or entity/project */
  scope: string
  /** 0: for ever */
  days: number
  /** the project set it for itself; absent: the operator */
  isOwn?: boolean
}

/** Calls started before `before` have expired, in these projects, or in all but these. */
export interface Expired {
  days: number
  /** ms since 1970 */
  before: number
  only: boolean
  projects: string[]
}

const DAY_MS = 86_400_000
/** A century: more must be a typing error. */
export const MOST_DAYS = 36_500

/** Parses `30d`, `12w`, `1y` or `forever` into days; undefined if invalid. */
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

/** How many days calls of `project` (entity/project) are kept; 0: for ever. */
export function daysFor(policies: readonly Policy[], project: string): number {
  const most = mostDays(policies, project)
  const own = policies.find(({ scope, isOwn }) => isOwn && scope === project)
  if (own === undefined) return most
  return most === 0 ? own.days : Math.min(most, own.days)
}

/** How many days the operator keeps calls of `project`; 0: for ever. */
export function mostDays(policies: readonly Policy[], project: string): number {
  const [entity = ''] = project.split('/')
  for (const wanted of [project, entity, '*']) {
    const found = policies.find(({ scope, isOwn }) => !isOwn && scope === wanted)
    if (found) return found.days
  }
  return 0
}

/**
 * What has expired by now, in one group of projects per distinct age.
 * @param projects internal id → entity/project of every known project
 * @param now ms since 1970
 */
export function expired(
  policies: readonly Policy[],
  projects: ReadonlyMap<string, string>,
  now: number,
): Expired[] {
  const byDays = groupBy(projects, ([, name]) => daysFor(policies, name))
  const general = daysFor(policies, '')
  const groups: Expired[] = []
  for (const [days, some] of byDays) {
    if (days === 0 || days === general) continue
    groups.push({ days, before: now - days * DAY_MS, only: true, projects: some.map(([id]) => id).sort() })
  }
  // Most projects follow the general policy: listing the others is shorter, and covers unlisted projects.
  if (general > 0) {
    const others = [...byDays].flatMap(([days, some]) => (days === general ? [] : some.map(([id]) => id)))
    groups.push({ days: general, before: now - general * DAY_MS, only: false, projects: others.sort() })
  }
  return groups.sort((a, b) => a.days - b.days)
}

/** Roles and their permissions as forms have them. Pure. */
import type { Role } from '../../api/people'

export const RIGHTS = ['read', 'write', 'admin'] as const

/** The area that stands for all. */
export const EVERYWHERE = '*'

/** The roles that may be given over a scope: the built-in ones, and those of its entity. */
export function rolesFor(roles: readonly Role[], scope: string): string[] {
  const entity = scope.trim().split('/')[0]
  const fit = roles.filter((one) => one.entity === null || one.entity === '*' || one.entity === entity)
  return [...new Set(fit.map(({ name }) => name))]
}

/** `area:right` for each area that has a right. */
export const permissionsOf = (chosen: Readonly<Record<string, string>>): string[] =>
  Object.entries(chosen).flatMap(([area, right]) => (right === '' ? [] : [`${area}:${right}`]))

/** The strongest right of each area. */
export function chosenOf(permissions: readonly string[]): Record<string, string> {
  const chosen: Record<string, string> = {}
  for (const right of RIGHTS)
    for (const one of permissions)
      if (one.endsWith(`:${right}`)) chosen[one.slice(0, -right.length - 1)] = right
  return chosen
}

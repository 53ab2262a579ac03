/** Reads and writes grants as text, for the command line and the key table. */
import { z } from 'zod'
import { errors } from '../../platform/errors/catalog.js'
import { type Grant, isRight, isWithin, type Principal, RANK, RIGHTS } from '../../platform/http/principal.js'
import { namePattern } from '../../platform/ids/project.js'
import { parsedAs } from '../../platform/json/parse.js'
import { parsePermission, permissionText } from '../people/roles.js'

const PART = namePattern('*')
const SCOPE = new RegExp(`^(\\*|${PART}(/${PART})?)$`)

const stored = z.array(
  z.object({
    scope: z.string().regex(SCOPE),
    // `area:right` of a grant for one area: to programs that don't know areas yet, such a key has no rights at all.
    right: z.union([z.enum(RIGHTS), z.string().regex(/^[^:]{1,100}:(read|write|admin)$/)]),
  }),
)

/** Whether a right can be granted over it: `*`, an entity or entity/project. */
export const isScope = (text: string): boolean => SCOPE.test(text)

/** @throws `BAD_NAME` (400) if no right can be granted over it */
export function checkScope(text: string): void {
  if (!isScope(text)) throw errors.badName(`"${text}" is not a scope: use *, an entity, or entity/project.`)
}

/** @throws `BAD_NAME` (400), `NO_RIGHT` (403) */
export function mustAdminister(principal: Principal, scope: string): void {
  checkScope(scope)
  principal.must('admin', scope)
}

/** The stored form of grants. */
export function writeGrants(grants: readonly Grant[]): string {
  return JSON.stringify(
    grants.map(({ scope, right, area }) => ({
      scope,
      right: area === undefined ? right : permissionText({ area, right }),
    })),
  )
}

/** Reads stored grants; an unreadable row grants nothing. */
export function readGrants(text: string): Grant[] {
  return (parsedAs(stored, text) ?? []).map(({ scope, right }) =>
    isRight(right) ? { scope, right } : { scope, ...parsePermission(right)! },
  )
}

/** Parses `acme/one:write` (a scope, a colon, a right); throws an error that shows the format. */
export function parseGrant(text: string): Grant {
  const colon = text.lastIndexOf(':')
  const scope = text.slice(0, colon)
  const right = text.slice(colon + 1)
  if (colon < 0 || !isScope(scope) || !isRight(right)) {
    throw new Error(
      `"${text}" is not a grant; write scope:right, where scope is *, an entity or entity/project, and right is read, write or admin`,
    )
  }
  return { scope, right }
}

/** The one entity that all of these rights are in; undefined: they are in several, or in everything. */
export function entityOf(grants: readonly Grant[]): string | undefined {
  const [entity, ...others] = new Set(grants.map(({ scope }) => scope.split('/', 1)[0]!))
  return entity === '*' || others.length > 0 ? undefined : entity
}

/**
 * What two sets of grants have in common: a caller has one of these if it has it by both.
 * @param limit empty: no limit
 */
export function common(grants: readonly Grant[], limit: readonly Grant[]): Grant[] {
  if (limit.length === 0) return [...grants]
  const found = new Map<string, Grant>()
  for (const one of grants)
    for (const other of limit) {
      const scope = isWithin(one.scope, other.scope)
        ? one.scope
        : isWithin(other.scope, one.scope)
          ? other.scope
          : undefined
      const area = one.area ?? other.area
      if (scope === undefined || (other.area ?? area) !== area) continue
      const right = RANK[one.right] < RANK[other.right] ? one.right : other.right
      const grant = { scope, right, ...(area !== undefined && { area }) }
      found.set(JSON.stringify(grant), grant)
    }
  return [...found.values()]
}

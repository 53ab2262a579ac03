/** Reads and writes grants as text, for the command line and the key table. */
import { z } from 'zod'
import type { Grant, Right } from '../../platform/http/principal.js'
import { namePattern } from '../../platform/ids/project.js'
import { parsedAs } from '../../platform/json/parse.js'

const RIGHTS = ['read', 'write', 'admin'] as const
const PART = namePattern('*')
const SCOPE = new RegExp(`^(\\*|${PART}(/${PART})?)$`)

const stored = z.array(z.object({ scope: z.string().regex(SCOPE), right: z.enum(RIGHTS) }))

/** Whether a right can be granted over it: `*`, an entity or entity/project. */
export const isScope = (text: string): boolean => SCOPE.test(text)

/** The stored form of grants. */
export function writeGrants(grants: readonly Grant[]): string {
  return JSON.stringify(grants.map(({ scope, right }) => ({ scope, right })))
}

/** Reads stored grants; an unreadable row grants nothing. */
export function readGrants(text: string): Grant[] {
  return parsedAs(stored, text) ?? []
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

function isRight(text: string): text is Right {
  return RIGHTS.some((right) => right === text)
}

/** The one entity that all of these rights are in; undefined: they are in several, or in everything. */
export function entityOf(grants: readonly Grant[]): string | undefined {
  const [entity, ...others] = new Set(grants.map(({ scope }) => scope.split('/', 1)[0]!))
  return entity === '*' || others.length > 0 ? undefined : entity
}

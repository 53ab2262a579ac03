/** Grants as text: on the command line and in the table of keys. Knows nothing of keys. */
import { z } from 'zod'
import type { Grant, Right } from '../../platform/http/principal.js'
import { namePattern } from '../../platform/ids/project.js'
import { parsedAs } from '../../platform/json/parse.js'

const RIGHTS = ['read', 'write', 'admin'] as const
const PART = namePattern('*')
const SCOPE = new RegExp(`^(\\*|${PART}(/${PART})?)$`)

const stored = z.array(z.object({ scope: z.string().regex(SCOPE), right: z.enum(RIGHTS) }))

/** Grants as they are stored. */
export function writeGrants(grants: readonly Grant[]): string {
  return JSON.stringify(grants.map(({ scope, right }) => ({ scope, right })))
}

/** Grants out of the table; a row that can't be read grants nothing. */
export function readGrants(text: string): Grant[] {
  return parsedAs(stored, text) ?? []
}

/** `acme/one:write` (a scope, a colon, a right) as a grant; throws with what it should look like. */
export function parseGrant(text: string): Grant {
  const colon = text.lastIndexOf(':')
  const scope = text.slice(0, colon)
  const right = text.slice(colon + 1)
  if (colon < 0 || !SCOPE.test(scope) || !isRight(right)) {
    throw new Error(
      `"${text}" is no grant; write scope:right, where scope is *, an entity or entity/project, and right is read, write or admin`,
    )
  }
  return { scope, right }
}

function isRight(text: string): text is Right {
  return RIGHTS.some((right) => right === text)
}

/** Where the first trace goes, by the rights of who is signed in. Pure. */
import type { Schemas } from '../../api/client'

type Grants = Schemas['SessionRes']['grants']

/** The project that the first trace goes to, where none is named. */
export function firstProject(grants: Grants): string {
  const scope = (grants.find(({ right }) => right !== 'read') ?? grants[0])?.scope ?? '*'
  if (scope.includes('/')) return scope
  return `${scope === '*' ? 'me' : scope}/first`
}

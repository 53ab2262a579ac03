/** What may be done, by the rights of who is signed in, before there is any project. Pure. */
import type { Schemas } from '../../api/client'

type Grants = Schemas['SessionRes']['grants']

/** Whether who has these rights may make a key that writes to a project. */
export function mayMakeKeyOf(project: string, grants: Grants): boolean {
  const within = ['*', project.split('/')[0], project]
  return grants.some(({ scope, right }) => right === 'admin' && within.includes(scope))
}

/** The project that the first trace goes to, where none is named. */
export function firstProject(grants: Grants): string {
  const scope = (grants.find(({ right }) => right !== 'read') ?? grants[0])?.scope ?? '*'
  if (scope.includes('/')) return scope
  return `${scope === '*' ? 'me' : scope}/first`
}

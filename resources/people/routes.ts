import type { Sessions } from '../../domain/auth/sessions.js'
import { Teams } from '../../domain/people/teams.js'
import type { Bound } from '../../platform/http/request.js'
import type { Parts } from '../parts.js'
import { invitationRoutes } from './invitations.js'
import { memberRoutes, roleRoutes, teamRoutes } from './members.js'
import { userRoutes } from './users.js'

/** @param sessions of people who sign in to the pages; undefined: nobody can */
export function peopleRoutes(
  { directory }: Pick<Parts, 'directory'>,
  sessions: Sessions | undefined,
): Bound[] {
  const teams = new Teams(directory)
  return [
    ...userRoutes(directory, teams),
    ...memberRoutes(directory),
    ...teamRoutes(teams),
    ...roleRoutes(directory),
    ...invitationRoutes(directory, sessions),
  ]
}

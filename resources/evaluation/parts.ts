/** The parts of evaluations beside those that all routes share, and their requests. */
import { Principal } from '../../platform/http/principal.js'
import type { Parts } from '../parts.js'
import type { CallRows } from './call-row.js'
import type { Journal } from './journal.js'
import type { Author, Publisher } from './publish.js'

export interface EvaluationParts extends Parts {
  publisher: Publisher
  journal: Journal
  calls: CallRows
}

/** The caller and the project of a request. */
export interface Requester {
  project: string
  principal: Principal
}

/** A requester with the request's body. */
export interface BodyRequest extends Requester {
  bytes: Uint8Array
}

export const authorOf = ({ project, principal }: Requester): Author => ({ project, userId: principal.userId })

/** This service itself, for what it does in a project without being asked: no person, with rights there alone. */
export function ownRequester(user: string, project: string): Requester {
  const grants = [{ scope: project, right: 'write' }] as const
  return { project, principal: new Principal(user, user, grants, `${user}/${project}`) }
}

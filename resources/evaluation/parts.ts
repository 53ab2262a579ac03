/** What evaluations are made of besides what all routes share, and who asks for something. */
import type { Principal } from '../../platform/http/principal.js'
import type { Parts } from '../parts.js'
import type { CallRows } from './call-row.js'
import type { Journal } from './journal.js'
import type { Author, Publisher } from './publish.js'

export interface EvaluationParts extends Parts {
  publisher: Publisher
  journal: Journal
  calls: CallRows
}

/** Who asks, and about which project. */
export interface Requester {
  /** `entity/project` */
  project: string
  principal: Principal
}

/** The same with the body of the request. */
export interface BodyRequest extends Requester {
  bytes: Uint8Array
}

export const authorOf = ({ project, principal }: Requester): Author => ({ project, userId: principal.userId })

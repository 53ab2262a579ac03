/** Stores scores of other products on calls as feedback. Repeated scores with the same id replace each other. */
import { refText } from '../../contract/ref.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { isoOfMicros, nowMicros } from '../../platform/time/iso.js'
import { nextVersion } from '../../platform/time/versions.js'
import { verOfChange, verOfMade } from './version.js'

export interface Score {
  project: string
  id: string
  userId: string
  /** the call it is about; empty: something else, which `weaveRef` names */
  callId: string
  /** default: of the call */
  weaveRef?: string
  /** the type of the feedback */
  name: string
  /** JSON text */
  payload: string
  /** when it was made, in µs; then the first of two with one id stays, and none comes back that was deleted */
  madeAt?: number
  /** what it says of its time, in µs; default: when it was made */
  createdAt?: number | undefined
}

/** Resolves when all of it is readable. */
export async function writeScores(store: Store, scores: readonly Score[]): Promise<void> {
  await store.insertRows('feedback', scores.map(scoreRow))
}

/** A score's row of the table `feedback`. */
export function scoreRow({ project, id, userId, callId, weaveRef, name, payload, madeAt, createdAt }: Score) {
  const at = madeAt ?? nowMicros()
  return {
    project_id: projectIdOf(project),
    call_id: callId,
    weave_ref: weaveRef ?? refText({ project, kind: 'call', id: callId, steps: [] }),
    id,
    feedback_type: name,
    canonical_type: name,
    payload,
    user_id: userId,
    created_at: isoOfMicros(createdAt ?? at),
    stored_at: isoOfMicros(nowMicros()),
    ver: String(madeAt === undefined ? verOfChange(nextVersion()) : verOfMade(at)),
  }
}

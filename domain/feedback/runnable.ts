/**
 * Stores scorers' results on calls as feedback, like an SDK that applies a scorer. Repeated results with the same id
 * replace each other. Knows nothing of scorers.
 */

import { refText } from '../../contract/ref.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { isoOfMicros, nowMicros } from '../../platform/time/iso.js'
import { verOfChange, verOfMade } from './version.js'

export interface RunnableFeedback {
  /** `entity/project` */
  project: string
  id: string
  userId: string
  /** the call it is about */
  callId: string
  /** the scorer's name */
  name: string
  /** JSON text */
  payload: string
  /** refs of the scorer and of its call */
  runnableRef: string
  callRef: string
  /** when it was made, in µs; then the first of two with one id stays, and none comes back that was deleted */
  madeAt?: number
}

/** Resolves when all of it is readable. */
export async function writeRunnable(store: Store, feedback: readonly RunnableFeedback[]): Promise<void> {
  const rows = feedback.map((one) => {
    const at = one.madeAt ?? nowMicros()
    return {
      project_id: projectIdOf(one.project),
      call_id: one.callId,
      weave_ref: refText({ project: one.project, kind: 'call', id: one.callId, steps: [] }),
      id: one.id,
      feedback_type: `wandb.runnable.${one.name}`,
      canonical_type: `platform.runnable.${one.name}`,
      payload: one.payload,
      user_id: one.userId,
      created_at: isoOfMicros(at),
      runnable_ref: one.runnableRef,
      call_ref: one.callRef,
      ver: String(one.madeAt === undefined ? verOfChange(at) : verOfMade(at)),
    }
  })
  await store.insertRows('feedback', rows)
}

/**
 * Scorers' results on calls as feedback, as of an SDK that applies a scorer. Repeated results with the same id replace
 * each other.
 */

import type { Store } from '../../platform/clickhouse/store.js'
import { type Score, scoreRow } from './scores.js'

/** `name` is the scorer's. */
export interface RunnableFeedback extends Score {
  /** refs of the scorer and of its call */
  runnableRef: string
  callRef: string
  /** ref of the monitor that asked for it; default: none did */
  triggerRef?: string
}

/** A row of the table `feedback`. */
export function runnableRow({ name, runnableRef, callRef, triggerRef = '', ...one }: RunnableFeedback) {
  return {
    ...scoreRow({ ...one, name: `wandb.runnable.${name}` }),
    canonical_type: `platform.runnable.${name}`,
    ...{ runnable_ref: runnableRef, call_ref: callRef, trigger_ref: triggerRef },
  }
}

/** Resolves when all of it is readable. */
export async function writeRunnable(store: Store, feedback: readonly RunnableFeedback[]): Promise<void> {
  await store.insertRows('feedback', feedback.map(runnableRow))
}

/** Feedback, as it is read, to what stores it again. Pure. */
import { canonicalName } from '../../contract/aliases.js'
import { FeedbackCreateReq } from '../../contract/feedback.js'
import { type JsonTree, treeText } from '../../platform/json/tree.js'
import type { MovedRefs } from './moved-refs.js'
import type { Piece } from './sink.js'

const FIELDS = new Set(Object.keys(FeedbackCreateReq.shape))
/** Queues are not imported; who gave it is in `creator`, if anywhere. */
const NOT_TAKEN = new Set(['project_id', 'platform_user_id', 'queue_id'])

/** @param read an item of `/feedback/query`, or of a call's line */
export function feedbackPiece(read: ReadonlyMap<string, JsonTree>, project: string, refs: MovedRefs): Piece {
  const feedback = new Map<string, JsonTree>([['project_id', project]])
  for (const [key, value] of read) {
    const name = canonicalName(key)
    if (value !== null && FIELDS.has(name) && !NOT_TAKEN.has(name)) feedback.set(name, refs.tree(value))
  }
  return { kind: 'feedback', text: treeText(feedback) }
}

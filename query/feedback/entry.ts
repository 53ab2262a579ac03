/** From the bodies of requests to feedback that can be stored. Pure; what must be looked up is left to the caller. */
import { z } from 'zod'
import { type FeedbackCreate, FeedbackCreateReq, FeedbackReplaceReq } from '../../common/contract/feedback.js'
import { errors } from '../../common/errors/catalog.js'
import { ValidationError } from '../../common/errors/error.js'
import { validate } from '../../common/http/json-body.js'
import { JsonNumber, type JsonTree, treeText, treeValue } from '../../common/json/tree.js'
import { bodyTree } from '../lossless.js'
import { canonicalType, checkKind, type Payload, type SpecRef } from './kinds.js'
import type { Subject } from './subject.js'

/** Feedback as it will be stored, but for who gave it and when. Unset is ''. */
export interface Entry {
  /** `entity/project` */
  project: string
  /** undefined: none was given */
  id: string | undefined
  weave_ref: string
  call_id: string
  feedback_type: string
  canonical_type: string
  /** JSON text */
  payload: string
  creator: string
  annotation_ref: string
  runnable_ref: string
  call_ref: string
  trigger_ref: string
  queue_id: string
  /** JSON text of an object of all scorer and span fields */
  scorer: string
  /** of an annotation: the ref of its spec, and the text of its value */
  annotation?: { spec: SpecRef; value: string }
}

/** What a request wants stored. */
export interface Wanted {
  entries: Entry[]
  /** the id of what they replace */
  replaced?: string
}

const PAYLOAD_LIMIT = 1 << 20
const Batch = z.object({ batch: z.array(FeedbackCreateReq).max(10_000) })

/** Reads the body of `/feedback/create`. @throws 400, 422 */
export function readFeedback(bytes: Uint8Array): Wanted {
  const tree = bodyTree(bytes)
  const given = validate(FeedbackCreateReq, treeValue(withoutPayload(tree)), 'body')
  return { entries: [entryOf(given, tree)] }
}

/** Reads the body of `/feedback/replace`. @throws 400, 422 */
export function readFeedbackReplacement(bytes: Uint8Array): Wanted {
  const tree = bodyTree(bytes)
  const given = validate(FeedbackReplaceReq, treeValue(withoutPayload(tree)), 'body')
  return { entries: [entryOf(given, tree)], replaced: given.feedback_id }
}

/** Reads the body of `/feedback/batch/create`. @throws 400, 422 */
export function readFeedbackBatch(bytes: Uint8Array): Wanted {
  const tree = bodyTree(bytes)
  const list = tree.get('batch')
  const trees = Array.isArray(list) ? list : []
  if (Array.isArray(list)) tree.set('batch', list.map(withoutPayload))
  const { batch } = validate(Batch, treeValue(tree), 'body')
  return { entries: batch.map((given, i) => entryOf(given, trees[i] as Map<string, JsonTree>)) }
}

const EMPTY = new Map<string, JsonTree>()

/** The payload is the user's: its numbers stay text, and no schema looks into it. */
function withoutPayload(tree: JsonTree): JsonTree {
  const payload = tree instanceof Map ? tree.get('payload') : undefined
  return payload instanceof Map ? new Map(tree as Map<string, JsonTree>).set('payload', EMPTY) : tree
}

function entryOf(given: FeedbackCreate, tree: Map<string, JsonTree>): Entry {
  const { subject, payload, spec } = checkKind(given, tree.get('payload') as Map<string, JsonTree>)
  const text = treeText(payload as Map<string, JsonTree>)
  if (Buffer.byteLength(text) > PAYLOAD_LIMIT)
    throw errors.badRequest(`A payload has at most ${PAYLOAD_LIMIT} bytes as JSON.`)
  return {
    project: given.project_id,
    id: given.id ?? undefined,
    weave_ref: given.weave_ref,
    call_id: subject.callId,
    feedback_type: given.feedback_type,
    canonical_type: canonicalType(given.feedback_type),
    payload: text,
    creator: given.creator ?? '',
    annotation_ref: given.annotation_ref ?? '',
    runnable_ref: given.runnable_ref ?? '',
    call_ref: given.call_ref ?? '',
    trigger_ref: given.trigger_ref ?? '',
    queue_id: given.queue_id ?? '',
    scorer: scorerText(tree, subject),
    ...(spec && { annotation: { spec, value: valueText(payload) } }),
  }
}

function valueText(payload: Payload): string {
  return treeText(payload.get('value') ?? null)
}

/** The scorer and span fields where none is given, in the order in which answers have them. */
const DEFAULTS: ReadonlyMap<string, JsonTree> = new Map<string, JsonTree>([
  ['scorer_tags', []],
  ['scorer_tag_reasons', EMPTY],
  ['scorer_tag_confidences', EMPTY],
  ['scorer_ratings', EMPTY],
  ['scorer_rating_reasons', EMPTY],
  ['scorer_rating_confidences', EMPTY],
  ['span_agent_name', ''],
  ['span_agent_version', ''],
  ['span_status_code', 'UNSET'],
  ['span_conversation_id', ''],
  ['span_trace_id', ''],
  ['scorer_trace_id', ''],
])
export const SCORER_FIELDS: readonly string[] = [...DEFAULTS.keys()]
export const DEFAULT_SCORER = treeText(new Map(DEFAULTS))

/** '' where nothing is set, as on nearly all feedback. */
function scorerText(tree: Map<string, JsonTree>, { turn, conversation }: Subject): string {
  const fields = new Map(DEFAULTS)
  for (const name of SCORER_FIELDS) {
    const value = tree.get(name)
    if (value !== undefined && value !== null) fields.set(name, value)
  }
  if (conversation !== undefined) fields.set('span_conversation_id', conversation)
  if (turn !== undefined) fields.set('span_trace_id', turn)
  checkRatings(fields.get('scorer_ratings'))
  const text = treeText(fields)
  return text === DEFAULT_SCORER ? '' : text
}

/** Sums of ratings stay numbers that JSON has. */
function checkRatings(ratings: JsonTree | undefined): void {
  if (!(ratings instanceof Map)) return
  for (const [name, value] of ratings) {
    if (value instanceof JsonNumber && Math.abs(Number(value.text)) <= 1e100) continue
    throw new ValidationError([
      { loc: ['body', 'scorer_ratings', name], msg: 'Should be a number of usual size', type: 'value_error' },
    ])
  }
}

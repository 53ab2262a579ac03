/** Reads feedback from the bodies of requests. Pure; the caller does the look-ups. */
import { z } from 'zod'
import { type FeedbackCreate, FeedbackCreateReq, FeedbackReplaceReq } from '../../contract/feedback.js'
import type { EmojiNames } from '../../domain/feedback/emoji.js'
import { canonicalType, checkKind, type SpecRef } from '../../domain/feedback/kinds.js'
import type { Subject } from '../../domain/feedback/subject.js'
import { errors } from '../../platform/errors/catalog.js'
import { parseJson, validate } from '../../platform/http/json-body.js'
import { reading } from '../../platform/http/lossless.js'
import { eachElement, lookup } from '../../platform/json/fields.js'
import { minify } from '../../platform/json/minify.js'
import { checkUtf8, Notes, type Slice, scanText, scanValue } from '../../platform/json/scan.js'
import { type JsonTree, parseTree, treeText } from '../../platform/json/tree.js'

/** Feedback as it will be stored, except its author and time. Unset is ''. */
export interface Entry {
  project: string
  /** undefined: not given */
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
  /** for an annotation: the ref of its spec, and the text of its value */
  annotation?: { spec: SpecRef; value: string }
}

/** The feedback that a request stores. */
export interface Wanted {
  entries: Entry[]
  /** the id of the feedback to replace */
  replaced?: string
}

const PAYLOAD_LIMIT = 1 << 20
const Batch = z.object({ batch: z.array(FeedbackCreateReq).max(10_000) })

/** Reads the body of `/feedback/create`. @throws 400, 422 */
export function readFeedback(bytes: Uint8Array): Wanted {
  const whole = scanned(bytes)
  const given = validate(FeedbackCreateReq, valuesIn(bytes), 'body')
  return { entries: [entryOf(given, bytes, whole)] }
}

/** Reads the body of `/feedback/replace`. @throws 400, 422 */
export function readFeedbackReplacement(bytes: Uint8Array): Wanted {
  const whole = scanned(bytes)
  const given = validate(FeedbackReplaceReq, valuesIn(bytes), 'body')
  return { entries: [entryOf(given, bytes, whole)], replaced: given.feedback_id }
}

/** Reads the body of `/feedback/batch/create`. @throws 400, 422 */
export function readFeedbackBatch(bytes: Uint8Array): Wanted {
  const whole = scanned(bytes)
  const { batch } = validate(Batch, valuesIn(bytes), 'body')
  const list = lookup(bytes, whole, ['batch'])!
  const entries: Entry[] = []
  const notes = new Notes()
  eachElement(bytes, list.from, notes, (index, from) => {
    const to = scanValue(bytes, from, notes)
    entries.push(entryOf(batch[index]!, bytes, { from, to }))
    return to
  })
  return { entries }
}

/** The place of the value in a body. @throws 400 if it isn't JSON */
function scanned(bytes: Uint8Array): Slice {
  return reading(() => {
    checkUtf8(bytes)
    return scanText(bytes, new Notes())
  })
}

/** The most JSON values of one body: fifty per entry of the largest batch. More would exhaust a thread's memory. */
const MOST_VALUES = 1 << 19

/** Parses a scanned text. Payloads are stored from the text, not from these values. @throws `TOO_MANY` (413) */
function valuesIn(bytes: Uint8Array): unknown {
  return parseJson(bytes, MOST_VALUES)
}

/** @param at the place of `given` in `bytes` */
function entryOf(given: FeedbackCreate, bytes: Uint8Array, at: Slice): Entry {
  const { subject, added, spec } = checkKind(given, given.payload)
  const payload = payloadOf(bytes, lookup(bytes, at, ['payload'])!, added)
  if (payload.length > PAYLOAD_LIMIT)
    throw errors.badRequest(`A payload may have at most ${PAYLOAD_LIMIT} bytes as JSON.`)
  return {
    project: given.project_id,
    id: given.id ?? undefined,
    weave_ref: given.weave_ref,
    call_id: subject.callId,
    feedback_type: given.feedback_type,
    canonical_type: canonicalType(given.feedback_type),
    payload: payload.toString(),
    creator: given.creator ?? '',
    annotation_ref: given.annotation_ref ?? '',
    runnable_ref: given.runnable_ref ?? '',
    call_ref: given.call_ref ?? '',
    trigger_ref: given.trigger_ref ?? '',
    queue_id: given.queue_id ?? '',
    scorer: scorerText(given, subject),
    ...(spec && { annotation: { spec, value: valueText(payload) } }),
  }
}

/** Numbers keep their text; added members replace the client's members of the same names. */
function payloadOf(bytes: Uint8Array, { from, to }: Slice, added: EmojiNames | undefined): Buffer {
  const text = Buffer.from(minify(bytes.subarray(from, to)))
  if (!added) return text
  const tree = parseTree(text) as Map<string, JsonTree>
  return Buffer.from(treeText(new Map([...tree, ...Object.entries(added)])))
}

function valueText(payload: Buffer): string {
  const { from, to } = lookup(payload, { from: 0, to: payload.length }, ['value'])!
  return payload.toString('utf8', from, to)
}

/** The defaults of the scorer and span fields, in the order of answers. */
const DEFAULTS = {
  scorer_tags: [],
  scorer_tag_reasons: {},
  scorer_tag_confidences: {},
  scorer_ratings: {},
  scorer_rating_reasons: {},
  scorer_rating_confidences: {},
  span_agent_name: '',
  span_agent_version: '',
  span_status_code: 'UNSET',
  span_conversation_id: '',
  span_trace_id: '',
  scorer_trace_id: '',
}
const FIELDS = Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]
export const SCORER_FIELDS: readonly string[] = FIELDS
export const DEFAULT_SCORER = JSON.stringify(DEFAULTS)

/** '' if no field is set, as in nearly all feedback. */
function scorerText(given: FeedbackCreate, { turn, conversation }: Subject): string {
  const fields: Record<string, unknown> = {}
  for (const name of FIELDS) fields[name] = given[name] ?? DEFAULTS[name]
  if (conversation !== undefined) fields.span_conversation_id = conversation
  if (turn !== undefined) fields.span_trace_id = turn
  const text = JSON.stringify(fields)
  return text === DEFAULT_SCORER ? '' : text
}

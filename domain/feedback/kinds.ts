/**
 * The kinds of feedback and the rules for their payloads, refs and scorer fields (contract §5). Pure: returns what the
 * caller must look up (an annotation's spec, a queue).
 */
import type { FeedbackCreate } from '../../contract/feedback.js'
import { parseRef, type Ref, RefError } from '../../contract/ref.js'
import { errors } from '../../platform/errors/catalog.js'
import { type EmojiNames, emojiNames } from './emoji.js'
import { type Subject, subjectOf } from './subject.js'

/** The ref of an object, such as an annotation's spec. */
export type SpecRef = Ref & { kind: 'object' }
export type Payload = Readonly<Record<string, unknown>>

/** Valid feedback: its subject, additions to its payload, and the spec that its value must still match. */
export interface Checked {
  subject: Subject
  added?: EmojiNames
  spec?: SpecRef
}

export type Given = Pick<FeedbackCreate, 'project_id' | 'weave_ref' | 'feedback_type'> &
  Partial<FeedbackCreate>

const NOTE_LIMIT = 1024

/** The canonical form of a feedback type, or of a prefix of one: replaces the published clients' prefix with ours. */
export function canonicalType(type: string): string {
  return type.replace(/^wandb(?=\.|$)/, 'platform')
}

/** True for types that a person may give several times per call. */
export function mayRepeat(canonical: string): boolean {
  return REPEATING.has(canonical)
}

const REACTION = 'platform.reaction.1'
export const NOTE = 'platform.note.1'
const MONITOR = 'platform.agent_monitor'
const USER_FEEDBACK = 'platform.agent_user_feedback'
const REPEATING = new Set([REACTION, NOTE, USER_FEEDBACK])

/** Checks `payload`, refs and scorer fields by the type's rules. @throws 400 */
export function checkKind(given: Given, payload: Payload): Checked {
  const type = canonicalType(given.feedback_type)
  const subject = subjectOf(given.weave_ref, given.project_id)
  const checked = { subject, ...checkType(type, given, payload) }
  checkScorerFields(type, given)
  if (type === MONITOR || type === USER_FEEDBACK) checkTarget(given, subject)
  return checked
}

function checkType(type: string, given: Given, payload: Payload): Pick<Checked, 'added' | 'spec'> {
  const [, family, dot, name = ''] = /^platform\.(annotation|runnable)(?:(\.)(.*))?/s.exec(type) ?? []
  if (family !== undefined && (dot === undefined || name === ''))
    throw errors.badRequest(`This feedback type needs a name: "${given.feedback_type}.name".`)
  if (family === 'annotation') return { spec: annotation(given, payload, name) }
  refuse(given, ['annotation_ref'])
  if (family === 'runnable') {
    runnable(given, payload, name)
    return {}
  }
  if (type === MONITOR) {
    refOf(given, 'runnable_ref', ['object', 'op'])
    refOf(given, 'call_ref', ['call'])
    refOf(given, 'trigger_ref', ['object'])
    return {}
  }
  refuse(given, ['runnable_ref', 'call_ref', 'trigger_ref'])
  if (type === REACTION) return { added: reaction(payload) }
  if (type === NOTE) note(payload)
  if (type === USER_FEEDBACK && !given.scorer_tags?.length)
    throw errors.badRequest(`Feedback of type "${given.feedback_type}" needs scorer_tags.`)
  return {}
}

function reaction({ emoji }: Payload): EmojiNames {
  const names = typeof emoji === 'string' ? emojiNames(emoji) : undefined
  if (!names)
    throw errors.badRequest('The payload of a reaction must be {"emoji": …} with exactly one emoji.')
  return names
}

function note({ note: text }: Payload): void {
  const length = typeof text === 'string' ? [...text].length : 0
  if (length < 1 || length > NOTE_LIMIT)
    throw errors.badRequest(`The payload of a note must be {"note": …} with 1 to ${NOTE_LIMIT} characters.`)
}

function annotation(given: Given, payload: Payload, name: string): SpecRef {
  needs(payload, 'value', given)
  for (const field of ['runnable_ref', 'call_ref', 'trigger_ref'] as const) optionalRef(given, field)
  const spec = named(refOf(given, 'annotation_ref', ['object']), 'annotation_ref', name)
  if (spec.project !== given.project_id)
    throw errors.badRequest(`The annotation_ref must belong to the project ${given.project_id}.`)
  return spec as SpecRef
}

function runnable(given: Given, payload: Payload, name: string): void {
  needs(payload, 'output', given)
  const ref = named(refOf(given, 'runnable_ref', ['object', 'op']), 'runnable_ref', name)
  if (ref.kind === 'op' && !given.call_ref)
    throw errors.badRequest(`Feedback of type "${given.feedback_type}" by an op needs a call_ref.`)
  optionalRef(given, 'call_ref')
  optionalRef(given, 'trigger_ref')
}

function needs(payload: Payload, field: string, { feedback_type }: Given): void {
  if (!Object.hasOwn(payload, field))
    throw errors.badRequest(`The payload of "${feedback_type}" must be {"${field}": …}.`)
}

type RefField = 'annotation_ref' | 'runnable_ref' | 'call_ref' | 'trigger_ref'
const KINDS: Record<RefField, readonly Ref['kind'][]> = {
  annotation_ref: ['object'],
  runnable_ref: ['object', 'op'],
  call_ref: ['call'],
  trigger_ref: ['object'],
}

function refuse(given: Given, fields: readonly RefField[]): void {
  for (const field of fields)
    if (given[field]) throw errors.badRequest(`Feedback of type "${given.feedback_type}" has no ${field}.`)
}

function optionalRef(given: Given, field: RefField): void {
  if (given[field]) refOf(given, field, KINDS[field])
}

/** The ref in `field`, which is required. */
function refOf(given: Given, field: RefField, kinds: readonly Ref['kind'][]): Ref {
  const text = given[field]
  if (!text) throw errors.badRequest(`Feedback of type "${given.feedback_type}" needs a ${field}.`)
  const ref = parsed(text, field)
  if (!kinds.includes(ref.kind)) throw errors.badRequest(`The ${field} must point at ${kinds.join(' or ')}.`)
  return ref
}

function parsed(text: string, field: RefField): Ref {
  try {
    return parseRef(text)
  } catch (error) {
    if (error instanceof RefError) throw errors.badRequest(`The ${field} ${error.message}.`)
    throw error
  }
}

/** Returns `ref` after checking that its object is called `name`. */
function named(ref: Ref, field: RefField, name: string): Ref {
  const called = 'name' in ref ? ref.name : ''
  if (called === name) return ref
  throw errors.badRequest(`The ${field} points at "${called}", but the feedback's type says "${name}".`)
}

const OF_SCORERS = [
  'scorer_tags',
  'scorer_tag_reasons',
  'scorer_tag_confidences',
  'scorer_ratings',
  'scorer_rating_reasons',
  'scorer_rating_confidences',
] as const

/** Clients always send these fields, if empty. */
function checkScorerFields(type: string, given: Given): void {
  if (type.startsWith('platform.runnable.') || type === MONITOR || type === USER_FEEDBACK) return
  const set = OF_SCORERS.find((field) => Object.keys(given[field] ?? {}).length > 0)
  if (set) throw errors.badRequest(`Feedback of type "${given.feedback_type}" has no ${set}.`)
}

/** The ref names an agent's turn or conversation; fields that name another one contradict it. */
function checkTarget(given: Given, { turn, conversation }: Subject): void {
  const wrong =
    conversation !== undefined
      ? Boolean(given.span_trace_id) ||
        (given.span_conversation_id && given.span_conversation_id !== conversation)
      : turn !== undefined && given.span_trace_id && given.span_trace_id !== turn
  if (wrong) throw errors.badRequest('The span_ fields contradict the weave_ref.')
}

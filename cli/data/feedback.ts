/** `heddle feedback`: what people and programs said about calls. */
import { feedbackCreate } from '../../contract/feedback.js'
import { feedbackQuery } from '../../contract/feedback-read.js'
import { refText } from '../../contract/ref.js'
import { isObject } from '../../platform/json/object.js'
import { CommandError } from '../command.js'
import { answerIn } from '../contract-client.js'
import { projectNamed, type Target } from '../http-client.js'
import { wholeNumber } from '../option-values.js'
import { list, type Shown, timeText } from '../shown.js'

interface FeedbackAddOptions {
  reaction?: string
  note?: string
  type?: string
  payload?: string
}

const LONGEST = 80

/** The newest first. */
export async function feedbackList(
  to: Target,
  project: string,
  { call, type, limit }: { call?: string; type?: string; limit: string },
): Promise<Shown> {
  const is = (field: string, value: string) => ({ $eq: [{ $getField: field }, { $literal: value }] })
  const conditions = [
    ...(call === undefined ? [] : [is('weave_ref', refOf(project, call))]),
    ...(type === undefined ? [] : [is('feedback_type', type)]),
  ]
  const { result } = await answerIn(to, project, feedbackQuery, {
    query: conditions.length > 0 ? { $expr: { $and: conditions } } : undefined,
    sort_by: [{ field: 'created_at', direction: 'desc' }],
    limit: wholeNumber('--limit', limit),
  })
  return list(
    result,
    ['CREATED', 'TYPE', 'ABOUT', 'PAYLOAD'],
    ({ created_at: at, feedback_type: of, weave_ref: ref, payload }) => {
      const text = JSON.stringify(payload)
      return [
        ...[timeText(String(at)), String(of), String(ref).replace(`weave:///${project}/`, '')],
        text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text,
      ]
    },
    'no feedback',
  )
}

/** Adds feedback on a call, and shows its id. */
export async function addFeedback(
  to: Target,
  project: string,
  call: string,
  options: FeedbackAddOptions,
): Promise<Shown> {
  const said = { weave_ref: refOf(project, call), ...contentOf(options) }
  const { id } = await answerIn(to, project, feedbackCreate, said)
  return { value: { id }, text: `${id}\n` }
}

function contentOf({ reaction, note, type, payload }: FeedbackAddOptions): {
  feedback_type: string
  payload: Record<string, unknown>
} {
  const given = [reaction, note, type].filter((one) => one !== undefined)
  if (given.length !== 1 || (type === undefined) !== (payload === undefined))
    throw new CommandError('give one of --reaction, --note, or --type with --payload', 2)
  if (reaction !== undefined) return { feedback_type: 'platform.reaction.1', payload: { emoji: reaction } }
  if (note !== undefined) return { feedback_type: 'platform.note.1', payload: { note } }
  return { feedback_type: type!, payload: objectIn(payload!) }
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text) as unknown
    if (isObject(value)) return value
  } catch {}
  throw new CommandError('--payload must be a JSON object, such as {"value": 0.9}', 2)
}

function refOf(project: string, id: string): string {
  return refText({ project: projectNamed(project), kind: 'call', id, steps: [] })
}

/** `heddle feedback`: what people and programs said about calls. */
import { refText } from '../../contract/ref.js'
import { isObject } from '../../platform/json/object.js'
import { CommandError } from '../command.js'
import { projectNamed, sendJson, type Target } from '../http-client.js'
import { list, type Shown, timeText } from '../shown.js'

export interface FeedbackListOptions {
  call?: string
  type?: string
  limit: number
}

export interface FeedbackAddOptions {
  reaction?: string
  note?: string
  type?: string
  payload?: string
}

interface Feedback {
  created_at: string
  feedback_type: string
  weave_ref: string
  payload: Record<string, unknown>
}

const LONGEST = 80

/** The newest first. */
export async function feedbackList(
  to: Target,
  project: string,
  options: FeedbackListOptions,
): Promise<Shown> {
  const { call, type, limit } = options
  const is = (field: string, value: string) => ({ $eq: [{ $getField: field }, { $literal: value }] })
  const conditions = [
    ...(call === undefined ? [] : [is('weave_ref', refOf(project, call))]),
    ...(type === undefined ? [] : [is('feedback_type', type)]),
  ]
  const { result } = await sendJson<{ result: Feedback[] }>(to, '/feedback/query', {
    project_id: projectNamed(project),
    ...(conditions.length > 0 && { query: { $expr: { $and: conditions } } }),
    sort_by: [{ field: 'created_at', direction: 'desc' }],
    limit,
  })
  return list(
    result,
    ['CREATED', 'TYPE', 'ABOUT', 'PAYLOAD'],
    ({ created_at: at, feedback_type: of, weave_ref: ref, payload }) => {
      const text = JSON.stringify(payload)
      return [
        ...[timeText(at), of, ref.replace(`weave:///${project}/`, '')],
        text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text,
      ]
    },
    'no feedback',
  )
}

/** @returns its id */
export async function addFeedback(
  to: Target,
  project: string,
  call: string,
  options: FeedbackAddOptions,
): Promise<string> {
  const said = { project_id: projectNamed(project), weave_ref: refOf(project, call), ...contentOf(options) }
  return (await sendJson<{ id: string }>(to, '/feedback/create', said)).id
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

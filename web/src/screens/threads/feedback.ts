/** Feedback on a call, in a few words. Pure. */

import type { Call } from '../../api/client'
import { isInside, numberOf } from '../../api/json'
import { decimal } from '../../ui/format'
import { scoreName } from '../../ui/scores'

interface Said {
  id: string
  /** of the feedback */
  type: string
  text: string
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  isInside(value) && !Array.isArray(value)

/** A call must have been read with its feedback. */
export function feedbackOn({ summary }: Pick<Call, 'summary'>): Said[] {
  const { feedback } = (summary?.weave ?? {}) as { feedback?: unknown }
  if (!Array.isArray(feedback)) return []
  return feedback.filter(isObject).map(({ id, feedback_type: given, payload }) => {
    const type = String(given)
    return { id: String(id), type, text: textOf(type, isObject(payload) ? payload : {}) }
  })
}

function textOf(type: string, payload: Record<string, unknown>): string {
  if (typeof payload.emoji === 'string') return payload.emoji
  if (typeof payload.note === 'string') return payload.note
  const { output } = payload
  const value = payload.value ?? (isObject(output) ? output.score : output) ?? payload.score
  const number = numberOf(value)
  const text = number !== undefined ? decimal(number) : isInside(value) ? '' : String(value ?? '')
  return [scoreName(type), text].filter(Boolean).join(' ')
}

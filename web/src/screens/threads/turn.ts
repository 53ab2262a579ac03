/** A turn as a conversation: what was asked, the steps that were taken, what was answered. Pure. */

import { ASKED } from '../../../../domain/calls/asked-text'
import type { Call } from '../../api/client'
import { isInside } from '../../api/json'
import { NO_REFS, type Refs } from '../../api/refs'
import { type Message, messagesOf, type Part, textPart } from '../trace/messages'

const ANSWERED = ['output', 'answer', 'response', 'message', 'content', 'text', 'result']

/** What a turn was asked and answered. What was said before belongs to the turns before it. */
export function turnMessages(call: Pick<Call, 'inputs' | 'output'>, refs: Refs = NO_REFS): Message[] {
  const messages = messagesOf(call, refs)
  if (messages.length > 0) {
    const last = messages.findLastIndex(({ role, isOutput }) => role === 'user' && !isOutput)
    return messages.slice(Math.max(0, last))
  }
  const { self: _, ...inputs } = call.inputs
  return [
    { role: 'user', parts: partsOf(inputs, ASKED, refs), isOutput: false },
    { role: 'assistant', parts: partsOf(call.output, ANSWERED, refs), isOutput: true },
  ].filter(({ parts }) => parts.length > 0)
}

/** The text among the fields, if it is clear which one; otherwise all of them. */
function partsOf(value: unknown, names: readonly string[], refs: Refs): Part[] {
  if (value === null || value === undefined || value === '') return []
  if (typeof value === 'string') return [textPart(value, refs)]
  if (isInside(value) && !Array.isArray(value)) {
    const fields = value as Record<string, unknown>
    const keys = Object.keys(fields)
    if (keys.length === 0) return []
    const key = keys.length === 1 ? keys[0]! : names.find((name) => typeof fields[name] === 'string')
    const text = key === undefined ? undefined : fields[key]
    if (typeof text === 'string' && text !== '') return [textPart(text, refs)]
  }
  return [{ kind: 'json', value }]
}

export interface Step {
  call: Call
  /** below the turn */
  depth: number
}

/** The other calls of a turn, each below the one that made it. */
export function stepsOf(calls: readonly Call[], turn: string): Step[] {
  const ids = new Set(calls.map(({ id }) => id))
  const below = new Map<string, Call[]>()
  for (const call of calls) {
    if (call.id === turn) continue
    const parent = call.parent_id && ids.has(call.parent_id) ? call.parent_id : turn
    below.set(parent, [...(below.get(parent) ?? []), call])
  }
  const steps: Step[] = []
  const walk = (id: string, depth: number) => {
    const children = below.get(id) ?? []
    // A call that is above itself would have no end.
    below.delete(id)
    for (const call of children) {
      steps.push({ call, depth })
      walk(call.id, depth + 1)
    }
  }
  walk(turn, 0)
  return steps
}

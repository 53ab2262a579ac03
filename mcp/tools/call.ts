/** The tool that shows one call in full, or what differs between two. */
import { z } from 'zod'
import { errors } from '../../platform/errors/catalog.js'
import type { Api } from '../../platform/http/api.js'
import { isObject } from '../../platform/json/object.js'
import { cursorIn, cursorOut, glimpse, lean, maxTokens, offsetOf, pageOf, wholeOrPart } from '../budget.js'
import { differences } from '../differences.js'
import { name, project, tool } from '../tool.js'
import { durationOf, oneCall, opName } from './calls.js'

/** How much of a value that differs is shown. */
const DIFFERENT_LENGTH = 600

export const readCall = tool({
  name: 'read_call',
  title: 'Read or compare calls',
  description:
    'Everything that is stored of one call: inputs, output, exception, attributes, summary with usage and costs. With compare_with: only where the two differ (a is call_id, b is compare_with).',
  effect: 'reads',
  input: z.object({
    project,
    call_id: name,
    path: name.optional().describe('only this part, such as inputs.messages.0'),
    compare_with: name.optional().describe('id of another call'),
    cursor: cursorIn,
    max_tokens: maxTokens,
  }),
  output: z.object({
    id: z.string(),
    trace_id: z.string(),
    op: z.string(),
    started_at: z.string(),
    ms: z.number().optional(),
    value: z.unknown().optional().describe('the call, or the part at path'),
    json_part: z.string().optional().describe('instead of value: a part of its JSON text, as it is long'),
    differences: z
      .array(z.object({ path: z.string(), a: z.string().optional(), b: z.string().optional() }))
      .optional(),
    next_cursor: cursorOut,
  }),
  run: async ({ project: project_id, call_id, path, compare_with, cursor, max_tokens }, api) => {
    const one = await shown(api, project_id, call_id, path)
    const offset = offsetOf(cursor)
    if (compare_with === undefined) return { ...one.head, ...wholeOrPart(one.value, offset, max_tokens) }
    const other = await shown(api, project_id, compare_with, path)
    const found = differences(one.value, other.value).map(({ path: place, a, b }) => ({
      path: place,
      ...lean({ a: glimpse(a, DIFFERENT_LENGTH), b: glimpse(b, DIFFERENT_LENGTH) }),
    }))
    const { page, ...next } = pageOf(found.slice(offset), offset, max_tokens)
    return { ...one.head, differences: page, ...next }
  },
})

async function shown(api: Api, project_id: string, id: string, path: string | undefined) {
  const call = await oneCall(api, project_id, id)
  const { trace_id, started_at, inputs, output, attributes, summary, exception } = call
  const ms = durationOf(call)
  const all = lean({ exception, inputs, output, summary, attributes, thread_id: call.thread_id })
  const head = { id, trace_id, op: call.display_name || opName(call.op_name), started_at }
  return {
    head: { ...head, ...(ms !== undefined && { ms }) },
    value: path === undefined ? all : at(all, path),
  }
}

/** The part of a value at a dotted path; a member's own name may have dots. @throws `BAD_REQUEST` */
function at(value: unknown, path: string): unknown {
  if (path === '') return value
  if (isObject(value) || Array.isArray(value)) {
    const members = new Map<string, unknown>(Object.entries(value))
    for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
      const member = path.slice(0, end)
      if (members.has(member)) return at(members.get(member), path.slice(end + 1))
    }
  }
  throw errors.badRequest(`There is nothing at ${path}; read the call without path.`)
}

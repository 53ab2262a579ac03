/** The columns of the traces table: those that are always there, and any path into a call. Pure. */

import { FIELDS, type FieldType } from '../../../../domain/calls/listed-fields'
import type { Call } from '../../api/client'
import { isInside, jsonText } from '../../api/json'
import { bytes } from '../../ui/format'

export interface Column {
  id: string
  title: string
  width: number
  /** what it is sorted by; absent: it can't be */
  sort?: string
  /** what must be read for it */
  reads: readonly string[]
  isNumber?: boolean
  /** feedback must be read for it */
  withFeedback?: boolean
}

const NUMBERS: ReadonlySet<FieldType> = new Set(['number', 'length', 'money'])

/** Those that hold little or much; others take as much as a short text. */
const WIDTHS: Readonly<Record<string, number>> = {
  ...{ status: 92, name: 164, inputs: 250, output: 250, started_at: 166, latency: 84, first_token: 140 },
  ...{ tokens: 84, cost: 96, trace_tokens: 110, trace_cost: 96, model: 150, thread_id: 120 },
  ...{ wb_user_id: 120, trace_id: 150, id: 150 },
}

/** Those of whole traces: the server sums them up for a page, and the page sorts by them. */
export const SUMMED: ReadonlySet<string> = new Set(['trace_tokens', 'trace_cost'])

const FIXED: readonly Column[] = FIELDS.flatMap(({ id, title, type, path, reads }) =>
  reads
    ? {
        ...{ id, title, reads, width: WIDTHS[id] ?? 110 },
        ...(path && type !== 'value' && { sort: path }),
        ...(SUMMED.has(id) && { sort: id }),
        ...(NUMBERS.has(type) && { isNumber: true }),
        ...(id === 'feedback' && { withFeedback: true }),
      }
    : [],
)

export const DEFAULT_COLUMNS = [
  'status',
  'name',
  'inputs',
  'output',
  'latency',
  'trace_tokens',
  'trace_cost',
  'started_at',
]
export const FIXED_COLUMNS: readonly Column[] = FIXED

const PATH = /^(inputs|output|attributes|summary)\../
const SCORE = /^feedback\.\[([^\]]+)\]\.payload\.(.+)$/

/** What a value in feedback of a type is called: `refusal value`. */
export const scoreTitle = (type: string, path: string): string =>
  `${type.split('.').at(-1)} ${path.replace(/^output\.?/, '')}`.trim()

/** The column of this id; undefined if it is no path. */
export function columnOf(id: string): Column | undefined {
  const fixed = FIXED.find((column) => column.id === id)
  if (fixed !== undefined) return fixed
  const [, type, path] = SCORE.exec(id) ?? []
  if (type !== undefined)
    return { id, title: scoreTitle(type, path!), width: 130, sort: id, reads: [], withFeedback: true }
  if (!PATH.test(id)) return undefined
  return { id, title: id, width: 160, sort: id, reads: [id.slice(0, id.indexOf('.'))] }
}

/** What to ask the server for. */
export function fieldsOf(columns: readonly Column[]): string[] {
  return [...new Set(['id', 'trace_id', 'op_name', 'started_at', ...columns.flatMap(({ reads }) => reads)])]
}

/** The value at a dotted path of a call, or of its feedback. */
export function valueAt(call: Call, path: string): unknown {
  const [, type, inPayload] = SCORE.exec(path) ?? []
  return type === undefined ? within(call, path) : within(firstOf(call, type), `payload.${inPayload}`)
}

function within(whole: unknown, path: string): unknown {
  let value = whole
  for (const part of path.split('.')) {
    if (!isInside(value)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}

interface Feedback {
  feedback_type: string
  created_at: string
}

/** Of a call's feedback of a type the first, by which the server filters and sorts, too. */
function firstOf(call: Call, type: string): Feedback | undefined {
  const list = within(call, 'summary.weave.feedback')
  const bare = (name: string) => name.replace(/^(platform|wandb)\./, '')
  return (Array.isArray(list) ? (list as Feedback[]) : [])
    .filter(({ feedback_type: one }) => bare(one) === bare(type))
    .toSorted((a, b) => a.created_at.localeCompare(b.created_at))[0]
}

/** A value in one short line. */
export function preview(value: unknown, most = 300): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value.slice(0, most)
  if (!isInside(value)) return String(value)
  return (omitted(value) ?? lastMessage(value) ?? membersOf(value)).slice(0, most)
}

const REF = /weave:\/{3}[^/\s"]+\/[^/\s"]+\/(?:object|op)\/([^:/\s"]+):[^\s"]+/g

/** A value within another one, without quotes of its own; refs are the names of what they lead to. */
const member = (value: unknown): string =>
  (typeof value === 'string' ? value : (jsonText(value) ?? '')).replaceAll(REF, '$1')

/** `question: Where?  lang: en`; of what has one text, that: `{"question": …}` is the question. */
function membersOf(value: object): string {
  if (Array.isArray(value)) return member(value)
  const all = Object.entries(value)
  const [, only] = all[0] ?? []
  if (all.length === 1 && typeof only === 'string') return member(only)
  return all.map(([name, one]) => `${name}: ${member(one)}`).join('  ')
}

/** What the server left out of a list because it is large. */
function omitted(value: object): string | undefined {
  const { bytes: size } = (value as { _omitted?: { bytes?: unknown } })._omitted ?? {}
  return typeof size === 'number' ? `${bytes(size)}: open the call to see it` : undefined
}

/** What a person would look for in messages: the text of the last one. */
function lastMessage(value: object): string | undefined {
  const { messages, choices } = value as { messages?: unknown; choices?: unknown }
  const list = Array.isArray(messages)
    ? messages
    : Array.isArray(choices)
      ? choices.map((one) => one?.message)
      : []
  const last = list.at(-1) as
    | { content?: unknown; tool_calls?: { function?: { name?: string } }[] }
    | undefined
  if (typeof last?.content === 'string' && last.content !== '') return last.content
  const tools = last?.tool_calls?.map(({ function: tool }) => `${tool?.name}(…)`)
  return tools?.join(', ')
}

/** The paths into these calls, for completion. Only as deep as people look. */
export function pathsIn(calls: readonly Call[]): string[] {
  const found = new Set<string>()
  const walk = (value: unknown, path: string, depth: number) => {
    if (!isInside(value) || Array.isArray(value) || depth > 4) {
      found.add(path)
      return
    }
    for (const [key, inner] of Object.entries(value))
      if (!key.includes('.') && found.size < 500) walk(inner, `${path}.${key}`, depth + 1)
  }
  for (const call of calls.slice(0, 100)) {
    for (const root of ['inputs', 'output', 'attributes', 'summary'] as const) {
      const value = call[root]
      if (!isInside(value) || Array.isArray(value)) continue
      if (omitted(value) === undefined) walk(value, root, 1)
    }
  }
  return [...found].filter((path) => path.includes('.')).sort()
}

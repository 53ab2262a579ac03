/** The `response_format` of a draft, as JSON. Pure. */
import { jsonProblem } from '../../ui/json-problem'

/** The formats that are chosen by name; another one is only JSON. */
export type FormatKind = 'text' | 'json_object' | 'json_schema' | 'other'

const SCHEMA = {
  type: 'json_schema',
  json_schema: {
    name: 'answer',
    strict: true,
    schema: {
      type: 'object',
      properties: { answer: { type: 'string' } },
      required: ['answer'],
      additionalProperties: false,
    },
  },
}

export function formatKind(text: string): FormatKind {
  if (text.trim() === '') return 'text'
  if (jsonProblem(text, 'object') !== undefined) return 'other'
  const { type } = JSON.parse(text) as { type?: unknown }
  return type === 'json_object' || type === 'json_schema' ? type : 'other'
}

/** The text of a format that was just chosen. */
export function formatText(kind: FormatKind): string {
  if (kind === 'json_object') return JSON.stringify({ type: kind })
  return kind === 'json_schema' ? JSON.stringify(SCHEMA, null, 2) : ''
}

/** What is wrong with the text; undefined: nothing, or it is empty. */
export function formatProblem(text: string): string | undefined {
  const problem = jsonProblem(text, 'object')
  if (problem !== undefined || formatKind(text) !== 'json_schema') return problem
  const { json_schema: given } = JSON.parse(text) as { json_schema?: { name?: unknown; schema?: unknown } }
  if (typeof given?.name !== 'string' || !/^[\w-]{1,64}$/.test(given.name))
    return 'json_schema needs a name of letters, digits, "_" and "-".'
  if (typeof given.schema !== 'object' || given.schema === null) return 'json_schema needs a schema.'
  return undefined
}

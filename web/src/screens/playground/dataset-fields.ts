/** Which column of a dataset fills which variable of a draft, and the draft as a model that a run evaluates. Pure. */
import { isInside, parseJson } from '../../api/json'
import { type Draft, messagesToSend, partsOf } from './draft'
import { formatKind } from './format'
import { settingsOf } from './parameters'

type Fields = Record<string, unknown>

/** The column of each variable; '': what was typed for it, the same for all rows. */
export type Columns = Readonly<Record<string, string>>

/** A column of a variable's name fills it, unless another one was chosen. */
export const columnsFor = (
  names: readonly string[],
  columns: readonly string[],
  chosen: Columns,
): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, chosen[name] ?? (columns.includes(name) ? name : '')]))

/** The values of the variables on a row. */
export function valuesOn(row: Fields, columns: Columns, typed: Draft['variables']): Fields {
  const values = Object.entries(columns).flatMap(([name, column]) => {
    const value = column === '' ? typed[name] || undefined : row[column]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(values)
}

/** The settings that a model of an evaluation has. */
const KEPT = ['temperature', 'top_p', 'max_tokens', 'presence_penalty', 'frequency_penalty', 'stop']

/** What such a model can't have of the draft, by name. */
export function leftOut({ settings, tools }: Draft): string[] {
  const names = Object.keys(settingsOf(settings) ?? {}).filter(
    (name) => !KEPT.includes(name) && name !== 'max_completion_tokens',
  )
  return [...names, ...(tools.trim() === '' ? [] : ['tools'])]
}

/**
 * The object that an evaluation asks: its messages name columns in braces, as `str.format` does, so that other braces are
 * doubled.
 * @param name the object's @param model as completions call it
 */
export function modelValue(name: string, model: string, draft: Draft, columns: Columns): Fields {
  const settings = settingsOf(draft.settings) ?? {}
  const { max_completion_tokens: limit, stop } = settings
  const kept = Object.fromEntries(
    KEPT.flatMap((key) => (settings[key] === undefined ? [] : [[key, settings[key]]])),
  )
  const kind = formatKind(draft.format)
  const schema =
    kind === 'json_schema'
      ? (parseJson(draft.format) as { json_schema: { schema: object } }).json_schema.schema
      : undefined
  const text = (given: string) => template(given, columns, draft.variables)
  return {
    _type: 'LLMStructuredCompletionModel',
    _class_name: 'LLMStructuredCompletionModel',
    _bases: ['Model', 'Object', 'BaseModel'],
    name,
    description: null,
    llm_model_id: model,
    default_params: {
      messages_template: messagesToSend(draft.messages).map((one) => mapTexts(one, text)),
      ...kept,
      ...(typeof limit === 'number' && { max_tokens: limit }),
      ...(typeof stop === 'string' && { stop: [stop] }),
      ...(kind !== 'text' && kind !== 'other' && { response_format: kind }),
      ...(schema && { json_schema: schema }),
    },
  }
}

const doubled = (text: string): string => text.replaceAll('{', '{{').replaceAll('}', '}}')

function template(text: string, columns: Columns, typed: Draft['variables']): string {
  return partsOf(text)
    .map((part) => {
      if (typeof part === 'string') return doubled(part)
      const column = columns[part.variable]
      return column ? `{${column}}` : doubled(typed[part.variable] || `{${part.variable}}`)
    })
    .join('')
}

/** A value with its texts changed; the names of its members stay. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change))
  if (!isInside(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, change)]))
}

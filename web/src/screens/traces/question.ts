/** A question in words as a filter: what a model is asked, and what its answer means. Pure. */
import { FIELDS, type FieldType, ROOTS } from '../../../../domain/calls/listed-fields'
import { compile, OPERATORS, SAYS } from './language'

/** What somebody means. */
export interface Meant {
  /** in the query language */
  filter: string
  /** every call, not only those that begin a trace */
  all: boolean
}

export const FORMAT = {
  type: 'json_schema',
  json_schema: {
    name: 'filter',
    strict: true,
    schema: {
      type: 'object',
      properties: { filter: { type: 'string' }, all: { type: 'boolean' } },
      required: ['filter', 'all'],
      additionalProperties: false,
    },
  },
}

const WRITTEN: Readonly<Record<FieldType, string>> = {
  text: 'text',
  number: 'number',
  length: 'length of time with its unit, such as 300ms, 2s or 5m',
  money: 'US dollars',
  time: 'time, such as 2026-01-31T12:00:00Z',
  value: 'JSON; write the path into it',
}

/** What a model must know to write a filter. @param now for questions about last week */
export const instructions = (
  now: Date,
): string => `You turn a question about traced calls of a program into a filter.
Answer with JSON alone: {"filter": "…", "all": …}. "all" is true if single calls are asked for, such as those of a model, an op or a tool, and false if whole traces are.

A filter is made of conditions: a field, an operator and a value, without spaces between them. All must hold; "or", "not" and parentheses work. A value with spaces or any of ( ) " : stands in double quotes. "some text" alone is searched for in inputs, output, error and name. field:* is true where the field is there at all.

Operators:
${OPERATORS.map((one) => `${one} ${SAYS[one]}`).join('\n')}

Fields:
${FIELDS.flatMap(({ names: [name], title, type, path, values }) =>
  path ? [`${name}: ${title}; ${values ? `one of ${values.join(', ')}` : WRITTEN[type]}`] : [],
).join('\n')}
Paths below ${ROOTS.join(' ')} are fields, too, such as inputs.question or feedback.[type].payload.value.

It is ${now.toISOString()}, a ${now.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' })}.

Example: "calls of gpt-4o yesterday that failed or took over 5 seconds" is
{"filter": "model~gpt-4o (status:error or latency>5s) started>=2026-01-30T00:00:00Z started<2026-01-31T00:00:00Z", "all": true}`

/** @param text what a model answered @throws Error saying what is wrong with it */
export function meantBy(text: string): Meant {
  // Some models put a fence around it, or say a word before.
  const [found] = /\{.*\}/s.exec(text) ?? []
  const { filter, all } = parsed(found ?? '')
  if (typeof filter !== 'string' || filter.trim() === '') throw new Error('It has no "filter".')
  compile(filter)
  return { filter: filter.trim(), all: all === true }
}

function parsed(text: string): Partial<Record<keyof Meant, unknown>> {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('It is not JSON.')
  }
}

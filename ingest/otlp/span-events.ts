/**
 * What the events of a span, or the log records that belong to it, say: the messages that went in and came out where its
 * attributes hold none, and why it failed. Knows the names of events in `domain/conventions/table.ts`, not where the texts go.
 */
import {
  EVENT_BODY,
  EVENT_FIELDS,
  EVENT_MESSAGES,
  EVENT_NAMESPACES,
  EVENT_VALUES,
  EVENTS,
} from '../../domain/conventions/table.js'
import { rawFields } from '../../platform/json/fields.js'
import { objectText } from '../../platform/json/members.js'
import { ownOf } from '../../platform/json/object.js'
import { utf8At } from '../../platform/json/text.js'
import { type Span, SpanEvent } from './span.js'
import type { Wire } from './wire.js'

/** Inputs and output as JSON text. */
export interface SpanContent {
  readonly inputs: Buffer | undefined
  readonly output: Buffer | undefined
}

/** JSON texts by name. */
export type Fields = ReadonlyMap<string, string>

/** Attributes of events that say nothing about their message. */
const BESIDE = new Set([
  'event.name',
  'gen_ai.system',
  'gen_ai.provider.name',
  'gen_ai.message.index',
  ...EVENT_MESSAGES,
])
const COLUMNS = ['inputs', 'output'] as const
/** Of several events with inputs or output, the one with the least. */
const RANKS = new Map(Object.keys(EVENT_FIELDS).map((name, i) => [name, i]))
const LISTS = { inputs: 'gen_ai.input.messages', output: 'gen_ai.output.messages' } as const

/** Whether events of this name say something about the calls of models and tools. */
export function isKnownEvent(name: string): boolean {
  return EVENT_NAMESPACES.some((begin) => name.startsWith(begin))
}

/** What the events of `span` carry; undefined where they carry nothing. */
export function contentOf(wire: Wire, span: Span): SpanContent {
  return contentOfEvents(eventsOf(wire, span, isKnownEvent))
}

/** What events with these names and attributes carry, in their order: the first inputs and the last output. */
export function contentOfEvents(events: Iterable<readonly [string, Fields, ...unknown[]]>): SpanContent {
  const values: Partial<Record<'inputs' | 'output', { rank: number; text: string }>> = {}
  const messages = { inputs: [] as string[], output: [] as string[] }
  for (const [name, fields] of events) {
    const message = ownOf(EVENTS, name)
    if (message !== undefined) messages[message.to].push(messageOf(fields, message.role))
    for (const column of COLUMNS) {
      const key = [...EVENT_VALUES[column], ...(ownOf(EVENT_FIELDS, name)?.[column] ?? [])].find((one) =>
        fields.has(one),
      )
      if (key === undefined) continue
      const rank = RANKS.get(name) ?? -1
      const known = values[column]
      if (known === undefined || rank < known.rank || (rank === known.rank && column === 'output'))
        values[column] = { rank, text: objectText(new Map([[key, fields.get(key)!]])) }
    }
  }
  const found = (column: 'inputs' | 'output') => {
    const list = messages[column].join(',')
    const text =
      values[column]?.text ?? (list === '' ? undefined : objectText(new Map([[LISTS[column], `[${list}]`]])))
    return text === undefined ? undefined : Buffer.from(text)
  }
  return { inputs: found('inputs'), output: found('output') }
}

/** The message of the last event `exception` that has one, else its type; undefined if there is neither. */
export function exceptionOf(wire: Wire, span: Span): string | undefined {
  let text: string | undefined
  for (const [, fields] of eventsOf(wire, span, (name) => name === 'exception')) {
    const said = ['exception.message', 'exception.type'].map((key) => fields.get(key))
    const found = said.find((json) => json?.startsWith('"') && json !== '""')
    if (found !== undefined) text = String(JSON.parse(found))
  }
  return text
}

/** The names, attributes and times (offsets, -1 for none) of the wanted events, in their order. */
export function* eventsOf(
  wire: Wire,
  span: Span,
  wanted: (name: string) => boolean,
): Generator<[string, Fields, time: number]> {
  for (const at of span.events) {
    const { name, attributes, time } = new SpanEvent(wire, at)
    const text = utf8At(wire.buf, name.from, name.to)
    if (wanted(text)) yield [text, attributes.flat(wire), time]
  }
}

/** A message: what the event's body says, else its attributes, by `role` where it names none. */
function messageOf(fields: Fields, role: string): string {
  const bodyKey = EVENT_MESSAGES.find((key) => fields.has(key) && fields.get(key) !== '""')
  const message = new Map([['role', JSON.stringify(role)]])
  const body = bodyKey === undefined ? undefined : fields.get(bodyKey)!
  const inside = objectOf(body)
  // What stands beside a whole message says where it was logged.
  if (bodyKey !== EVENT_BODY || inside === undefined)
    for (const [key, text] of fields) if (!BESIDE.has(key)) message.set(key, text)
  if (body !== undefined) {
    if (inside === undefined) message.set('content', body)
    else for (const [key, text] of objectOf(inside.get('message')) ?? inside) message.set(key, text)
  }
  return objectText(message)
}

export function objectOf(json: string | undefined): Fields | undefined {
  if (!json?.startsWith('{')) return undefined
  const bytes = Buffer.from(json)
  const fields = rawFields(bytes)!
  return new Map([...fields].map(([name, { from, to }]) => [name, utf8At(bytes, from, to)]))
}

/**
 * The fields of an agent's span in SQL: columns for some facts, else values from its text. `domain/agents/keys.ts` has
 * the keys. Pure.
 */

import {
  AGENT_KEYS,
  COLUMN_KEYS,
  NUMBER_KEYS,
  SPAN_KINDS,
  SPAN_STATUSES,
  TEXT_KEYS,
} from '../../domain/agents/keys.js'
import { NAMES_CONVERSATION, OWN_CONVERSATION } from '../../domain/agents/own-conversation.js'
import { TOOL_INPUT, TOOL_OUTPUT } from '../../domain/agents/span.js'
import { OTEL_SPAN, SPAN_NAME } from '../../domain/calls/otel-span.js'
import { FIRST_TOKEN_MS } from '../../domain/calls/read/fields.js'
import { placedValue, type SpanPlaces } from '../../domain/calls/span-places.js'
import { UNSET_INTEGER_SQL } from '../../domain/calls/unset.js'
import { LABELS } from '../../domain/conventions/table.js'
import { rawAt, spaced, textAt } from '../../domain/expr/json-text.js'
import type { PlainValue } from '../../domain/expr/value.js'
import { bind, commaList, ident, joined, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { traceIdentity, type Window } from './identity.js'

/** A text column; '' if unset. */
const text = (column: Sql): PlainValue => ({ kind: 'text', sql: column, column })
const number = (value: Sql): PlainValue => ({ kind: 'number', sql: value })
const named = (names: readonly string[], column: Sql): PlainValue =>
  text(sql`arrayElement(${bind.strings(names)}, toUInt8(${column}))`)

const MICROS = sql`(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at))`
/** A span that has not ended, or ended before it began, has no duration. */
export const TOOK_MICROS = sql`if(ended_at > started_at, ${MICROS}, 0)`

const attribute = (key: string) => ['attributes', ...key.split('.')]

/** Where the attribute with a dotted key is read: at its place among the values, or in the whole text. */
function attributeAt(
  key: string,
  places: SpanPlaces | undefined,
): { document: Sql; path: readonly string[] } {
  const path = key.split('.')
  // Places take digits for a position in a list; here they are keys.
  const place = path.some((part) => /^\d+$/.test(part)) ? undefined : places?.(path)
  if (place === undefined) return { document: OTEL_SPAN, path: attribute(key) }
  return { document: placedValue(place, path).stored, path: place.rest }
}

/** The text at the first of `keys` that the span has. */
function said(keys: readonly string[], places?: SpanPlaces): Sql {
  const texts = keys.map((key) => textAt({ ...attributeAt(key, places), sound: true }))
  return texts.length === 1
    ? texts[0]!
    : sql`coalesce(${commaList(texts.map((one) => sql`nullIf(${one}, '')`))}, '')`
}

/**
 * What a span shows of its tool's content: the value at the first of `keys` that says something, else that of the event.
 * Events are parsed only where one of that name may be: their names stand among the values.
 */
function toolContent(keys: readonly string[], [name, key]: readonly [string, string]): Sql {
  const own = keys.map((one) => rawAt({ document: OTEL_SPAN, path: attribute(one), sound: true }))
  const inEvent = rawAt({ document: sql`event`, path: attribute(key), sound: true })
  const events = sql`arrayMap(event -> if(JSONExtractString(event, 'name') = ${bind.string(name)}, ${inEvent}, ''), JSONExtractArrayRaw(${OTEL_SPAN}, 'events'))`
  const ofEvents = sql`if(position(otel_span, ${bind.string(name)}) > 0, arrayFirst(raw -> raw NOT IN ('', 'null'), ${events}), '')`
  const values = commaList([
    ...own.map((raw) => sql`if(${raw} IN ('', 'null', '""', '{}', '[]'), NULL, ${raw})`),
    ofEvents,
  ])
  return sql`arrayMap(raw -> if(startsWith(raw, '"'), JSONExtractString(raw), ${spaced(sql`raw`)}), [coalesce(${values})])[1]`
}

const EXCEPTION_TYPE = sql`arrayFilter(type -> type != '', arrayMap(event -> JSONExtractString(event, 'attributes', 'exception', 'type'), JSONExtractArrayRaw(${OTEL_SPAN}, 'events')))[-1]`

type OfPlaces = (places?: SpanPlaces) => PlainValue

/** Fields that attributes say, by name. */
const SAID: Readonly<Record<string, OfPlaces>> = {
  ...Object.fromEntries(
    Object.entries(TEXT_KEYS).map(([name, keys]): [string, OfPlaces] => [
      name,
      (places) => text(said(keys, places)),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(NUMBER_KEYS).map(([name, keys]): [string, OfPlaces] => [
      name,
      (places) => number(sql`ifNull(toFloat64OrNull(${said(keys, places)}), 0)`),
    ]),
  ),
  eval_trial_index: (places) => number(sql`toFloat64OrNull(${said(NUMBER_KEYS.eval_trial_index, places)})`),
  error_type: (places) => {
    const own = said(TEXT_KEYS.error_type, places)
    return text(sql`if(${own} = '' AND span_status = 2, ${EXCEPTION_TYPE}, ${own})`)
  },
}

/** Fields of every span, by name; {@link spanField} adds what a span has of its trace. */
const PLAIN: Readonly<Record<string, PlainValue>> = {
  ...Object.fromEntries(
    Object.keys(COLUMN_KEYS).map((name) => [
      name,
      name.endsWith('_tokens') ? number(ident(name)) : text(ident(name)),
    ]),
  ),
  ...Object.fromEntries(Object.entries(SAID).map(([name, of]) => [name, of()])),
  tool_call_arguments: text(toolContent(AGENT_KEYS.tool_call_arguments, TOOL_INPUT)),
  tool_call_result: text(toolContent(AGENT_KEYS.tool_call_result, TOOL_OUTPUT)),
  trace_id: text(sql`trace_id`),
  span_id: text(sql`id`),
  parent_span_id: text(sql`parent_id`),
  span_name: text(SPAN_NAME),
  span_kind: named(SPAN_KINDS, sql`span_kind`),
  status_code: named(SPAN_STATUSES, sql`span_status + 1`),
  status_message: text(sql`exception`),
  started_at: { kind: 'time', sql: sql`started_at` },
  ended_at: { kind: 'time', sql: sql`if(ended_at > started_at, ended_at, NULL)` },
  duration_ms: number(sql`if(ended_at > started_at, ${MICROS} / 1000, NULL)`),
  total_tokens: number(sql`toUInt64(input_tokens) + output_tokens + reasoning_tokens`),
  ...Object.fromEntries(Object.keys(LABELS).map((name) => [name, text(ident(name))])),
  time_to_first_token_ms: number(FIRST_TOKEN_MS),
  is_error: { kind: 'bool', sql: sql`span_status = 2` },
  is_invocation: { kind: 'bool', sql: sql`operation_name = 'invoke_agent'` },
  ...Object.fromEntries(
    ['platform', 'wb'].flatMap((prefix) => [
      [`${prefix}_user_id`, text(sql`user_id`)],
      [`${prefix}_run_id`, text(sql`run_id`)],
      [`${prefix}_run_step`, number(sql`nullIf(run_step, ${UNSET_INTEGER_SQL})`)],
      [`${prefix}_run_step_end`, number(sql`nullIf(run_step_end, ${UNSET_INTEGER_SQL})`)],
    ]),
  ),
}

/** Fields by their keys, with and without the prefix of a convention. */
const BY_KEY = new Map(
  Object.entries(AGENT_KEYS).flatMap(([name, keys]) =>
    keys.flatMap((key) => [[key, name] as const, [key.replace(/^(?:weave|gen_ai)\./, ''), name] as const]),
  ),
)

/** The field with this name or key, if there is one. */
export function fieldName(name: string): string | undefined {
  if (Object.hasOwn(PLAIN, name) || name === 'conversation_id') return name
  const known = BY_KEY.get(name)
  if (known === undefined && !Object.hasOwn(AGENT_KEYS, name)) return undefined
  const field = known ?? name
  if (!Object.hasOwn(PLAIN, field))
    throw errors.badRequest(`Spans can't be searched by "${field}"; it is no single value.`)
  return field
}

/** A field of a span; its agent and conversation come from its trace if it names none. @throws 400 for a field without a single value */
export function spanField(name: string, window: Window | undefined): PlainValue | undefined {
  const field = fieldName(name)
  if (field === undefined) return undefined
  if (window === undefined) return field === 'conversation_id' ? text(OWN_CONVERSATION) : PLAIN[field]
  const identity = { name: 'identity', from: traceIdentity(window) }
  const inherited = (own: Sql, of: Sql) => text(joined(sql`if(${own}, ${of}, ${ident(field)})`, identity))
  switch (field) {
    case 'agent_name':
      return inherited(sql`agent_name = ''`, sql`trace_agent.1`)
    case 'agent_version':
      return inherited(sql`agent_name = '' AND trace_agent.1 != ''`, sql`trace_agent.2`)
    case 'conversation_id':
      return text(joined(sql`if(${NAMES_CONVERSATION}, thread_id, trace_conversation)`, identity))
    default:
      return SAID[field]?.(window.places) ?? PLAIN[field]
  }
}

const CUSTOM = /^(custom_attrs_(?:string|int|float|bool))\.(.+)$/s
const TYPES: Record<
  string,
  { kind: PlainValue['kind']; types: readonly string[]; read: (path: Sql) => Sql }
> = {
  custom_attrs_string: {
    kind: 'text',
    types: ['String', 'Array'],
    read: (path) => sql`JSONExtractString(${path})`,
  },
  custom_attrs_int: {
    kind: 'number',
    types: ['Int64', 'UInt64'],
    read: (path) => sql`JSONExtractInt(${path})`,
  },
  custom_attrs_float: { kind: 'number', types: ['Double'], read: (path) => sql`JSONExtractFloat(${path})` },
  custom_attrs_bool: { kind: 'bool', types: ['Bool'], read: (path) => sql`JSONExtractBool(${path})` },
}

/** What functions of JSON take to find the attribute with this dotted key. */
function pathOf(key: string, window: Window | undefined): Sql {
  const { document, path } = attributeAt(key, window?.places)
  return commaList([document, ...path.map((part) => sql`${bind.string(part)}`)])
}

/** A custom attribute of one type; NULL if there is none. */
export function customField(source: string, key: string, window: Window | undefined): PlainValue {
  const { kind, types, read } = TYPES[source]!
  const path = pathOf(key, window)
  return { kind, sql: sql`if(toString(JSONType(${path})) IN ${bind.strings(types)}, ${read(path)}, NULL)` }
}

/** What an attribute is read as where a request names no type of it. */
export type AttributeType = 'text' | 'number' | 'bool' | 'any'

/** The custom attribute `key` as values of a type; NULL where it has others. */
export function attributeField(type: AttributeType, key: string, window: Window | undefined): PlainValue {
  if (type === 'text') return customField('custom_attrs_string', key, window)
  if (type === 'bool') return customField('custom_attrs_bool', key, window)
  const path = pathOf(key, window)
  const has = (types: readonly string[]) => sql`toString(JSONType(${path})) IN ${bind.strings(types)}`
  if (type === 'number')
    return { kind: 'number', sql: sql`if(${has(NUMBERS)}, JSONExtractFloat(${path}), NULL)` }
  return {
    kind: 'text',
    sql: sql`if(${has(['String', 'Array', 'Bool', ...NUMBERS])}, JSONExtractRaw(${path}), NULL)`,
  }
}

const NUMBERS = ['Int64', 'UInt64', 'Double']

/** The field of a request's `query`: of a span, or a custom attribute whose type the name says. */
export function queryField(name: string, window: Window | undefined): PlainValue | undefined {
  const [, source, key] = CUSTOM.exec(name) ?? []
  return source !== undefined && key !== undefined
    ? customField(source, key, window)
    : spanField(name, window)
}

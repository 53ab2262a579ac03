/** What groups of agents' spans show of their conversations: names, and the first and the last message. */

import type { AgentSpanGroupRow } from '../../contract/agent-span.js'
import { shown } from '../../domain/agents/chat-message.js'
import { shownText } from '../../domain/agents/messages.js'
import { NAMES_CONVERSATION } from '../../domain/agents/own-conversation.js'
import { previewOf } from '../../domain/agents/preview.js'
import { COMPLETION } from '../../domain/agents/span.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { pieces } from '../../platform/clickhouse/pieces.js'
import { bind, commaList, instant, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { groupOf } from './distributions.js'
import { spanField } from './fields.js'
import { HOUR, rowsOfSpans, spansOf, type Window } from './identity.js'
import { type GroupKey, outSql } from './measures.js'
import type { AgentReader, ReadSpan } from './read.js'
import { PLACE, type Place, placeName } from './spans.js'

type Preview = NonNullable<AgentSpanGroupRow['first_message']>
export interface Messages {
  first: Preview | null
  last: Preview | null
}

/** Conversations whose spans are read at a time: their texts may be large. */
const AT_ONCE = 50
/** Spans of a conversation that are read for its first message, and for its last: they may say nothing after all. */
const LOOKED_AT = 3

/** The names of a span's attributes stand in its shape, so that few texts are read. */
const hasKey = (keys: Sql) => sql`(otel_shape = '' OR match(otel_shape, ${keys}))`
const HAS_INPUT = hasKey(sql`'[".](messages|prompt)"'`)
const HAS_OUTPUT = hasKey(sql`'[".](messages|completion)"'`)
/** Events and their attributes stand among the values. */
const HAS_COMPLETION = sql`position(otel_span, ${bind.string(COMPLETION[0])}) > 0`
/** Spans that may name their conversation. */
export const MAY_NAME = hasKey(sql`'"conversation":[{][^{}]*"name"|conversation[.]name'`)

/** By group, the names of its conversations. @param groups the values of `keys` */
export async function conversationNames(
  reader: AgentReader,
  keys: readonly GroupKey[],
  window: Window,
  conditions: readonly Sql[],
  signal: AbortSignal,
): Promise<Map<string, string[]>> {
  const name = spanField('conversation_name', window)!.sql
  const values = keys.map(({ value }) => sql`ifNull(toString(${outSql(value)}), '')`)
  const columns = sql`[${commaList(values)}] AS k, ${name} AS name`
  const rows = await reader.rows<{ k: string[]; names: string[] }>(
    sql`SELECT k, arraySort(groupUniqArray(1000)(name)) AS names FROM (
      SELECT ${columns} ${spansOf(window, [...conditions, MAY_NAME], columns)}) WHERE name != '' GROUP BY k`,
    signal,
  )
  return new Map(rows.map(({ k, names }) => [groupOf(k), names]))
}

/** A conversation, and when the first and the last of its spans began, µs since the epoch. */
export interface Conversation {
  id: string
  first: number
  last: number
}

/** Where one of the messages of conversations is looked for. */
interface Search {
  /** spans whose shape says that they may have it */
  shaped: Sql
  order: Sql
  /** what may have it in an hour of each conversation; found without reading all of their spans */
  near: (conversations: readonly Conversation[]) => Sql
  /** in the spans that are read */
  find: (spans: readonly ReadSpan[]) => Preview | null
}

/**
 * The column is not before, or not behind, a time of the conversation that a span names. A condition for each of them would
 * cost more to plan than to run. The engine's indexes know the first or last of these times.
 */
function bounded(
  column: Sql,
  side: 'from' | 'to',
  some: readonly Conversation[],
  time: (one: Conversation) => number,
): Sql {
  const times = some.map(time)
  const [sign, most] = side === 'from' ? [sql`>=`, Math.min(...times)] : [sql`<=`, Math.max(...times)]
  const ids = bind.strings(some.map(({ id }) => id))
  const own = sql`fromUnixTimestamp64Micro(transform(thread_id, ${ids}, ${bind.ints(times)}, toInt64(0)), 'UTC')`
  return sql`${column} ${sign} ${instant(most)} AND ${column} ${sign} ${own}`
}

const FIRST: Search = {
  shaped: HAS_INPUT,
  order: sql`started_at, id, trace_id`,
  near: (some) => sql`${HAS_INPUT} AND ${bounded(sql`started_at`, 'from', some, ({ first }) => first)}
    AND ${bounded(sql`started_at`, 'to', some, ({ first }) => first + HOUR)}`,
  find: asked,
}
const LAST: Search = {
  shaped: HAS_OUTPUT,
  order: sql`ended_at DESC, id DESC, trace_id DESC`,
  near: (some) => sql`(${HAS_OUTPUT} OR ${HAS_COMPLETION})
    AND ${bounded(sql`ended_at`, 'from', some, ({ last }) => Math.max(last - HOUR, 0))}`,
  find: answered,
}

const among = (ids: readonly string[]): Sql => sql`thread_id IN ${bind.strings(ids)}`

/** The first and the last messages of these conversations, in spans of the window that name them. */
export async function messagesOf(
  reader: AgentReader,
  { traces: _, ...window }: Window,
  conversations: readonly Conversation[],
  signal: AbortSignal,
): Promise<Map<string, Messages>> {
  const named = conversations.filter(({ id }) => id !== '')
  if (named.length === 0) return new Map()
  const ids = named.map(({ id }) => id)
  const here = (search: Search) => sql`${among(ids)} AND ${search.near(named)}`
  const near = await messagesIn(reader, window, { first: here(FIRST), last: here(LAST) }, signal)
  // Texts are read only near the end: those of a conversation that is spread over ten million spans take two seconds.
  const anywhere = (which: keyof Messages, { shaped }: Search) => {
    const others = ids.filter((id) => near.get(id)?.[which] == null)
    return others.length === 0 ? undefined : sql`${among(others)} AND ${shaped}`
  }
  const where = { first: anywhere('first', FIRST), last: anywhere('last', LAST) }
  const elsewhere = await messagesIn(reader, window, where, signal)
  const said = (id: string, which: keyof Messages) =>
    near.get(id)?.[which] ?? elsewhere.get(id)?.[which] ?? null
  return new Map(ids.map((id) => [id, { first: said(id, 'first'), last: said(id, 'last') }]))
}

/** By conversation, the messages in the spans that conditions are true for. @param where undefined: it isn't looked for */
async function messagesIn(
  reader: AgentReader,
  window: Window,
  where: Readonly<Record<keyof Messages, Sql | undefined>>,
  signal: AbortSignal,
): Promise<Map<string, Messages>> {
  const candidates = async ({ order }: Search, condition: Sql | undefined) => {
    if (condition === undefined) return new Map<string, Place[]>()
    const rows = await reader.rows<Place & { thread_id: string }>(
      sql`SELECT ${PLACE}, thread_id ${rowsOfSpans(window, [NAMES_CONVERSATION, condition])}
        ORDER BY ${order} LIMIT ${bind.uint(LOOKED_AT)} BY thread_id`,
      signal,
    )
    return groupBy(rows, ({ thread_id }) => thread_id)
  }
  const [first, last] = await Promise.all([candidates(FIRST, where.first), candidates(LAST, where.last)])
  const messages = new Map<string, Messages>()
  for (const ids of pieces([...new Set([...first.keys(), ...last.keys()])], AT_ONCE)) {
    // For both at once: to plan the statement costs as much as to run it.
    const places = ids.flatMap((id) => [...(first.get(id) ?? []), ...(last.get(id) ?? [])])
    const spans = await reader.spansAt(window, places, undefined, signal)
    const byPlace = new Map(spans.map((one) => [placeName(one.row), one]))
    const at = (these: readonly Place[] = []) => these.flatMap((place) => byPlace.get(placeName(place)) ?? [])
    for (const id of ids)
      messages.set(id, { first: FIRST.find(at(first.get(id))), last: LAST.find(at(last.get(id))) })
  }
  return messages
}

/** The first user's text of the first span that has input. */
function asked(spans: readonly ReadSpan[]): Preview | null {
  const found = spans.find(({ span }) => span.input_messages.length > 0)?.span
  const message = found?.input_messages.find((one) => one.role === 'user' && shownText(one) !== '')
  return message ? { role: 'user_message', text: previewOf(shownText(message)) } : null
}

/** What the model said in the first span that has output. */
function answered(spans: readonly ReadSpan[]): Preview | null {
  const text = spans.map(({ span }) => shown(span.output_messages)).find((one) => one !== '')
  return text === undefined ? null : { role: 'assistant_message', text: previewOf(text) }
}

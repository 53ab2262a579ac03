/** What groups of agents' spans show of their conversations: names, and the first and the last message. */
import type { AgentSpanGroupRow } from '../../contract/agent-span.js'
import { shown } from '../../domain/agents/chat-message.js'
import { shownText } from '../../domain/agents/messages.js'
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
import { PLACE, type Place } from './spans.js'

type Preview = NonNullable<AgentSpanGroupRow['first_message']>
export interface Messages {
  first: Preview | null
  last: Preview | null
}

const DAY = 24 * HOUR
/** Conversations whose messages are read at a time. */
const AT_ONCE = 100
/** Spans of a conversation that are read for its first message, and for its last: they may say nothing after all. */
const LOOKED_AT = 3

/** The names of a span's attributes stand in its shape, so that few texts are read. */
const hasKey = (keys: Sql) => sql`(otel_shape = '' OR match(otel_shape, ${keys}))`
const HAS_INPUT = hasKey(sql`'[".](messages|prompt)"'`)
/** Events and their attributes stand among the values. */
const HAS_OUTPUT = sql`(${hasKey(sql`'[".](messages|completion)"'`)} OR position(otel_span, ${bind.string(COMPLETION[0])}) > 0)`
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
  /** spans that may have it */
  condition: Sql
  order: Sql
  /** true for those spans of conversations that come first in that order, found without reading all the others */
  near: (conversations: readonly Conversation[]) => Sql
  /** else it is looked for in all spans of the conversation */
  everywhere: boolean
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
  condition: HAS_INPUT,
  order: sql`started_at, id, trace_id`,
  near: (some) => sql`${bounded(sql`started_at`, 'from', some, ({ first }) => first)}
    AND ${bounded(sql`started_at`, 'to', some, ({ first }) => first + HOUR)}`,
  everywhere: true,
  find: asked,
}
const LAST: Search = {
  condition: HAS_OUTPUT,
  order: sql`ended_at DESC, id DESC, trace_id DESC`,
  near: (some) => bounded(sql`ended_at`, 'from', some, ({ last }) => Math.max(last - DAY, 0)),
  // Whether a span has output only its text may tell: two seconds for ten million spans.
  everywhere: false,
  find: answered,
}

const among = (ids: readonly string[]): Sql => sql`thread_id IN ${bind.strings(ids)}`

/** The first and the last messages of these conversations. */
export async function messagesOf(
  reader: AgentReader,
  window: Window,
  conversations: readonly Conversation[],
  signal: AbortSignal,
): Promise<Map<string, Messages>> {
  const all = new Map<string, Messages>()
  for (const some of pieces(
    conversations.filter(({ id }) => id !== ''),
    AT_ONCE,
  )) {
    const read = async ({ condition, order, find }: Search, which: Sql) => {
      const places = await reader.rows<Place>(
        sql`SELECT ${PLACE} ${rowsOfSpans(window, [sql`own_conversation = 1`, which, condition])}
        ORDER BY ${order} LIMIT ${bind.uint(LOOKED_AT)} BY thread_id`,
        signal,
      )
      const spans = await reader.spansAt(window, places, undefined, signal)
      const byConversation = groupBy(spans, ({ span }) => span.conversation_id ?? '')
      return new Map([...byConversation].map(([id, theirs]) => [id, find(theirs)]))
    }
    const found = async (search: Search) => {
      const messages = await read(search, sql`${among(some.map(({ id }) => id))} AND ${search.near(some)}`)
      const others = some.map(({ id }) => id).filter((id) => messages.get(id) == null)
      if (others.length === 0 || !search.everywhere) return messages
      return new Map([...messages, ...(await read(search, among(others)))])
    }
    const [first, last] = await Promise.all([found(FIRST), found(LAST)])
    for (const { id } of some) all.set(id, { first: first.get(id) ?? null, last: last.get(id) ?? null })
  }
  return all
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

/** What groups of agents' spans show of their conversations: names, and the first and the last message. */
import type { AgentSpanGroupRow } from '../../contract/agent-span.js'
import { shown } from '../../domain/agents/chat-message.js'
import { shownText } from '../../domain/agents/messages.js'
import { previewOf } from '../../domain/agents/preview.js'
import { COMPLETION } from '../../domain/agents/span.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { pieces } from '../../platform/clickhouse/pieces.js'
import { bind, commaList, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { groupOf } from './distributions.js'
import { spanField } from './fields.js'
import { spansOf, type Window } from './identity.js'
import { type GroupKey, outSql } from './measures.js'
import type { AgentReader, ReadSpan } from './read.js'
import { PLACE, type Place } from './spans.js'

type Preview = NonNullable<AgentSpanGroupRow['first_message']>
export interface Messages {
  first: Preview | null
  last: Preview | null
}

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

/** The first and the last messages of these conversations. */
export async function messagesOf(
  reader: AgentReader,
  window: Window,
  conversations: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Messages>> {
  const all = new Map<string, Messages>()
  for (const some of pieces(
    conversations.filter((id) => id !== ''),
    AT_ONCE,
  )) {
    const named = sql`own_conversation = 1 AND thread_id IN ${bind.strings(some)}`
    const read = async (condition: Sql, order: Sql) => {
      const places = await reader.rows<Place>(
        sql`SELECT ${PLACE} ${spansOf(window, [named, condition])}
        ORDER BY ${order} LIMIT ${bind.uint(LOOKED_AT)} BY thread_id`,
        signal,
      )
      const spans = await reader.spansAt(window, places, undefined, signal)
      return groupBy(spans, ({ span }) => span.conversation_id ?? '')
    }
    const [earliest, latest] = await Promise.all([
      read(HAS_INPUT, sql`started_at, id, trace_id`),
      read(HAS_OUTPUT, sql`ended_at DESC, id DESC, trace_id DESC`),
    ])
    for (const id of some)
      all.set(id, { first: asked(earliest.get(id) ?? []), last: answered(latest.get(id) ?? []) })
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

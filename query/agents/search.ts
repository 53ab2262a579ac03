/** Finds messages of agents by a part of their text: the store narrows spans down, this file decides. */

import { createHash } from 'node:crypto'
import type { AgentSearchReq } from '../../contract/agent-chat.js'
import { OWN_CONVERSATION } from '../../domain/agents/own-conversation.js'
import type { SaidBySpan } from '../../domain/agents/span.js'
import { haveWords, wordsIn } from '../../domain/calls/words.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { pieces } from '../../platform/clickhouse/pieces.js'
import { bind, instant, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { spansOf, type Window, windowOf } from './identity.js'
import type { AgentReader } from './read.js'
import { PLACE, type Place } from './spans.js'

interface Found {
  span: SaidBySpan
  role: string
  content: string
}

/** The spans looked for at a time, those of them read at a time, and the most for one search. */
const SLICE = 500
const PIECE = 100
const MOST = 50_000
const PREVIEW = 500
const NO_CONVERSATION = '__NO_CONVERSATION__'
/** Texts that a span's JSON contains literally, whatever its escapes, and in one of its pieces. */
const PLAIN = /^[A-Za-z0-9 ]+$/
/** The columns that have the pieces of a span's text: put together for each span, it costs four times as much to search. */
const PIECES = [sql`inputs`, sql`output`, sql`otel_span`, sql`otel_shape`]

/** The messages that match, the newest span first. */
export async function search(reader: AgentReader, request: AgentSearchReq, signal: AbortSignal) {
  const window = windowOf(request)
  const end = request.offset + request.limit
  const found: Found[] = []
  const roles = rolesOf(request)
  let last: Place | undefined
  for (let read = 0; read < MOST && found.length < end; read += SLICE) {
    const places = await reader.rows<Place>(placesOf(request, window, last), signal)
    last = places.at(-1)
    for (const some of pieces(places, PIECE)) {
      for (const { span } of await reader.spansAt(window, some, undefined, signal))
        found.push(...matching(span, request.query, roles))
      if (found.length >= end) break
    }
    if (places.length < SLICE) break
  }
  const results = grouped(found.slice(request.offset, end), request.truncate_content)
  return { results, total_conversations: results.length }
}

/** The places of the next spans, from the newest on. @param last of those before */
function placesOf(request: AgentSearchReq, window: Window, last: Place | undefined): Sql {
  const { query, trace_id, conversation_id, agent_name, provider_name, request_model } = request
  const equal = (column: Sql, value: string | null | undefined) =>
    value == null ? sql`` : sql`${column} = ${bind.string(value)}`
  const conditions = [
    equal(sql`trace_id`, trace_id),
    equal(OWN_CONVERSATION, conversation_id),
    equal(sql`agent_name`, agent_name),
    equal(sql`provider_name`, provider_name),
    equal(sql`request_model`, request_model),
    haveWords(PIECES, wordsIn(query)),
    PLAIN.test(query) ? contains(query) : sql``,
    last === undefined ? sql`` : before(last),
  ].filter((condition) => !condition.empty)
  return sql`SELECT ${PLACE} ${spansOf(window, conditions)}
  ORDER BY started_at DESC, id DESC, trace_id DESC LIMIT ${bind.uint(SLICE)}`
}

function contains(text: string): Sql {
  const found = PIECES.map((column) => sql`position(${column}, ${bind.string(text)}) > 0`)
  return sql`(${join(found, sql` OR `)})`
}

function before({ started, id, trace_id }: Place): Sql {
  const time = instant(started)
  return sql`started_at <= ${time} AND (started_at, id, trace_id) < (${time}, ${bind.string(id)}, ${bind.string(trace_id)})`
}

/**
 * The roles that were asked for; none: all. Tool is what a tool was called with and what it answered, from its own
 * span: a message of that role only tells the model of it, so both would be the same find twice.
 */
function rolesOf({ roles }: AgentSearchReq): ReadonlySet<string> {
  return new Set(roles?.flatMap((role) => (role === 'tool' ? ['tool_call', 'tool_result'] : [role])) ?? [])
}

/** The messages of a span that match. */
function matching(span: SaidBySpan, query: string, roles: ReadonlySet<string>): Found[] {
  const all: Found[] = [
    ...[...span.input_messages, ...span.output_messages].map(({ role, content }) => ({
      span,
      role,
      content,
    })),
    ...span.system_instructions.map((content) => ({ span, role: 'system', content })),
    { span, role: 'tool_call', content: span.tool_call_arguments ?? '' },
    { span, role: 'tool_result', content: span.tool_call_result ?? '' },
  ]
  return all.filter(
    ({ role, content }) => content !== '' && content.includes(query) && (roles.size === 0 || roles.has(role)),
  )
}

/** By conversation, the one with the newest message first. */
function grouped(found: readonly Found[], isCut: boolean) {
  const groups = groupBy(found, ({ span }) => span.conversation_id || NO_CONVERSATION)
  return [...groups]
    .map(([conversation_id, messages]) => ({
      conversation_id,
      conversation_name: messages[0]!.span.conversation_name ?? '',
      agent_name: messages[0]!.span.agent_name ?? '',
      matched_messages: messages.map(({ span, role, content }) => ({
        span_id: span.span_id,
        trace_id: span.trace_id,
        role,
        content_preview: isCut ? content.slice(0, PREVIEW) : content,
        content_digest: createHash('sha256').update(content).digest('hex').slice(0, 32),
        started_at: span.started_at!,
      })),
      last_activity: messages
        .map(({ span }) => span.started_at!)
        .sort()
        .at(-1)!,
    }))
    .sort((a, b) => (a.last_activity < b.last_activity ? 1 : a.last_activity > b.last_activity ? -1 : 0))
}

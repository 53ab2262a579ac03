/** Reads traces and conversations of agents as chats. */

import type { AgentTraceChatRes } from '../../contract/agent-chat.js'
import { NAMES_CONVERSATION } from '../../domain/agents/own-conversation.js'
import { type ChatSpan, sumOf } from '../../domain/agents/tree.js'
import { turnOf } from '../../domain/agents/turn.js'
import type { Prices } from '../../domain/costs/pricing.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import { type FeedbackRow, feedbackByRef, feedbackStatement, refsOf } from './feedback.js'
import { HOUR, spansOf, type Window, windowOf } from './identity.js'
import type { AgentReader, ReadSpan } from './read.js'

export interface Asked {
  project_id: string
  include_feedback: boolean
  include_model_tool_calls: boolean
}

/** A trace of a conversation, by its spans that name the conversation. Times are µs since the epoch. */
interface Trace {
  trace_id: string
  first: number
  /** the latest start or end */
  last: number
}

/** The most hours of a trace that are looked at, more than a year: an end may be far off. */
const MOST_HOURS = 10_000

export class AgentChats {
  constructor(private readonly reader: AgentReader) {}

  async turn(asked: Asked, traceId: string, signal: AbortSignal): Promise<AgentTraceChatRes> {
    const window = windowOf(asked)
    const spans = await this.reader.spansWhere(
      window,
      { early: [sql`trace_id = ${bind.string(traceId)}`] },
      this.reader.prices(window, signal),
      signal,
    )
    const turn = turnOf(traceId, spans.map(chatSpan), { modelToolCalls: asked.include_model_tool_calls })
    await this.addFeedback(asked, window, [turn], [], signal)
    return turn
  }

  async conversation(
    asked: Asked & { conversation_id: string; limit: number; offset: number },
    signal: AbortSignal,
  ) {
    const { conversation_id: id, limit, offset } = asked
    const window = windowOf(asked)
    const columns = sql`trace_id, min(toUnixTimestamp64Micro(started_at)) AS first, max(toUnixTimestamp64Micro(greatest(started_at, ended_at))) AS last`
    const spans = spansOf(window, [NAMES_CONVERSATION], columns, [sql`thread_id = ${bind.string(id)}`])
    const [all, prices] = await Promise.all([
      this.reader.rows<Trace>(
        sql`SELECT ${columns} ${spans} GROUP BY trace_id ORDER BY first DESC, trace_id DESC`,
        signal,
      ),
      this.reader.prices(window, signal),
    ])
    const page = all.slice(offset, offset + limit).reverse()
    const byTrace = await this.spansOfTraces(window, id, page, prices, signal)
    const turns = page.map(({ trace_id }) =>
      turnOf(trace_id, byTrace.get(trace_id) ?? [], { modelToolCalls: asked.include_model_tool_calls }),
    )
    const feedback = await this.addFeedback(asked, window, turns, [id], signal)
    return {
      conversation_id: id,
      turns,
      total_turns: all.length,
      has_more: offset + turns.length < all.length,
      limit,
      offset,
      total_cost_usd: sumOf(turns.map(({ total_cost_usd }) => total_cost_usd)),
      feedback,
    }
  }

  private async spansOfTraces(
    window: Window,
    id: string,
    traces: readonly Trace[],
    prices: Prices,
    signal: AbortSignal,
  ) {
    if (traces.length === 0) return new Map<string, ChatSpan[]>()
    const conditions = [
      // The index of traces is asked for these hours only; the turns of a conversation may be months apart.
      sql`intDiv(toUnixTimestamp64Micro(started_at), ${bind.uint(HOUR)}) IN ${bind.ints(hoursOf(traces))}`,
      sql`(own_conversation = 0 OR thread_id = ${bind.string(id)})`,
    ]
    const early = [sql`trace_id IN ${bind.strings(traces.map(({ trace_id }) => trace_id))}`]
    const spans = await this.reader.spansWhere(window, { conditions, early }, prices, signal)
    return groupBy(spans.map(chatSpan), ({ trace_id }) => trace_id)
  }

  /** Adds feedback to turns and their messages. @returns the conversation's own feedback */
  private async addFeedback(
    { project_id, include_feedback }: Asked,
    window: Window,
    turns: AgentTraceChatRes[],
    conversations: readonly string[],
    signal: AbortSignal,
  ) {
    if (!include_feedback) return null
    const ref = refsOf(project_id)
    const refs = [
      ...conversations.map(ref.conversation),
      ...turns.flatMap(({ trace_id, messages }) => [
        ref.turn(trace_id),
        ...messages.flatMap(({ span_id }) => (span_id === null ? [] : [ref.span(span_id)])),
      ]),
    ]
    const rows = await this.reader.rows<FeedbackRow>(feedbackStatement(window.projectId, refs), signal)
    const found = feedbackByRef(rows)
    for (const turn of turns) {
      turn.feedback = found.get(ref.turn(turn.trace_id)) ?? []
      for (const message of turn.messages)
        message.feedback = message.span_id === null ? [] : (found.get(ref.span(message.span_id)) ?? [])
    }
    return conversations.flatMap((id) => found.get(ref.conversation(id)) ?? [])
  }
}

/** The hours since the epoch in which spans of these traces may start: up to one before the first, and after the last. */
function hoursOf(traces: readonly Trace[]): number[] {
  const hours = new Set<number>()
  for (const { first, last } of traces) {
    const from = Math.floor(first / HOUR) - 1
    const to = Math.min(Math.floor(last / HOUR) + 1, from + MOST_HOURS)
    for (let hour = from; hour <= to; hour++) hours.add(hour)
  }
  return [...hours]
}

/** Takes the span over: copying one costs more than making it. */
function chatSpan({ span, row, costs }: ReadSpan): ChatSpan {
  return Object.assign(span, costs, { started: row.started, ended: row.ended, repeats: row.repeats })
}

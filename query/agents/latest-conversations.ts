/**
 * Which conversations a page of the latest ones has. They are looked for among the newest spans, and counted beside it, so
 * that only the spans of the page's conversations are summed up (`groups.ts`). A conversation's spans are those that name it,
 * and those of their traces that name none (`identity.ts`).
 */

import type { AgentSpansQueryReq } from '../../contract/agents.js'
import type { Operand } from '../../contract/query-expr.js'
import { NAMES_CONVERSATION, namesOneOf } from '../../domain/agents/own-conversation.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { bind, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Counted } from '../totals/distinct-keys.js'
import { spanField } from './fields.js'
import { conditionsOf } from './groups.js'
import {
  around,
  FIRST_AND_LAST,
  givenIdentity,
  HOUR,
  identityStatement,
  LONGEST,
  ofTraces,
  rowsOfSpans,
  spansOf,
  type TracePart,
  traceParts,
  type Window,
  widened,
  within,
} from './identity.js'
import type { Conversation } from './previews.js'

type Rows = <Row>(statement: Sql) => Promise<Row[]>

/** A page of the latest conversations. */
export interface LatestConversations {
  /** in their order */
  ids: string[]
  /** how many there are in all */
  total: number
  /** the spans of the traces that name them */
  window: Window
  /** when the first and the last of the spans that name them began; undefined if that isn't known, or only some of their spans match */
  times: Conversation[] | undefined
}

/** How many of the newest spans are looked at to find a conversation, and in all. */
const SPANS_EACH = [10, 100, 1000]
const MOST_SPANS = 100_000
/** Traces that are listed in a statement; more are looked for by it. */
const MOST_TRACES = 10_000

/** True if the latest conversations are asked for, and nothing that only sums over all of them can tell. */
export function asksForLatest(request: AgentSpansQueryReq): boolean {
  const { group_by, group_filters, sort_by, measures, limit } = request
  const [key, ...keys] = group_by ?? []
  const [sort, ...sorts] = sort_by ?? []
  if (key?.key !== 'conversation_id' || keys.length + group_filters.length > 0 || limit === 0) return false
  if (key.source !== 'field' && key.source !== 'column') return false
  if (sort === undefined) return measures.length === 0
  return sort.field === 'last_seen' && sort.direction === 'desc' && sorts.length === 0
}

const HEIR = sql`own_conversation = 0`

/** The conversations that spans name; spans have ended. */
export const NAMED: Counted = {
  key: sql`thread_id`,
  conditions: [sql`span_kind > 0`, NAMES_CONVERSATION],
  withRunning: false,
}

/**
 * The conversations of a page; undefined if they aren't found among the newest spans, or spans without one are on it.
 * @param rows runs a statement @param named how many {@link NAMED} the project has, or else what it is given counts
 * @param spansEach how many of the newest spans are looked at to find one
 */
export async function latestConversations(
  rows: Rows,
  named: (counted: () => Promise<number>) => Promise<number>,
  request: AgentSpansQueryReq,
  window: Window,
  spansEach: readonly number[] = SPANS_EACH,
): Promise<LatestConversations | undefined> {
  const found = async () => {
    const ids = await latestOf(rows, request, window, spansEach)
    if (ids === undefined || ids.length === 0 || ids.includes('')) return undefined
    const { times, ...place } = await placeOf(rows, window, ids)
    const conditions = conditionsOf(request, window)
    const isWhole = conditions.length === 0 || areNamed(request, conditions)
    return { ids, ...place, times: isWhole ? times : undefined }
  }
  const [latest, total] = await Promise.all([found(), totalOf(rows, named, request, window)])
  return latest && { ...latest, total }
}

async function totalOf(
  rows: Rows,
  named: (counted: () => Promise<number>) => Promise<number>,
  request: AgentSpansQueryReq,
  window: Window,
): Promise<number> {
  const counted = async () => {
    const [count] = await rows<{ total: number }>(conversationsStatement(request, window))
    return Number(count!.total)
  }
  const isWhole = window.from === undefined && window.to === undefined
  return isWhole && areNamed(request, conditionsOf(request, window)) ? named(counted) : counted()
}

async function latestOf(
  rows: Rows,
  request: AgentSpansQueryReq,
  window: Window,
  spansEach: readonly number[],
): Promise<string[] | undefined> {
  const wanted = request.offset + request.limit
  for (const each of spansEach) {
    const most = wanted * each
    if (most > MOST_SPANS) return undefined
    const [newest] = await rows<{ spans: number; since: number }>(newestStatement(window, most))
    const { spans, since } = newest!
    if (spans === 0) return []
    const found = await rows<{ id: string }>(lateStatement(request, window, Number(since)))
    // Others have no span since then.
    if (found.length >= wanted || spans < most) return found.slice(request.offset, wanted).map(({ id }) => id)
  }
  return undefined
}

/** One row: how many the newest spans are, up to `most`, and when the first of them began, µs since the epoch. */
export const newestStatement = (window: Window, most: number): Sql =>
  sql`SELECT toFloat64(count()) AS spans, toUnixTimestamp64Micro(min(started_at)) AS since
    FROM (SELECT started_at ${rowsOfSpans(window)} ORDER BY started_at DESC LIMIT ${bind.uint(most)})`

/** Rows of `id`: the conversations of the spans since a time that match, those of the newest first. */
export function lateStatement(request: AgentSpansQueryReq, window: Window, since: number): Sql {
  const late = { ...window, from: since }
  const among = within(widened(window), since - LONGEST)
  const narrow = ofTraces(sql`(SELECT trace_id ${rowsOfSpans(late)})`, late, among)
  const id = conversationOf(narrow)
  const conditions = conditionsOf(request, narrow)
  return sql`SELECT ${id} AS id ${spansOf(narrow, conditions, id)} GROUP BY id ORDER BY max(started_at) DESC, id`
}

const conversationOf = (window: Window): Sql => spanField('conversation_id', window)!.sql

/** The window's spans of the traces in which spans name these conversations, and when those began. */
async function placeOf(
  rows: Rows,
  window: Window,
  ids: readonly string[],
): Promise<Pick<LatestConversations, 'window' | 'times'>> {
  const naming = rowsOfSpans(widened(window), namesOneOf(ids))
  const those = sql`(SELECT trace_id ${naming})`
  const near = isShort(window) ? ofTraces(those, widened(window)) : await nearOf(rows, window, naming)
  const parts = near && (await rows<TracePart>(sql`${traceParts(near)} LIMIT ${bind.uint(MOST_TRACES + 1)}`))
  if (!parts?.length || parts.length > MOST_TRACES)
    return { window: ofTraces(those, window), times: undefined }
  const { first, last } = extentOf(parts)
  const named = groupBy(parts, ({ conversation }) => conversation)
  return {
    window: {
      ...within(window, first, last),
      traces: {
        // In the order of the identity: equal values are sent once.
        ids: listed(parts),
        identity: givenIdentity(parts),
        among: within(widened(window), first, last),
      },
    },
    times: ids.flatMap((id) => {
      const { first, last } = extentOf(named.get(id) ?? [])
      const [from, to] = [window.from ?? first, window.to ?? last]
      return named.has(id) ? { id, first: Math.max(first, from), last: Math.min(last, to) } : []
    }),
  }
}

/** True if the traces of a window are looked for in all of it, with no look before where they are. */
const isShort = ({ from, to = Date.now() * 1000 }: Window) => from !== undefined && to - from <= 2 * LONGEST

/** The traces of some spans, and their spans a day around; undefined: there are none, or too many. */
async function nearOf(rows: Rows, window: Window, naming: Sql): Promise<Window | undefined> {
  const found = await rows<{ trace_id: string; first: number; last: number }>(
    sql`SELECT trace_id, ${FIRST_AND_LAST} ${naming} GROUP BY trace_id LIMIT ${bind.uint(MOST_TRACES + 1)}`,
  )
  if (found.length === 0 || found.length > MOST_TRACES) return undefined
  const { first, last } = extentOf(found)
  return ofTraces(listed(found), around(window, first, last))
}

const listed = (some: readonly { trace_id: string }[]): Sql =>
  sql`${bind.strings([...new Set(some.map(({ trace_id }) => trace_id))])}`

const extentOf = (some: readonly { first: number; last: number }[]) => ({
  first: Math.min(...some.map(({ first }) => Number(first))),
  last: Math.max(...some.map(({ last }) => Number(last))),
})

/** The condition that a span's conversation is one of these. */
export const isOneOf = (window: Window, ids: readonly string[]): Sql =>
  sql`${conversationOf(window)} IN ${bind.strings([...ids])}`

/** One row: how many conversations the spans that match have; those without one count as one. */
export function conversationsStatement(request: AgentSpansQueryReq, window: Window): Sql {
  const conditions = conditionsOf(request, window)
  if (conditions.length === 0)
    return sql`SELECT toFloat64(uniqExact(id)) + (${unnamedStatement(window)}) AS total FROM (${namedStatement(window)})`
  if (areNamed(request, conditions))
    return sql`SELECT toFloat64(uniqExact(id)) AS total FROM (${namedStatement(window)})`
  const id = conversationOf(window)
  return sql`SELECT toFloat64(uniqExact(${id})) AS total ${spansOf(window, conditions, id)}`
}

/** True if all spans with a conversation match. */
const areNamed = (request: AgentSpansQueryReq, conditions: readonly Sql[]): boolean =>
  conditions.length === 1 && isNamed(request.query?.$expr)

/** True for the condition that a span has a conversation. */
function isNamed(expr: Operand | undefined): boolean {
  if (expr === undefined) return false
  if ('$and' in expr) return expr.$and.length === 1 && isNamed(expr.$and[0])
  if (!('$not' in expr) || !('$eq' in expr.$not[0])) return false
  const [field, value] = expr.$not[0].$eq
  if (!('$getField' in field) || !('$literal' in value)) return false
  return field.$getField === 'conversation_id' && value.$literal === ''
}

/** Rows of `id`: the conversations that spans name, and those of traces that begin before or end behind the window. */
function namedStatement(window: Window): Sql {
  const { from, to } = window
  const beside = [
    ...(from === undefined ? [] : [{ outside: [from - HOUR, from], inside: [from, from + HOUR] }]),
    ...(to === undefined ? [] : [{ outside: [to, to + HOUR], inside: [to - HOUR, to] }]),
  ]
  const during = ([first, last]: readonly number[]): Window => ({
    ...window,
    from: Math.max(first!, from ?? first!),
    to: Math.min(last!, to ?? last!),
  })
  const heirs = beside.map(({ outside, inside }) => {
    const [first, last] = outside
    const names = sql`trace_id IN (SELECT trace_id ${spansOf({ ...window, from: first, to: last }, [NAMES_CONVERSATION])})`
    const traces = sql`(SELECT trace_id ${spansOf(during(inside), [HEIR, names])})`
    return sql`
    UNION ALL SELECT trace_conversation AS id FROM (${identityStatement(ofTraces(traces, window))})
    WHERE trace_conversation != ''`
  })
  return sql`SELECT thread_id AS id ${spansOf(window, [NAMES_CONVERSATION])}${join(heirs, sql``)}`
}

/** One row: 1 if a span has no conversation, else 0. 64 bits tell traces apart, in a quarter of the memory of their ids. */
function unnamedStatement(window: Window): Sql {
  const named = sql`SELECT cityHash64(trace_id) ${spansOf(widened(window), [NAMES_CONVERSATION])}`
  const without = sql`cityHash64(trace_id) NOT IN (${named})`
  return sql`SELECT count() FROM (SELECT 1 ${spansOf(window, [HEIR, without])} LIMIT 1)`
}

/** Selects the agents' spans of a request, and derives agent and conversation from the trace if a span names none. Pure. */
import { NAMES_CONVERSATION, OWN_CONVERSATION } from '../../domain/agents/own-conversation.js'
import { everyRow, visible } from '../../domain/calls/read/visible.js'
import type { SpanPlaces } from '../../domain/calls/span-places.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { bind, commaList, instant, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { microsOf } from '../../platform/time/micros.js'

/** A range of a project's spans by start, µs since the epoch; undefined: no end. */
export interface Window {
  readonly projectId: string
  readonly from: number | undefined
  readonly to: number | undefined
  /** only the spans of these traces; absent: of all */
  readonly traces?: Traces
  /** where attributes of the project's spans are; absent: in their whole text */
  readonly places?: SpanPlaces | undefined
}

/** Some traces. */
interface Traces {
  /** their ids, to be behind IN: a list, or a SELECT */
  readonly ids: Sql
  /** the spans that say whose they are */
  readonly among: Omit<Window, 'traces'>
  /** what those say, if it was read before */
  readonly identity?: Sql
}

export interface Asked {
  project_id: string
  started_after?: string | null | undefined
  started_before?: string | null | undefined
}

export function windowOf({ project_id, started_after, started_before }: Asked): Window {
  const micros = (text: string | null | undefined) => (text == null ? undefined : microsOf(text))
  return { projectId: projectIdOf(project_id), from: micros(started_after), to: micros(started_before) }
}

const time = (micros: number) => instant(Math.max(0, Math.min(micros, 9e15)))

/** The condition that a row is an exporter's span that started in the window. */
function inWindow({ from, to, traces }: Window): Sql[] {
  return [
    sql`span_kind > 0`,
    traces === undefined ? sql`` : sql`trace_id IN ${traces.ids}`,
    from === undefined ? sql`` : sql`started_at >= ${time(from)}`,
    to === undefined ? sql`` : sql`started_at < ${time(to)}`,
  ].filter((condition) => !condition.empty)
}

/**
 * FROM and WHERE of the window's spans that match `conditions`, each once.
 * @param columns the selected columns
 * @param early further conditions; columns of the others are read only where these hold
 */
export function spansOf(
  window: Window,
  conditions: readonly Sql[] = [],
  columns: Sql = sql``,
  early: readonly Sql[] = [],
): Sql {
  return visible('calls', window.projectId, [...inWindow(window), ...conditions], early, columns)
}

/** The same with all rows of a call that was replaced: quicker to plan, for what is only looked at in order to read further. */
export function rowsOfSpans(window: Window, conditions: readonly Sql[] = []): Sql {
  return everyRow('calls', window.projectId, [...inWindow(window), ...conditions])
}

export const HOUR = 3_600_000_000
/** The spans that say whose the window's traces are: the longest time between the starts of one trace's spans is an hour. */
export function widened({ traces, ...window }: Window): Window {
  if (traces) return { ...traces.among, traces }
  const { from, to } = window
  return {
    ...window,
    from: from === undefined ? undefined : from - HOUR,
    to: to === undefined ? undefined : to + HOUR,
  }
}

/** Name and version of the earliest span of some that names its agent. */
const FIRST_AGENT = sql`argMinIf((toString(agent_name), toString(agent_version)), started_at, agent_name != '')`

/** The window as far as it lies between two times, both inclusive. */
export const within = (window: Window, first: number, last = Number.POSITIVE_INFINITY): Window => ({
  ...window,
  from: Math.max(first, window.from ?? first),
  to: last === Number.POSITIVE_INFINITY ? window.to : Math.min(last + 1, window.to ?? last + 1),
})

/** The window's spans of some traces. @param among the spans that say whose these are */
export const ofTraces = (ids: Sql, window: Window, among = widened(window)): Window => ({
  ...window,
  traces: { ids, among },
})

/** The longest time between the starts of the spans of a trace whose other spans are looked for (µs). */
export const LONGEST = 24 * HOUR

/** Where the spans are looked for that say whose the window's traces are, if those have spans between two times. */
export const around = (window: Window, first: number, last: number, longest = LONGEST): Window =>
  within(widened(window), first - longest, last + longest)

/** By trace: `trace_agent`, name and version of its earliest span that names its agent, and `trace_conversation`. */
export function identityStatement(window: Window, more: Sql = sql``): Sql {
  const says = sql`(agent_name != '' OR ${NAMES_CONVERSATION})`
  const columns = commaList([
    sql`trace_id, ${FIRST_AGENT} AS trace_agent`,
    sql`argMinIf(thread_id, started_at, ${NAMES_CONVERSATION}) AS trace_conversation`,
    more,
  ])
  return sql`SELECT ${columns} ${spansOf(widened(window), [says])} GROUP BY trace_id`
}

/** When spans began, µs since the epoch. */
export const FIRST_AND_LAST = sql`toUnixTimestamp64Micro(min(started_at)) AS first, toUnixTimestamp64Micro(max(started_at)) AS last`

/** The spans of a trace that name the same conversation, or none. */
export interface TracePart {
  trace_id: string
  /** the conversation that they name; empty: none */
  conversation: string
  /** when the first and the last of them began, µs since the epoch */
  first: number
  last: number
  /** of the earliest of them that names its agent; empty: none does */
  agent: [name: string, version: string]
  /** when that one began */
  agent_at: number
}

/** Rows of {@link TracePart}: of the window's traces. */
export const traceParts = (window: Window): Sql =>
  sql`SELECT trace_id, ${OWN_CONVERSATION} AS conversation, ${FIRST_AND_LAST},
    ${FIRST_AGENT} AS agent, toUnixTimestamp64Micro(minIf(started_at, agent_name != '')) AS agent_at
    ${spansOf(window)} GROUP BY trace_id, conversation`

/** What {@link identityStatement} finds, of traces that were read. */
export function givenIdentity(parts: readonly TracePart[]): Sql {
  const traces = [...groupBy(parts, ({ trace_id }) => trace_id)].map(([id, those]) => ({
    id,
    agent: earliest(those, 'agent_at', ({ agent }) => agent[0] !== '')?.agent,
    conversation: earliest(those, 'first', ({ conversation }) => conversation !== '')?.conversation,
  }))
  const of = (text: (trace: (typeof traces)[number]) => string | undefined) =>
    bind.strings(traces.map((trace) => text(trace) ?? ''))
  const lists = commaList([
    sql`${of(({ id }) => id)} AS trace_id`,
    sql`arrayZip(${of(({ agent }) => agent?.[0])}, ${of(({ agent }) => agent?.[1])}) AS trace_agent`,
    sql`${of(({ conversation }) => conversation)} AS trace_conversation`,
  ])
  return sql`SELECT * FROM (SELECT ${lists}) ARRAY JOIN trace_id, trace_agent, trace_conversation`
}

/** The part with the least `time`, of those that name what is looked for. */
const earliest = (
  some: readonly TracePart[],
  time: 'agent_at' | 'first',
  names: (one: TracePart) => boolean,
) => some.filter(names).sort((a, b) => Number(a[time]) - Number(b[time]))[0]

/** A join with the window's spans. */
export function traceIdentity(window: Window): Sql {
  const identity = window.traces?.identity ?? identityStatement(window)
  return sql`LEFT ANY JOIN (${identity}) AS identity USING (trace_id)`
}

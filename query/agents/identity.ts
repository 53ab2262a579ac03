/** Selects the agents' spans of a request, and derives agent and conversation from the trace if a span names none. Pure. */
import { everyRow, visible } from '../../domain/calls/read/visible.js'
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

/**
 * By trace: `trace_agent`, name and version of its earliest span that names its agent, and `trace_conversation`.
 * @param among further conditions
 */
export function identityStatement(window: Window, among: readonly Sql[] = [], more: Sql = sql``): Sql {
  const says = sql`(agent_name != '' OR own_conversation = 1)`
  return byTrace(more, spansOf(widened(window), [says, ...among]))
}

function byTrace(more: Sql, spans: Sql): Sql {
  const columns = commaList([
    sql`trace_id`,
    sql`argMinIf((toString(agent_name), toString(agent_version)), started_at, agent_name != '') AS trace_agent`,
    sql`argMinIf(thread_id, started_at, own_conversation = 1) AS trace_conversation`,
    more,
  ])
  return sql`SELECT ${columns} ${spans} GROUP BY trace_id`
}

/** When spans began, µs since the epoch. */
export const FIRST_AND_LAST = sql`toUnixTimestamp64Micro(min(started_at)) AS first, toUnixTimestamp64Micro(max(started_at)) AS last`

/** A row of {@link wholeTraces}. */
export interface WholeTrace {
  trace_id: string
  trace_agent: [name: string, version: string]
  trace_conversation: string
  /** when its first and last span began, µs since the epoch */
  first: number
  last: number
}

/** Rows of {@link WholeTrace}: the window's traces. */
export const wholeTraces = (window: Window): Sql => byTrace(FIRST_AND_LAST, spansOf(window))

/** What {@link identityStatement} finds, of traces that were read. */
export function givenIdentity(traces: readonly WholeTrace[]): Sql {
  const of = (text: (trace: WholeTrace) => string) => bind.strings(traces.map(text))
  const lists = commaList([
    sql`${of(({ trace_id }) => trace_id)} AS trace_id`,
    sql`arrayZip(${of(({ trace_agent }) => trace_agent[0])}, ${of(({ trace_agent }) => trace_agent[1])}) AS trace_agent`,
    sql`${of(({ trace_conversation }) => trace_conversation)} AS trace_conversation`,
  ])
  return sql`SELECT * FROM (SELECT ${lists}) ARRAY JOIN trace_id, trace_agent, trace_conversation`
}

/** A join with the window's spans. */
export function traceIdentity(window: Window): Sql {
  const identity = window.traces?.identity ?? identityStatement(window)
  return sql`LEFT ANY JOIN (${identity}) AS identity USING (trace_id)`
}

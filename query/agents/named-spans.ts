/** Which spans may be of an agent or a conversation: those of the traces that name it. Pure. */
import { namesOneOf } from '../../domain/agents/own-conversation.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { ofTraces, rowsOfSpans, type Window, widened } from './identity.js'

/** The conditions on a span that itself names one of some. */
const NAMING = {
  agent_name: (some) => [sql`agent_name IN ${bind.strings(some)}`],
  conversation_id: namesOneOf,
} satisfies Record<string, (some: readonly string[]) => Sql[]>

/** A field that a span has from its trace if it has none of its own. */
type NamedField = keyof typeof NAMING

/** The window's spans of the traces in which a span names one of `some`, none of which is empty: all that may be of those. */
export function inTracesNaming(window: Window, field: NamedField, some: readonly string[]): Window {
  const { traces: _, ...among } = widened(window)
  return ofTraces(sql`(SELECT trace_id ${rowsOfSpans(among, NAMING[field](some))})`, window)
}

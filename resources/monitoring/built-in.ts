/** Signals that run by themselves: on which calls, by which scorers. Pure. */
import { SIGNALS } from '../../contract/monitors.js'
import { EPOCH } from '../../domain/calls/unset.js'
import { NOT_BY_MONITOR, SIGNALS_USER } from '../../domain/evaluation/monitored.js'
import type { MatchesPlan } from '../../domain/evaluation/plan.js'
import type { Signal } from '../../domain/evaluation/scoring/signals.js'
import { type Sql, sql } from '../../platform/clickhouse/sql.js'
import { IS_TURN } from './monitor.js'
import type { Match } from './statements.js'

/**
 * Where a user's question and its answer are: turns of agents; roots of traces that asked a model; and the spans of chat
 * completions that no agent made, as the root of their trace may be a request of HTTP. So a question is looked at once.
 */
const ENDED = sql`ended_at != ${EPOCH} AND ${NOT_BY_MONITOR}`
const ASKED = sql`parent_id = '' AND position(summary, '"usage"') > 0`
const CHAT = sql`operation_name IN ('chat', 'generate_content', 'text_completion') AND agent_name = ''`

/** Of turns, and of the others. */
export const CONDITIONS: readonly [turns: Sql, others: Sql] = [
  sql`(${ENDED} AND ${IS_TURN})`,
  sql`(${ENDED} AND NOT ${IS_TURN} AND ((${ASKED}) OR (${CHAT})))`,
]

/** The plan of a signal's scorer, as if it had an object. */
export const signalPlan = (signal: Signal) => ({
  ...{ ref: '', name: signal, columns: {} },
  rule: { kind: 'signal' as const, path: '', signal },
})

/** What is to be done with calls that meet the {@link CONDITIONS}. */
export function matchesOf(found: readonly Match[], off: readonly Signal[]): MatchesPlan[] {
  const scorers = SIGNALS.filter((signal) => !off.includes(signal)).map((signal) => ({
    ...signalPlan(signal),
    op: '',
  }))
  return CONDITIONS.flatMap((_, position) => {
    const calls = found
      .filter(({ met }) => met.includes(position))
      .map(({ id, began }): [string, number] => [id, Number(began)])
    const turns = position === 0
    return calls.length === 0
      ? []
      : [{ ref: '', name: SIGNALS_USER, calls, together: {}, scorers, turns, foundOnly: true }]
  })
}

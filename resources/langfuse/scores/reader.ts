/** Reads scores of Langfuse's SDKs. */
import type { LangfuseScore } from '../../../contract/langfuse-scores.js'
import { READ_SETTINGS } from '../../../domain/calls/read/settings.js'
import type { Sql } from '../../../platform/clickhouse/sql.js'
import type { Parts } from '../../parts.js'
import { payloadOf, scoreAnswer, type TraceOf } from './answer.js'
import { type ScoreRow, scoresOfTraces, tracesOfCalls } from './list.js'

export class ScoreReader {
  constructor(private readonly parts: Pick<Parts, 'store' | 'limits'>) {}

  /** Rows of a statement, and how to find the trace of each. @param project `entity/project` */
  async rows(
    project: string,
    statement: Sql,
    signal: AbortSignal,
  ): Promise<{ rows: ScoreRow[]; traceOf: TraceOf }> {
    const rows = await this.parts.store.rows<ScoreRow>(statement, this.options(signal))
    return { rows, traceOf: await this.tracesOf(project, rows, signal) }
  }

  /** The scores of traces and of their observations, at most 10,000. */
  async ofTraces(project: string, traces: readonly string[], signal: AbortSignal): Promise<LangfuseScore[]> {
    if (traces.length === 0) return []
    const { rows, traceOf } = await this.rows(project, scoresOfTraces(project, traces), signal)
    return rows.map((row) => scoreAnswer(project, row, traceOf))
  }

  async count(statement: Sql, signal: AbortSignal): Promise<number> {
    return (await this.parts.store.row<{ count: number }>(statement, this.options(signal)))?.count ?? 0
  }

  /** Scores of older versions and of imports don't say their traces; their calls do. */
  private async tracesOf(project: string, rows: readonly ScoreRow[], signal: AbortSignal): Promise<TraceOf> {
    const silent = rows.filter((row) => row.call_id !== '' && payloadOf(row).id === undefined)
    const calls = silent.map(({ call_id }) => call_id)
    const found =
      calls.length === 0
        ? []
        : await this.parts.store.rows<{ id: string; trace_id: string }>(
            tracesOfCalls(project, calls),
            this.options(signal),
          )
    const traces = new Map(found.map(({ id, trace_id }) => [id, trace_id]))
    return (row) => payloadOf(row).traceId ?? traces.get(row.call_id)
  }

  private options(signal: AbortSignal) {
    return { limits: this.parts.limits, signal, settings: READ_SETTINGS }
  }
}

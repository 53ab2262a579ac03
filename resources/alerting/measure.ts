/** Measures what an alert is about, in the window that ends now or in some that end one after the other. */
import type { AlertOnCalls, AlertOnFeedback, AlertSource } from '../../contract/alerts.js'
import type { AlertValues, Asked, WindowRow } from '../../domain/alerts/values.js'
import { readableWindows } from '../../domain/alerts/windows.js'
import type { Span } from '../../domain/calls/read/span.js'
import { EMPTY } from '../../domain/calls/read/statistics.js'
import type { Limits, Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import {
  type GroupedRow,
  groupedStatement,
  measuresOf,
  type StatsRow,
  statsStatement,
} from '../feedback/stats.js'
import type { Measured } from './judge.js'

/** A window and what was found in it. */
export interface Window {
  /** s since the epoch */
  end: number
  measured: Measured[]
}

export class Measures {
  constructor(
    private readonly store: Store,
    private readonly limits: Limits,
    private readonly values: AlertValues,
  ) {}

  /**
   * The last `count` windows, or as many as may be asked for, the oldest first.
   * @param project `entity/project`
   * @param now ms since the epoch, when the last one ends
   * @throws 4xx for what can't be measured
   */
  async windows(
    project: string,
    source: AlertSource,
    seconds: number,
    count: number,
    now: number,
    asked: Asked,
  ): Promise<Window[]> {
    const last = Math.floor(now / 1000) - seconds
    const length = readableWindows(source.type, seconds, count)
    const starts = Array.from({ length }, (_, i) => last - i * seconds).reverse()
    const found = await this.found(project, source, seconds, starts, now, asked)
    return starts.map((start, i) => ({ end: start + seconds, measured: found[i]! }))
  }

  /** The window that ends now, of sources that can be measured together: a list for each. @throws as `windows` */
  async batch(
    project: string,
    sources: readonly AlertOnCalls[],
    seconds: number,
    now: number,
    asked: Asked,
  ): Promise<Measured[][]> {
    const start = Math.floor(now / 1000) - seconds
    const span = spanOf([start], seconds, now)
    const rows = await this.values.batch(project, sources, span, asked)
    return sources.map((source, i) => measuredIn(start, source, rows[i]!))
  }

  private async found(
    project: string,
    source: AlertSource,
    seconds: number,
    starts: readonly number[],
    now: number,
    asked: Asked,
  ): Promise<Measured[][]> {
    if (source.type === 'sql') {
      const found: Measured[][] = []
      for (const start of starts) {
        const rows = await this.values.sql(
          project,
          source.query,
          start * 1000,
          (start + seconds) * 1000,
          asked,
        )
        found.push(rows.length === 0 ? nothingOf(source) : rows.map(measuredOf))
      }
      return found
    }
    const span = spanOf(starts, seconds, now)
    const rows =
      source.type === 'calls'
        ? await this.values.calls(project, source, span, asked)
        : await this.feedback(project, source, span, asked)
    return starts.map((start) => measuredIn(start, source, rows))
  }

  private async feedback(
    project: string,
    source: AlertOnFeedback,
    span: Span,
    { caller, signal }: Asked,
  ): Promise<WindowRow[]> {
    const { feedback_type, json_path, value_type, aggregation, percentile, group_by } = source
    // A percentile comes after the average, which is asked for since something must be.
    const measures = measuresOf([
      {
        ...{ json_path, value_type },
        aggregations: percentile === null ? [aggregation] : ['avg'],
        percentiles: percentile === null ? [] : [percentile],
      },
    ]).slice(-1)
    const request = {
      ...{ project_id: project, start: '', end: null, granularity: null, timezone: 'UTC', metrics: [] },
      ...{ feedback_type, trigger_ref: null },
    }
    const options = { limits: this.limits, caller, signal }
    if (group_by !== null) {
      const statement = groupedStatement(request, span, measures, group_by, json_path)
      const rows = await this.store.rows<GroupedRow>(statement, options)
      return rows.map((row) => ({ bucket: row.bucket, grp: row.grp, m0: row.m0, m1: row.n }))
    }
    const rows = await this.store.rows<StatsRow>(statsStatement(request, span, measures), options)
    return rows
      .filter(({ total }) => Number(total) !== 1)
      .map((row) => ({ bucket: row.bucket, m0: row.m0 ?? null, m1: row.n }))
  }
}

const spanOf = (starts: readonly number[], granularity: number, now: number): Span => ({
  ...{ start: starts[0]! * 1e6, end: now * 1000, granularity, starts },
})

/** What the window that begins then has. */
function measuredIn(
  start: number,
  source: AlertOnCalls | AlertOnFeedback,
  rows: readonly WindowRow[],
): Measured[] {
  const measured = rows
    .filter(({ bucket, grp }) => Number(bucket) === start && grp !== null)
    .map(({ grp = '', m0, m1 }) => ({
      ...{ group: grp!, value: m0 === null ? null : Number(m0), count: Number(m1) },
    }))
  return measured.length === 0 ? nothingOf(source) : measured
}

const NOTHING: Measured = { group: '', value: null, count: 0 }

/** The result of no rows: no group, or a count of 0, or a value that is unknown. */
export function nothingOf(source: AlertSource): Measured[] {
  if (source.type === 'sql') return [NOTHING]
  if (source.group_by !== null) return []
  const isCount = source.percentile === null && EMPTY[source.aggregation] === 0
  return [{ ...NOTHING, value: isCount ? 0 : null }]
}

/** A row of a statement of the user's. @throws 400 if it has no number to judge */
function measuredOf(row: object): Measured {
  const { value, count, ...others } = row as Record<string, unknown>
  if (value === undefined)
    throw errors.badRequest('The statement of an alert has a column called value: it is what is judged.')
  const number = value === null ? null : Number(value)
  if (number !== null && !Number.isFinite(number))
    throw errors.badRequest('The column value of the statement is not a number.')
  const group = Object.values(others).map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
  return { group: group.join(', '), value: number, count: count === undefined ? 1 : Number(count) }
}

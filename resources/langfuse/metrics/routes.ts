import * as declared from '../../../contract/langfuse-metrics.js'
import { pageMeta } from '../../../contract/langfuse-shared.js'
import { CallReader } from '../../../domain/calls/read/reader.js'
import { READ_SETTINGS } from '../../../domain/calls/read/settings.js'
import type { SpanPlaces } from '../../../domain/calls/span-places.js'
import type { Fields } from '../../../domain/expr/value.js'
import type { Sql } from '../../../platform/clickhouse/sql.js'
import { errors } from '../../../platform/errors/catalog.js'
import type { Bound } from '../../../platform/http/request.js'
import type { Parts } from '../../parts.js'
import { serveLangfuse } from '../serve.js'
import { type DayRow, dailyStatement, datesStatement, daysOf } from './daily.js'
import { type MetricsVersion, metricsStatement } from './statement.js'

export function metricsRoutes({ store, limits }: Parts): Bound[] {
  const reader = new CallReader(store, limits)
  const rows = <Row>(statement: Sql, signal: AbortSignal) =>
    store.rows<Row>(statement, { limits, signal, settings: READ_SETTINGS })
  const metrics = async (project: string, text: string, version: MetricsVersion, signal: AbortSignal) => {
    const query = queryOf(text)
    const plan = (_: Fields, places: SpanPlaces | undefined) =>
      metricsStatement(project, query, version, places)
    const { statement, answerOf } = await reader.placed(project, plan, signal)
    return { data: (await rows<Record<string, unknown>>(statement, signal)).map(answerOf) }
  }
  return [
    serveLangfuse(declared.langfuseMetrics, ({ project, query, signal }) =>
      metrics(project, query.query, 1, signal),
    ),
    serveLangfuse(declared.langfuseMetricsV2, ({ project, query, signal }) =>
      metrics(project, query.query, 2, signal),
    ),
    serveLangfuse(declared.langfuseDaily, async ({ project, query, signal }) => {
      const plan = (_: Fields, places: SpanPlaces | undefined) => ({
        ofDates: datesStatement(project, query, places),
        ofDays: (dates: readonly string[]) => dailyStatement(project, query, dates, places),
      })
      const { ofDates, ofDays } = await reader.placed(project, plan, signal)
      const dates = (await rows<{ date: string }>(ofDates, signal)).map(({ date }) => date)
      const shown = dates.slice((query.page - 1) * query.limit, query.page * query.limit)
      const days = shown.length === 0 ? [] : daysOf(await rows<DayRow>(ofDays(shown), signal))
      return { data: days, meta: pageMeta(query, dates.length) }
    }),
  ]
}

/** @throws 400 */
function queryOf(text: string): declared.MetricsQuery {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw errors.badRequest('query should be JSON text, as {"view": "observations", "metrics": […], …}.')
  }
  const { success, data, error } = declared.MetricsQuery.safeParse(value)
  if (success) return data
  const [issue] = error.issues
  throw errors.badRequest(
    `query.${issue?.path.join('.') || '*'}: ${issue?.message ?? 'invalid'}`.slice(0, 500),
  )
}

import * as declared from '../../../contract/langfuse-metrics.js'
import { pageMeta } from '../../../contract/langfuse-shared.js'
import { readPlaces } from '../../../domain/calls/read/places.js'
import { READ_SETTINGS } from '../../../domain/calls/read/settings.js'
import type { Sql } from '../../../platform/clickhouse/sql.js'
import { errors } from '../../../platform/errors/catalog.js'
import type { Bound } from '../../../platform/http/request.js'
import { projectIdOf } from '../../../platform/ids/project.js'
import type { Parts } from '../../parts.js'
import { serveLangfuse } from '../serve.js'
import { type DayRow, dailyStatement, datesStatement, daysOf } from './daily.js'
import { type MetricsVersion, metricsStatement } from './statement.js'

export function metricsRoutes({ store, limits }: Parts): Bound[] {
  const read =
    (signal: AbortSignal) =>
    <Row>(statement: Sql): Promise<Row[]> =>
      store.rows<Row>(statement, { limits, signal, settings: READ_SETTINGS })
  const metrics = async (project: string, text: string, version: MetricsVersion, signal: AbortSignal) => {
    const query = queryOf(text)
    const places = await readPlaces(projectIdOf(project), read(signal))
    const { statement, answerOf } = metricsStatement(project, query, version, places)
    return { data: (await read(signal)<Record<string, unknown>>(statement)).map(answerOf) }
  }
  return [
    serveLangfuse(declared.langfuseMetrics, ({ project, query, signal }) =>
      metrics(project, query.query, 1, signal),
    ),
    serveLangfuse(declared.langfuseMetricsV2, ({ project, query, signal }) =>
      metrics(project, query.query, 2, signal),
    ),
    serveLangfuse(declared.langfuseDaily, async ({ project, query, signal }) => {
      const places = await readPlaces(projectIdOf(project), read(signal))
      const found = await read(signal)<{ date: string }>(datesStatement(project, query, places))
      const dates = found.map(({ date }) => date)
      const shown = dates.slice((query.page - 1) * query.limit, query.page * query.limit)
      const rows =
        shown.length === 0 ? [] : await read(signal)<DayRow>(dailyStatement(project, query, shown, places))
      return { data: daysOf(rows), meta: pageMeta(query, dates.length) }
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

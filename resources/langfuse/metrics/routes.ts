import * as declared from '../../../contract/langfuse-metrics.js'
import { pageMeta } from '../../../contract/langfuse-shared.js'
import { READ_SETTINGS } from '../../../domain/calls/read/settings.js'
import { errors } from '../../../platform/errors/catalog.js'
import type { Bound } from '../../../platform/http/request.js'
import type { Parts } from '../../parts.js'
import { serveLangfuse } from '../serve.js'
import { type DayRow, dailyStatement, daysOf } from './daily.js'
import { type MetricsVersion, metricsStatement } from './statement.js'

export function metricsRoutes({ store, limits }: Parts): Bound[] {
  const metrics = async (project: string, text: string, version: MetricsVersion, signal: AbortSignal) => {
    const { statement, answerOf } = metricsStatement(project, queryOf(text), version)
    const options = { limits, signal, settings: READ_SETTINGS }
    const rows = await store.rows<Record<string, unknown>>(statement, options)
    return { data: rows.map(answerOf) }
  }
  return [
    serveLangfuse(declared.langfuseMetrics, ({ project, query, signal }) =>
      metrics(project, query.query, 1, signal),
    ),
    serveLangfuse(declared.langfuseMetricsV2, ({ project, query, signal }) =>
      metrics(project, query.query, 2, signal),
    ),
    serveLangfuse(declared.langfuseDaily, async ({ project, query, signal }) => {
      const options = { limits, signal, settings: READ_SETTINGS }
      const days = daysOf(await store.rows<DayRow>(dailyStatement(project, query), options))
      const shown = days.slice((query.page - 1) * query.limit, query.page * query.limit)
      return { data: shown, meta: pageMeta(query, days.length) }
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

/** What alerts judge of calls and of SQL. */
import type { AlertValues, WindowRow } from '../domain/alerts/values.js'
import { collect } from '../platform/bytes/collect.js'
import type { Limits, Store } from '../platform/clickhouse/store.js'
import { windowBatchStatement, windowStatement } from './calls/window.js'
import type { ProjectSql } from './sql/project-sql.js'

/** Of a statement's result. */
const MOST_ROWS = 1000
const MOST_BYTES = 2 ** 20

export function alertValues(store: Store, limits: Limits, statements: ProjectSql): AlertValues {
  return {
    calls: (project, source, span, { caller, signal }) =>
      store.rows<WindowRow>(windowStatement(project, source, span), { limits, caller, signal }),
    batch: async (project, sources, span, { caller, signal }) => {
      const statement = windowBatchStatement(project, sources, span)
      const rows = await store.rows<Record<string, number | null>>(statement, { limits, caller, signal })
      return sources.map((_, i) =>
        rows.map((row) => ({
          ...{ bucket: Number(row.bucket), m0: row[`m${2 * i}`] ?? null, m1: Number(row[`m${2 * i + 1}`]) },
        })),
      )
    },
    sql: async (project, query, since, until, { caller, signal }) => {
      const request = {
        ...{ project, query, format: 'jsonl' as const },
        params: { since: timeText(since), until: timeText(until) },
        limits: { resultRows: MOST_ROWS, resultBytes: MOST_BYTES },
      }
      const lines = (await collect(await statements.run(request, caller, signal))).toString().split('\n')
      return lines.filter(Boolean).map((line) => JSON.parse(line) as object)
    },
  }
}

/** As the engine reads a DateTime64, in UTC. */
const timeText = (ms: number) => new Date(ms).toISOString().slice(0, -1).replace('T', ' ')

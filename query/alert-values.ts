/** What alerts judge of calls and of SQL. */
import type { AlertValues, WindowRow } from '../domain/alerts/values.js'
import type { Limits, Store } from '../platform/clickhouse/store.js'
import { windowStatement, windowsStatement } from './calls/window.js'
import type { ProjectSql } from './sql/project-sql.js'

/** Of a statement's result. */
const MOST_ROWS = 1000
const MOST_BYTES = 2 ** 20

export function alertValues(store: Store, limits: Limits, statements: ProjectSql): AlertValues {
  return {
    calls: (project, source, span, { caller, signal }) =>
      store.rows<WindowRow>(windowStatement(project, source, span), { limits, caller, signal }),
    together: async (project, sources, span, { caller, signal }) => {
      const statement = windowsStatement(project, sources, span)
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
      const chunks: Uint8Array[] = []
      for await (const chunk of await statements.run(request, caller, signal)) chunks.push(chunk)
      const lines = Buffer.concat(chunks).toString().split('\n')
      return lines.filter(Boolean).map((line) => JSON.parse(line) as object)
    },
  }
}

/** As the engine reads a DateTime64, in UTC. */
const timeText = (ms: number) => new Date(ms).toISOString().slice(0, -1).replace('T', ' ')

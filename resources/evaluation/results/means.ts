/** The means that a run ends with: those of numeric scores, and of numeric outputs. */
import { bind, sql } from '../../../platform/clickhouse/sql.js'
import type { Store } from '../../../platform/clickhouse/store.js'
import { leavesOf } from './summarize.js'
import { LATENCY } from './summary.js'
import { trialRows } from './trials.js'

/** JSON text of `{<scorer>: {mean}, output: {mean}}`. @param projectId internal id */
export async function meansOf(store: Store, projectId: string, runId: string): Promise<string> {
  const runs = { projectId, ids: [runId] }
  const known = { marked: false, hashes: [], digests: [] }
  const number = sql`if(JSONType(output, 'output') IN ('Int64', 'UInt64', 'Double'), JSONExtractFloat(output, 'output'), NULL)`
  const [leaves, output] = await Promise.all([
    leavesOf(store, { runs, known, shared: false }, [0]),
    store.row<{ mean: number | null }>(
      sql`SELECT avgOrNull(${number}) AS mean FROM (${trialRows(runs, sql`output`)}) LIMIT ${bind.uint(1)}`,
    ),
  ])
  const scores = leaves.flatMap(({ path, mean }) =>
    path.length === 1 && path[0] !== LATENCY && mean !== null ? [[path[0], { mean }]] : [],
  )
  const outputs = output?.mean == null ? [] : [['output', { mean: output.mean }]]
  return JSON.stringify(Object.fromEntries([...scores, ...outputs]))
}

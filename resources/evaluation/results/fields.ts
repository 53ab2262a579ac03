/** The fields that rows of results are filtered and sorted by, as SQL over one trial. Pure. */

import type { EvalResultsQuery } from '../../../contract/evaluation-results.js'
import { pathSegments } from '../../../domain/calls/leaves.js'
import { namesIn } from '../../../domain/expr/names.js'
import type { Fields } from '../../../domain/expr/value.js'
import { bind, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { digestedTrials, type KnownRows, type Runs } from './trials.js'

const NAME_LIMIT = 2000

/** The model's output; older SDKs and the npm SDK name it `model_output`. */
const OUTPUT = sql`if(JSONHas(output, 'output'), JSONExtractRaw(output, 'output'), JSONExtractRaw(output, 'model_output'))`

/** `scores.<scorer>…`, `outputs.…`, `inputs.…`; over columns `output` of the trial and `data`, its row. */
export const trialFields: Fields = (name) => {
  if (name.length > NAME_LIMIT) return undefined
  const [root, ...path] = pathSegments(name)
  if (root === 'scores' && path.length > 0)
    return { kind: 'json', document: sql`output`, path: ['scores', ...path] }
  if (root === 'outputs' || root === 'output') return { kind: 'json', document: OUTPUT, path }
  if (root === 'inputs') return { kind: 'json', document: sql`data`, path }
  return undefined
}

/** Whether a request filters or sorts by the data of rows. */
export function needsData({ filters, sort_by }: EvalResultsQuery): boolean {
  const names = [
    ...(sort_by ?? []).map(({ field }) => field),
    ...(filters ?? []).flatMap(({ query }) => namesIn(query.$expr)),
  ]
  return names.some((name) => pathSegments(name)[0] === 'inputs')
}

/**
 * Trials with `row`, `output` and `data`, the row itself; a dataset's row is read from its table.
 * @param projects internal ids of the projects whose tables may be read
 */
export function trialsWithData(runs: Runs, known: KnownRows, projects: readonly string[]): Sql {
  const trials = digestedTrials(runs, known, [sql`example, output`], [sql`output`])
  const digests = sql`SELECT cityHash64(row) FROM (${digestedTrials(runs, known)})`
  const rows = sql`SELECT digest, any(val) AS val FROM table_rows
    WHERE project_id IN ${bind.strings(projects)} AND digest_key IN (${digests}) GROUP BY digest`
  return sql`SELECT id, run, started, row, size, output, if(startsWith(example, 'weave:///'), val, example) AS data FROM (
    ${trials}) AS trials LEFT ANY JOIN (${rows}) AS stored ON trials.row = stored.digest`
}

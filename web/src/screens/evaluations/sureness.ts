/** How sure the scores of runs are, from all their rows. */
import { queryOptions } from '@tanstack/react-query'
import { eachRow, type ResultRow, type Summary } from '../../api/evaluations'
import { type Metric, type Sureness, surenessOf } from './compare'

/** Of runs with more rows, the intervals are left out: the page would be busy for too long. */
const MOST_ROWS = 2_000

/** By the id of a score, then of a run; undefined: there are too many rows. */
export const surenessQuery = (project: string, summaries: readonly Summary[], scores: readonly Metric[]) => {
  const runs = summaries.map((one) => one.evaluation_call_id)
  return queryOptions({
    queryKey: ['evaluations', project, 'sureness', runs, scores],
    staleTime: 30_000,
    enabled: runs.length > 0 && summaries.every((one) => one.trial_count <= MOST_ROWS),
    queryFn: async ({ signal }) => {
      const rows: ResultRow[] = []
      for await (const some of eachRow(project, runs, { whole: false, most: MOST_ROWS }, signal))
        rows.push(...some)
      const found = new Map<string, Map<string, Sureness>>()
      for (const metric of scores) {
        const ofRuns = new Map<string, Sureness>()
        found.set(metric.id, ofRuns)
        for (const run of runs) {
          // Each takes some time; between two, the page lives.
          await new Promise((resolve) => setTimeout(resolve))
          signal.throwIfAborted()
          ofRuns.set(run, surenessOf(rows, runs[0]!, run, metric))
        }
      }
      return found
    },
  })
}

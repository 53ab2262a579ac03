/** What earlier jobs of a model told of its held-out checks. */
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { JobRow } from './jobs.js'
import type { Check } from './watch.js'

export interface CheckEvent extends Check {
  /** refs: only checks of the same rows by the same scorer are compared */
  dataset: string
  scorer: string
}

/** The held-out score that the model had before this job; undefined: it was not checked. */
export async function heldOutOf(
  store: Store,
  { project_id, id }: Pick<JobRow, 'project_id' | 'id'>,
): Promise<number | undefined> {
  const row = await store.row<{ data: string }>(
    sql`SELECT data FROM training_events FINAL WHERE project_id = ${bind.string(project_id)}
          AND job_id = ${bind.string(id)} AND type = 'held_out_check' LIMIT 1`,
  )
  return row && (JSON.parse(row.data) as CheckEvent).held_out
}

/**
 * The checks of a model, oldest first, since a paused job of it was last resumed: who resumes one has seen those before.
 * @param of only checks of this dataset by this scorer
 */
export async function checksOf(
  store: Store,
  { project_id, model_id }: Pick<JobRow, 'project_id' | 'model_id'>,
  of: { dataset: string; scorer: string },
): Promise<CheckEvent[]> {
  const rows = await store.rows<{ type: string; data: string }>(
    sql`SELECT type, data FROM training_events FINAL
        WHERE project_id = ${bind.string(project_id)} AND type IN ('held_out_check', 'training_resumed')
          AND job_id IN (SELECT id FROM training_jobs WHERE project_id = ${bind.string(project_id)}
            AND model_id = ${bind.string(model_id)})
        ORDER BY job_id, number`,
  )
  const seen = rows.slice(rows.findLastIndex(({ type }) => type === 'training_resumed') + 1)
  return seen
    .map(({ data }) => JSON.parse(data) as CheckEvent)
    .filter(({ dataset, scorer }) => dataset === of.dataset && scorer === of.scorer)
}

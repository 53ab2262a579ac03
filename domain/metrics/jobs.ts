/** Metrics of training and evaluation jobs, read from the tables. */
import { sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { Metrics } from '../../platform/telemetry/metrics.js'
import { OPEN } from '../training/jobs.js'

export function watchJobs(metrics: Metrics, store: Store): void {
  metrics.family(
    {
      training_jobs: { help: 'Training jobs of the last 30 days, by state.', labels: ['status'] },
      training_jobs_waiting: { help: 'Training jobs waiting for a worker or node.' },
      training_oldest_seconds: { help: 'Age of the oldest waiting training job.' },
      training_silent_seconds: { help: 'Longest silence of a running training job.' },
      evaluation_jobs_waiting: { help: 'Unfinished evaluations and scoring jobs.' },
      evaluation_oldest_seconds: { help: 'Age of the oldest of them.' },
    },
    async (set) => {
      const [byStatus, evaluations, silent] = await Promise.all([
        store.rows<{ status: string; n: number; age: number }>(sql`
          SELECT toString(status) AS status, count() AS n,
            dateDiff('second', min(created_at), now64(6)) AS age
          FROM training_jobs FINAL
          WHERE created_at > now() - INTERVAL 30 DAY OR status IN ${OPEN}
          GROUP BY status`),
        store.row<{ n: number; age: number }>(sql`
          SELECT count() AS n, if(n = 0, 0, dateDiff('second', min(created_at), now64(6))) AS age
          FROM evaluation_jobs FINAL WHERE done = 0`),
        store.row<{ age: number }>(sql`
          SELECT max(dateDiff('second', greatest(last, started_at), now64(6))) AS age
          FROM (SELECT id, started_at FROM training_jobs FINAL WHERE status = 'running') AS job
          LEFT JOIN (SELECT job_id, max(created_at) AS last FROM training_events
            WHERE created_at > now() - INTERVAL 7 DAY GROUP BY job_id) AS told ON job.id = told.job_id`),
      ])
      for (const status of ['queued', 'paused', 'running', 'completed', 'failed', 'cancelled'])
        set('training_jobs', byStatus.find((one) => one.status === status)?.n ?? 0, { status })
      const queued = byStatus.find(({ status }) => status === 'queued')
      set('training_jobs_waiting', queued?.n ?? 0)
      set('training_oldest_seconds', queued?.age ?? 0)
      set('training_silent_seconds', silent?.age ?? 0)
      set('evaluation_jobs_waiting', evaluations?.n ?? 0)
      set('evaluation_oldest_seconds', evaluations?.age ?? 0)
    },
  )
}

/** The routes of a job's events, logs and metrics, bound. */
import * as contract from '../../contract/training-jobs.js'
import { eventId, eventNumber, eventsAfter } from '../../domain/training/events.js'
import { type LogRow, logsAfter } from '../../domain/training/logs.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { pageAnswer } from '../jobs/answer.js'
import type { JobService } from '../jobs/job-service.js'
import { trainingProblems } from '../jobs/problems.js'
import { findJob } from '../jobs/routes.js'
import { metricsCsv, metricsJson } from './metrics.js'

export function eventRoutes(service: JobService): Bound[] {
  return [
    serve(contract.listEvents, async ({ params, query, principal }) => {
      const { job } = await findJob(service, params.training_job_id, principal, 'read')
      const { after, limit } = query
      const behind = after === undefined ? 0 : eventNumber(job.id, after)
      if (behind === undefined) throw trainingProblems.badCursor(after!)
      const events = await eventsAfter(service.store, job, behind, limit + 1)
      return pageAnswer(
        events.map(({ number, type, data, created_at }) => ({
          id: eventId(job.id, number),
          type,
          data: JSON.parse(data) as Record<string, unknown>,
          created_at: isoOfMicros(created_at),
        })),
        limit,
      )
    }),
    serve(contract.listJobLogs, async ({ params, query, principal }) => {
      const { job } = await findJob(service, params.training_job_id, principal, 'read')
      const { after, limit } = query
      // A line's id is its time, which is unique within the job.
      const behind = after === undefined ? 0 : Number(/^\d{1,16}$/.exec(after)?.[0] ?? Number.NaN)
      if (Number.isNaN(behind)) throw trainingProblems.badCursor(after!)
      const lines = await logsAfter(service.store, job, behind, limit + 1)
      return pageAnswer(lines.map(logAnswer), limit)
    }),
    serve(contract.jobMetrics, async ({ params, query, principal }) => {
      const { job } = await findJob(service, params.training_job_id, principal, 'read')
      return query.format === 'csv'
        ? new Reply(200, 'text/csv; charset=utf-8', metricsCsv(service.store, job, query.after))
        : new Reply(200, 'application/json', metricsJson(service.store, job, query.after))
    }),
  ]
}

function logAnswer({ at, attempt, level, message }: LogRow) {
  return { id: String(at), created_at: isoOfMicros(at), attempt, level, message }
}

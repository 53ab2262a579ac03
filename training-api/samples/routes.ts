/** The route that lists what a job is trained on, bound. */
import { listJobSamples } from '../../contract/training-jobs.js'
import { keyOf } from '../../domain/training/artifact-keys.js'
import { type Bound, Reply, serve } from '../../platform/http/request.js'
import type { JobService } from '../jobs/job-service.js'
import { trainingProblems } from '../jobs/problems.js'
import { findJob } from '../jobs/routes.js'
import { samplePage } from './page.js'

export function sampleRoutes(service: JobService): Bound[] {
  return [
    serve(listJobSamples, async ({ params, query, principal, signal }) => {
      const { job } = await findJob(service, params.training_job_id, principal, 'read')
      const { after, limit } = query
      // A sample's id is where its line ends in the file.
      const from = after === undefined ? 0 : Number(/^\d{1,15}$/.exec(after)?.[0] ?? Number.NaN)
      if (!(from <= job.data_bytes)) throw trainingProblems.badCursor(after!)
      const range = { from, to: job.data_bytes }
      const { artifacts, root } = service.artifacts
      const key = keyOf(root, job.data_address)
      const content =
        from === job.data_bytes || key === undefined ? undefined : await artifacts.get(key, range, signal)
      return new Reply(200, 'application/json', await samplePage(content, range, limit))
    }),
  ]
}

/** The page that shows training progress, and the requests behind it, forwarded to the training interface. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { jobMetrics, listJobs } from './training-jobs.js'

const tag = 'Training'
const file = {
  method: 'GET',
  tag,
  access: 'public',
  project: 'none',
  unlimited: 'a static file',
  answer: z.string(),
} as const
const read = { method: 'GET', tag, access: 'read', project: 'none' } as const
const id = { training_job_id: z.string().min(1).max(200) }

export const trainingPage = route({
  ...file,
  id: 'training_page',
  path: '/training',
  summary: 'Show curves of training jobs, as a page',
  produces: 'text/html',
})

export const trainingPageJobs = route({
  ...read,
  id: 'training_page_jobs',
  path: '/training/jobs',
  summary: 'List training jobs, like the training interface',
  query: z.object({
    after: z.string().max(200).optional(),
    limit: z.coerce.number().int().min(1).max(100).default(20),
  }),
  answer: listJobs.answer,
})

export const trainingPageMetrics = route({
  ...read,
  id: 'training_page_metrics',
  path: '/training/jobs/{training_job_id}/metrics',
  summary: 'Read the metrics of a training job after a step, like the training interface',
  params: z.object(id),
  query: z.object({ after: z.coerce.number().int().min(0).optional() }),
  answer: jobMetrics.answer,
})

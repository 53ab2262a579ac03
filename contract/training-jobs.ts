/** Declarations of the routes about training jobs. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { timeOut } from './shared.js'
import { TrainingDataSource } from './training-data.js'
import { ExperimentalConfig, SftConfig } from './training-options.js'
import { jobInPath, metricsOut, orderQuery, pageOf, pageQuery, timeOrNull } from './training-shared.js'
import { TrajectoryGroup } from './trajectories.js'

const tag = 'training-jobs'
const modelId = z.string().min(1).max(200)
const maybe = <T extends z.ZodType>(type: T) => type.nullish()

const status = z.enum(['queued', 'running', 'completed', 'failed', 'cancelled'])
const kind = z.enum(['rl', 'sft'])

const TrainingJob = z
  .object({
    id: z.string(),
    model_id: z.string(),
    entity: z.string(),
    project: z.string(),
    model_name: z.string(),
    kind,
    status,
    created_at: timeOut,
    started_at: timeOrNull,
    finished_at: timeOrNull,
    error_code: z.string().nullable().meta({ description: 'stable' }),
    error_message: z.string().nullable(),
    checkpoint_step: z.int().nullable().meta({ description: 'of the checkpoint it made' }),
    attempt: z
      .int()
      .meta({ description: 'counts up when a worker takes it, and when it is ended otherwise' }),
    steps_done: z.int().meta({ description: 'gradient steps' }),
    steps_total: z.int().nullable(),
  })
  .meta({ id: 'TrainingJob' })

/** Most bytes of one job's body. */
const BODY_LIMIT = 4 * 2 ** 30

export const createRlJob = route({
  id: 'create_rl_training_job',
  method: 'POST',
  path: '/v1/preview/training-jobs',
  tag,
  summary: 'Train a model by reinforcement learning on trajectory groups; the job is queued at once',
  access: 'write',
  project: 'handler',
  streamed: true,
  maxBytes: BODY_LIMIT,
  body: z
    .object({
      model_id: modelId,
      trajectory_groups: z.array(TrajectoryGroup).min(1).optional(),
      training_data: TrainingDataSource.nullish(),
      experimental_config: maybe(ExperimentalConfig),
    })
    .meta({ id: 'RlJobCreate', description: 'with trajectory_groups, or training_data in their place' }),
  answer: TrainingJob,
})

export const createSftJob = route({
  id: 'create_sft_training_job',
  method: 'POST',
  path: '/v1/preview/sft-training-jobs',
  tag,
  summary: 'Train a model on conversations; the data is read and checked, then the job is queued',
  access: 'write',
  project: 'handler',
  maxBytes: 64 * 2 ** 20,
  // A learning rate a batch.
  maxValues: 2 ** 20,
  body: z
    .object({
      model_id: modelId,
      training_data_url: maybe(z.string().min(1)).meta({
        description:
          'data:…, https://…, artifact:///entity/project/file:digest, or a ref of a dataset: JSON lines of {messages, tools?}',
      }),
      training_data: TrainingDataSource.nullish(),
      config: maybe(SftConfig),
    })
    .meta({ id: 'SftJobCreate' }),
  answer: TrainingJob,
})

export const listJobs = route({
  id: 'list_training_jobs',
  method: 'GET',
  path: '/v1/preview/training-jobs',
  tag,
  summary: 'List the jobs of all models that this key may read',
  access: 'read',
  project: 'handler',
  query: z.object({
    model_id: modelId.optional(),
    entity: z.string().max(128).optional(),
    project: z.string().max(128).optional(),
    kind: kind.optional(),
    status: status.optional(),
    ...pageQuery,
    order: orderQuery('desc'),
  }),
  answer: pageOf(TrainingJob, 'TrainingJobPage'),
})

export const getJob = route({
  id: 'get_training_job',
  method: 'GET',
  path: '/v1/preview/training-jobs/{training_job_id}',
  tag,
  summary: 'Read how a job is',
  access: 'read',
  project: 'handler',
  params: z.object(jobInPath),
  answer: TrainingJob,
})

export const cancelJob = route({
  id: 'cancel_training_job',
  method: 'POST',
  path: '/v1/preview/training-jobs/{training_job_id}/cancel',
  tag,
  summary: 'Cancel a job; one that has ended stays as it is',
  access: 'write',
  project: 'handler',
  params: z.object(jobInPath),
  answer: TrainingJob,
})

export const listEvents = route({
  id: 'get_training_job_events',
  method: 'GET',
  path: '/v1/preview/training-jobs/{training_job_id}/events',
  tag,
  summary: 'List the events of a job in the order they came',
  access: 'read',
  project: 'handler',
  params: z.object(jobInPath),
  query: z.object(pageQuery),
  answer: pageOf(
    z
      .object({
        id: z.string(),
        type: z.enum(['training_started', 'gradient_step', 'training_ended', 'training_failed']),
        data: z.record(z.string(), z.unknown()),
        created_at: timeOut,
      })
      .meta({ id: 'TrainingJobEvent' }),
    'TrainingJobEventPage',
  ),
})

export const listJobLogs = route({
  id: 'get_training_job_logs',
  method: 'GET',
  path: '/v1/preview/training-jobs/{training_job_id}/logs',
  tag,
  summary: 'List what workers and nodes said of a job: attempts, waits, what went wrong',
  access: 'read',
  project: 'handler',
  params: z.object(jobInPath),
  query: z.object(pageQuery),
  answer: pageOf(
    z
      .object({
        id: z.string(),
        created_at: timeOut,
        attempt: z.int(),
        level: z.enum(['info', 'warn', 'error']),
        message: z.string(),
      })
      .meta({ id: 'TrainingJobLog' }),
    'TrainingJobLogPage',
  ),
})

export const jobMetrics = route({
  id: 'get_training_job_metrics',
  method: 'GET',
  path: '/v1/preview/training-jobs/{training_job_id}/metrics',
  tag,
  summary: 'Read the metrics of every gradient step, as JSON or CSV',
  access: 'read',
  project: 'handler',
  params: z.object(jobInPath),
  query: z.object({
    format: z.enum(['json', 'csv']).default('json'),
    after: z.coerce.number().int().min(0).default(0).meta({ description: 'a step: only those behind it' }),
  }),
  answer: z
    .object({
      object: z.literal('list'),
      data: z.array(
        z
          .object({ step: z.int(), created_at: timeOut, metrics: metricsOut })
          .meta({ id: 'TrainingJobMetrics' }),
      ),
    })
    .meta({ id: 'TrainingJobMetricsList' }),
  producesToo: ['text/csv'],
})

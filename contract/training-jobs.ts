import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component, maybe, timeOut } from './shared.js'
import { TrainingDataSource } from './training-data.js'
import { JobCheck, JobReward } from './training-guidance.js'
import { METHODS } from './training-methods.js'
import { ExperimentalConfig, SftConfig } from './training-options.js'
import { jobInPath, metricsOut, orderQuery, pageOf, pageQuery, timeOrNull } from './training-shared.js'
import { TrajectoryGroup } from './trajectories.js'

const tag = 'training-jobs'
const write = { method: 'POST', tag, access: 'write', project: 'handler' } as const
const read = { method: 'GET', tag, access: 'read', project: 'handler' } as const
const modelId = z.string().min(1).max(200)

const status = z.enum(['queued', 'paused', 'running', 'completed', 'failed', 'cancelled'])
const kind = z.enum(['rl', ...METHODS])

const TrainingJob = component('TrainingJob', {
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
  error_code: z.string().nullable().describe('stable'),
  error_message: z.string().nullable(),
  checkpoint_step: z.int().nullable().describe('of its checkpoint'),
  preparing: z
    .enum(['rewards', 'check'])
    .nullable()
    .describe('what is done before it is trained: answers get rewards, or the model is checked'),
  attempt: z.int().describe('increases when a worker takes the job, and when the job ends otherwise'),
  steps_done: z.int().describe('gradient steps'),
  steps_total: z.int().nullable(),
})

/** Most bytes of a job's body. */
const BODY_LIMIT = 4 * 2 ** 30

export const createRlJob = route({
  ...write,
  id: 'create_rl_training_job',
  audit: { category: 'training' },
  path: '/v1/preview/training-jobs',
  summary: 'Train a model by reinforcement learning on trajectory groups',
  streamed: true,
  maxBytes: BODY_LIMIT,
  body: component(
    'RlJobCreate',
    {
      model_id: modelId,
      trajectory_groups: z.array(TrajectoryGroup).min(1).optional(),
      training_data: TrainingDataSource.nullish(),
      experimental_config: maybe(ExperimentalConfig),
      reward: JobReward.nullish(),
      check: JobCheck.nullish(),
    },
    { description: 'with either trajectory_groups or training_data' },
  ),
  answer: TrainingJob,
})

export const createSftJob = route({
  ...write,
  id: 'create_sft_training_job',
  audit: { category: 'training', names: ['body.model_id'] },
  path: '/v1/preview/sft-training-jobs',
  summary:
    'Train a model on conversations, or on pairs of answers; the data is checked before the job is queued',
  // A text of twice this takes the main thread 50 ms to get from the thread that reads it.
  maxBytes: 32 * 2 ** 20,
  // Allows a learning rate per batch.
  maxValues: 2 ** 20,
  body: component('SftJobCreate', {
    model_id: modelId,
    training_data_url: maybe(z.string().min(1)).describe(
      'data:…, https://…, artifact:///entity/project/file:digest, or a ref of a dataset: JSON lines of {messages, tools?}; for dpo of {prompt, chosen, rejected, tools?}',
    ),
    training_data: TrainingDataSource.nullish(),
    config: maybe(SftConfig),
  }),
  answer: TrainingJob,
})

export const listJobs = route({
  ...read,
  id: 'list_training_jobs',
  path: '/v1/preview/training-jobs',
  summary: 'List the jobs of all models that this key may read',
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
  ...read,
  id: 'get_training_job',
  path: '/v1/preview/training-jobs/{training_job_id}',
  summary: 'Read the state of a job',
  params: z.object(jobInPath),
  answer: TrainingJob,
})

export const cancelJob = route({
  ...write,
  id: 'cancel_training_job',
  audit: { category: 'training', names: ['params.training_job_id'] },
  path: '/v1/preview/training-jobs/{training_job_id}/cancel',
  summary: 'Cancel a job; finished jobs stay unchanged',
  params: z.object(jobInPath),
  answer: TrainingJob,
})

export const resumeJob = route({
  ...write,
  id: 'resume_training_job',
  audit: { category: 'training', names: ['params.training_job_id'] },
  path: '/v1/preview/training-jobs/{training_job_id}/resume',
  summary: 'Train a paused job after all; other jobs stay unchanged',
  params: z.object(jobInPath),
  answer: TrainingJob,
})

export const listJobSamples = route({
  ...read,
  id: 'get_training_job_samples',
  path: '/v1/preview/training-jobs/{training_job_id}/samples',
  summary:
    'List what a job is trained on: trajectory groups (RL), conversations (SFT), pairs of answers (DPO) or judged answers (KTO), in order',
  params: z.object(jobInPath),
  query: z.object(pageQuery),
  answer: pageOf(
    component('TrainingJobSample', {
      id: z.string(),
      bytes: z.int(),
      sample: z
        .record(z.string(), z.unknown())
        .nullable()
        .describe('as it was sent; null if it has more than 1 MiB'),
    }),
    'TrainingJobSamplePage',
  ),
})

export const listEvents = route({
  ...read,
  id: 'get_training_job_events',
  path: '/v1/preview/training-jobs/{training_job_id}/events',
  summary: 'List the events of a job, in order',
  params: z.object(jobInPath),
  query: z.object(pageQuery),
  answer: pageOf(
    component('TrainingJobEvent', {
      id: z.string(),
      type: z
        .enum([
          ...['training_started', 'gradient_step', 'training_ended', 'training_failed'],
          ...['group_rewarded', 'group_refused', 'held_out_check', 'training_paused', 'training_resumed'],
        ] as const)
        .describe('the last five: only of jobs that name a reward or a check, before the others'),
      data: z.record(z.string(), z.unknown()),
      created_at: timeOut,
    }),
    'TrainingJobEventPage',
  ),
})

export const listJobLogs = route({
  ...read,
  id: 'get_training_job_logs',
  path: '/v1/preview/training-jobs/{training_job_id}/logs',
  summary: 'List the log of a job: attempts, waits, errors',
  params: z.object(jobInPath),
  query: z.object(pageQuery),
  answer: pageOf(
    component('TrainingJobLog', {
      id: z.string(),
      created_at: timeOut,
      attempt: z.int(),
      level: z.enum(['info', 'warn', 'error']),
      message: z.string(),
    }),
    'TrainingJobLogPage',
  ),
})

export const jobMetrics = route({
  ...read,
  id: 'get_training_job_metrics',
  path: '/v1/preview/training-jobs/{training_job_id}/metrics',
  summary: 'Read the metrics of every gradient step, as JSON or CSV',
  params: z.object(jobInPath),
  query: z.object({
    format: z.enum(['json', 'csv']).default('json'),
    after: z.coerce.number().int().min(0).default(0).describe('only steps after this one'),
  }),
  answer: component('TrainingJobMetricsList', {
    object: z.literal('list'),
    data: z.array(
      component('TrainingJobMetrics', { step: z.int(), created_at: timeOut, metrics: metricsOut }),
    ),
  }),
  producesToo: ['text/csv'],
})

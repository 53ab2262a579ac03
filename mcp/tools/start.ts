/** Tools that start evaluations and training, and show how training goes. */
import { z } from 'zod'
import { evaluateModel } from '../../contract/evaluation-server.js'
import {
  createRlJob,
  createSftJob,
  getJob,
  jobMetrics,
  listJobLogs,
  listJobs,
} from '../../contract/training-jobs.js'
import { METHODS } from '../../contract/training-methods.js'
import { createModel } from '../../contract/training-models.js'
import { errors } from '../../platform/errors/catalog.js'
import { cursorIn, cursorOf, cursorOut, lean, maxTokens, pageOf, placeOf } from '../budget.js'
import { name, project, tool } from '../tool.js'
import { queryOf, where } from './calls.js'
import { refNamed } from './objects.js'

export const startEvaluation = tool({
  name: 'start_evaluation',
  title: 'Start an evaluation',
  description:
    'Let the server run an evaluation of a model. Returns at once; compare_evaluations shows status and scores.',
  effect: 'starts',
  input: z.object({
    project,
    evaluation: name.describe('name or ref; read_objects lists them'),
    model: name.describe('name or ref of an LLMStructuredCompletionModel'),
  }),
  output: z.object({ run_id: z.string() }),
  run: async ({ project: project_id, evaluation, model }, api) => {
    const [evaluation_ref, model_ref] = await Promise.all([
      refNamed(api, project_id, evaluation),
      refNamed(api, project_id, model),
    ])
    const { call_id } = await api.call(evaluateModel, { body: { project_id, evaluation_ref, model_ref } })
    return { run_id: call_id }
  },
})

const Job = z.object({
  job_id: z.string(),
  model: z.string(),
  kind: z.string(),
  status: z.string(),
  steps_done: z.int(),
  steps_total: z.int().optional(),
  created_at: z.string(),
  error: z.string().optional(),
})

const shownJob = (job: z.output<typeof getJob.answer>) => ({
  job_id: job.id,
  model: `${job.entity}/${job.project}/${job.model_name}`,
  kind: job.kind,
  status: job.status,
  steps_done: job.steps_done,
  created_at: job.created_at,
  ...lean({
    steps_total: job.steps_total,
    error: job.error_code === null ? undefined : `${job.error_code}: ${job.error_message}`,
  }),
})

const text = z.string().min(1).max(10_000)

export const startTraining = tool({
  name: 'start_training',
  title: 'Start training',
  description:
    'Train a model on a dataset, or on calls that match where: sft learns the answers, dpo which of two is better, kto which are good and bad, rl from rewards. The data is checked first. read_training shows the curves.',
  effect: 'starts',
  input: z.object({
    project,
    model: name.max(128).describe('name of the model to train; created if it does not exist'),
    base_model: name.describe('what it is based on'),
    method: z.enum([...METHODS, 'rl']).default('sft'),
    dataset: name.optional().describe('name or ref'),
    where,
    prompt: text.optional().describe('template of the prompt, if rows have no messages: {inputs.question}'),
    completion: text.optional().describe('template of the answer: {output}'),
    rejected: text.optional().describe('for dpo: template of the worse answer'),
    reward: name.optional().describe('for rl: name or ref of the Rubric or scorer that rewards the answers'),
    reward_path: name
      .optional()
      .describe('for rl and kto: path to the reward in a row; with reward: to the number in what it says'),
    check: name
      .optional()
      .describe(
        'with reward: dataset to watch the model by, never trained on; pauses the job if it gets worse',
      ),
    epochs: z.int().min(1).max(1000).optional(),
    learning_rate: z.number().gt(0).max(1).optional(),
  }),
  output: Job,
  run: async (asked, api) => {
    const { project: project_id, model, base_model, method, dataset, prompt, completion, rejected } = asked
    const [entity = '', projectName = ''] = project_id.split('/')
    if ((dataset === undefined) === (asked.where === undefined))
      throw errors.badRequest('Give dataset or where, one of both.')
    if ((prompt === undefined) !== (completion === undefined))
      throw errors.badRequest('Give prompt and completion, or neither.')
    if (asked.reward !== undefined && method !== 'rl')
      throw errors.badRequest('A reward is for the method rl: set method, or leave the reward out.')
    if (asked.check !== undefined && asked.reward === undefined)
      throw errors.badRequest('A check is scored by the reward: give reward, too.')
    const training_data = {
      ...(dataset === undefined
        ? { calls: { project_id, query: queryOf(asked.where) ?? null } }
        : { dataset: await refNamed(api, project_id, dataset) }),
      ...(prompt !== undefined && completion !== undefined && { template: { prompt, completion, rejected } }),
      ...(asked.reward_path !== undefined &&
        asked.reward === undefined && { reward: { from: 'column' as const, path: asked.reward_path } }),
    }
    const refOrNone = (given: string | undefined) => given && refNamed(api, project_id, given)
    const [scorer, held] = await Promise.all([refOrNone(asked.reward), refOrNone(asked.check)])
    const { id: model_id } = await api.call(createModel, {
      body: { entity, project: projectName, name: model, base_model, return_existing: true },
    })
    const { epochs, learning_rate } = asked
    if (method === 'rl') {
      const experimental_config = lean({ learning_rate })
      const guidance = {
        ...(scorer && { reward: { scorer, path: asked.reward_path ?? null } }),
        ...(held && { check: { dataset: held } }),
      }
      const body = { model_id, training_data, experimental_config, ...guidance }
      return shownJob(await api.call(createRlJob, { body }))
    }
    const config = { method, ...lean({ epochs, learning_rate }) }
    return shownJob(await api.call(createSftJob, { body: { model_id, training_data, config } }))
  },
})

const Place = z.string().max(200)
const LOG_LINES = 20

export const readTraining = tool({
  name: 'read_training',
  title: 'Read training',
  description:
    'Training jobs of a project, the newest first. With job_id: its state, the metrics of its steps (loss, reward…) and the last lines of its log.',
  effect: 'reads',
  input: z.object({
    project,
    job_id: name.optional(),
    every: z.int().min(1).default(1).describe('only each so many-th step, for long jobs'),
    cursor: cursorIn,
    max_tokens: maxTokens,
  }),
  output: z.object({
    jobs: z.array(Job),
    steps: z.array(z.object({ step: z.int(), metrics: z.record(z.string(), z.number()) })).optional(),
    log: z.array(z.object({ created_at: z.string(), level: z.string(), message: z.string() })).optional(),
    next_cursor: cursorOut,
  }),
  run: async ({ project: project_id, job_id, every, cursor, max_tokens }, api) => {
    const after = cursor === undefined ? undefined : placeOf(Place, cursor)
    if (job_id === undefined) {
      const [entity = '', projectName = ''] = project_id.split('/')
      const { data, has_more } = await api.call(listJobs, {
        query: { entity, project: projectName, limit: 50, ...(after !== undefined && { after }) },
      })
      const { page, next_cursor } = pageOf(data.map(shownJob), 0, max_tokens, has_more)
      return { jobs: page, ...(next_cursor !== undefined && { next_cursor: cursorOf(page.at(-1)!.job_id) }) }
    }
    const params = { training_job_id: job_id }
    const [job, metrics, logs] = await Promise.all([
      api.call(getJob, { params }),
      api.call(jobMetrics, { params, query: { after: Number(after ?? 0) } }),
      api.call(listJobLogs, { params, query: { limit: 100 } }),
    ])
    const steps = metrics.data
      .filter(({ step }, i) => i === 0 || step % every === 0)
      .map(({ step, metrics: values }) => ({ step, metrics: values }))
    const { page, next_cursor } = pageOf(steps, 0, max_tokens)
    const log = logs.data
      .slice(-LOG_LINES)
      .map(({ created_at, level, message }) => ({ created_at, level, message: message.slice(0, 500) }))
    return {
      jobs: [shownJob(job)],
      steps: page,
      ...(after === undefined && { log }),
      ...(next_cursor !== undefined && { next_cursor: cursorOf(String(page.at(-1)!.step)) }),
    }
  },
})

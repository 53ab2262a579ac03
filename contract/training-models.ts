import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component } from './shared.js'
import { metricsOut, modelInPath, orderQuery, pageOf, pageQuery } from './training-shared.js'
import { ModelLogBody } from './trajectories.js'

const tag = 'models'
const write = { method: 'POST', tag, access: 'write', project: 'handler' } as const
const read = { method: 'GET', tag, access: 'read', project: 'handler' } as const

/** Valid in a path, and in an artifact's name before a version. */
const name = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^/:\s\p{Cc}\p{Cs}]+$/u, 'Should be a name without slash, colon or white space')

const TrainableModel = component('Model', {
  id: z.string(),
  entity: z.string(),
  project: z.string(),
  name: z.string(),
  base_model: z.string(),
  run_id: z.string().nullable(),
})

export const createModel = route({
  ...write,
  id: 'create_model',
  audit: { category: 'training', names: ['body.name', 'body.base_model'] },
  path: '/v1/preview/models',
  summary: 'Register a model for training; return_existing returns an existing one of that name',
  body: component('ModelCreate', {
    entity: name.nullish().describe("default: the key's"),
    project: name.nullish().describe('default: `default`'),
    name: name.nullish().describe('default: generated'),
    base_model: z.string().min(1).max(512),
    return_existing: z.boolean().nullable().default(false),
  }),
  answer: TrainableModel,
})

export const listTrainableModels = route({
  ...read,
  id: 'list_trained_models',
  path: '/v1/preview/models',
  summary: 'List the models that this key may read, oldest first',
  query: z.object({ entity: name.optional(), project: name.optional(), ...pageQuery }),
  answer: pageOf(TrainableModel, 'ModelPage'),
})

export const getModel = route({
  ...read,
  id: 'get_model',
  path: '/v1/preview/models/{model_id}',
  summary: 'Read a model',
  params: z.object(modelInPath),
  answer: TrainableModel,
})

export const deleteModel = route({
  ...write,
  id: 'delete_model',
  audit: { category: 'deletion', names: ['params.model_id'] },
  method: 'DELETE',
  path: '/v1/preview/models/{model_id}',
  summary: 'Delete a model and its checkpoints, and stop its jobs',
  params: z.object(modelInPath),
  answer: z.null(),
})

const Checkpoint = component('Checkpoint', {
  id: z.string(),
  step: z.int().describe('from 1; 0 is the base model and is never listed'),
  metrics: metricsOut,
})

export const listCheckpoints = route({
  ...read,
  id: 'list_model_checkpoints',
  path: '/v1/preview/models/{model_id}/checkpoints',
  summary: 'List the checkpoints of a model by step',
  params: z.object(modelInPath),
  query: z.object({ ...pageQuery, order: orderQuery('asc') }),
  answer: pageOf(Checkpoint, 'CheckpointPage'),
})

export const deleteCheckpoints = route({
  ...write,
  id: 'delete_model_checkpoints',
  audit: { category: 'deletion', names: ['params.model_id', 'body.steps'] },
  method: 'DELETE',
  path: '/v1/preview/models/{model_id}/checkpoints',
  summary: 'Delete checkpoints by step',
  params: z.object(modelInPath),
  body: component('CheckpointsDelete', { steps: z.array(z.int()).max(10_000) }),
  answer: component('CheckpointsDeleteResult', { deleted_count: z.int(), not_found_steps: z.array(z.int()) }),
})

export const downloadCheckpoint = route({
  ...read,
  id: 'download_checkpoint',
  audit: { category: 'export', names: ['params.model_id', 'params.step'] },
  path: '/v1/preview/models/{model_id}/checkpoints/{step}/download',
  summary: 'Download a checkpoint: a PEFT folder as a tar archive; the step is a number, or `latest`',
  params: z.object({
    ...modelInPath,
    step: z.string().regex(/^(latest|\d{1,9})$/, 'Should be a whole number, or latest'),
  }),
  answer: z.string().meta({ contentMediaType: 'application/x-tar' }),
  produces: 'application/x-tar',
})

export const logTrajectories = route({
  ...write,
  id: 'log',
  path: '/v1/preview/models/{model_id}/log',
  summary: 'Store trajectory groups without training on them',
  params: z.object(modelInPath),
  streamed: true,
  body: ModelLogBody,
  answer: z.null(),
})

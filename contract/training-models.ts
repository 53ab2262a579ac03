/** Declarations of the routes about models that are trained, and their checkpoints. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { metricsOut, modelInPath, orderQuery, pageOf, pageQuery } from './training-shared.js'
import { ModelLogBody } from './trajectories.js'

const tag = 'models'

/** Fits a path, an artifact's name and a version behind it. */
const name = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^/:\s\p{Cc}\p{Cs}]+$/u, 'Should be a name without slash, colon or white space')

const TrainableModel = z
  .object({
    id: z.string(),
    entity: z.string(),
    project: z.string(),
    name: z.string(),
    base_model: z.string(),
    run_id: z.string().nullable(),
  })
  .meta({ id: 'Model' })

export const createModel = route({
  id: 'create_model',
  method: 'POST',
  path: '/v1/preview/models',
  tag,
  summary: 'Register a model to be trained; with return_existing, or find the one of that name',
  access: 'write',
  project: 'handler',
  body: z
    .object({
      entity: name.nullish().meta({ description: "default: the key's own" }),
      project: name.nullish().meta({ description: 'default: `default`' }),
      name: name.nullish().meta({ description: 'default: one is made up' }),
      base_model: z.string().min(1).max(512),
      return_existing: z.boolean().nullable().default(false),
    })
    .meta({ id: 'ModelCreate' }),
  answer: TrainableModel,
})

export const listTrainableModels = route({
  id: 'list_trained_models',
  method: 'GET',
  path: '/v1/preview/models',
  tag,
  summary: 'List the models that this key may read, the oldest first',
  access: 'read',
  project: 'handler',
  query: z.object({ entity: name.optional(), project: name.optional(), ...pageQuery }),
  answer: pageOf(TrainableModel, 'ModelPage'),
})

export const getModel = route({
  id: 'get_model',
  method: 'GET',
  path: '/v1/preview/models/{model_id}',
  tag,
  summary: 'Read a model',
  access: 'read',
  project: 'handler',
  params: z.object(modelInPath),
  answer: TrainableModel,
})

export const deleteModel = route({
  id: 'delete_model',
  method: 'DELETE',
  path: '/v1/preview/models/{model_id}',
  tag,
  summary: 'Delete a model and its checkpoints; its jobs end',
  access: 'write',
  project: 'handler',
  params: z.object(modelInPath),
  answer: z.null(),
})

const Checkpoint = z
  .object({
    id: z.string(),
    step: z.int().meta({ description: 'from 1; 0 is the base model and never listed' }),
    metrics: metricsOut,
  })
  .meta({ id: 'Checkpoint' })

export const listCheckpoints = route({
  id: 'list_model_checkpoints',
  method: 'GET',
  path: '/v1/preview/models/{model_id}/checkpoints',
  tag,
  summary: 'List the checkpoints of a model by step',
  access: 'read',
  project: 'handler',
  params: z.object(modelInPath),
  query: z.object({ ...pageQuery, order: orderQuery('asc') }),
  answer: pageOf(Checkpoint, 'CheckpointPage'),
})

export const deleteCheckpoints = route({
  id: 'delete_model_checkpoints',
  method: 'DELETE',
  path: '/v1/preview/models/{model_id}/checkpoints',
  tag,
  summary: 'Delete checkpoints by their steps',
  access: 'write',
  project: 'handler',
  params: z.object(modelInPath),
  body: z.object({ steps: z.array(z.int()).max(10_000) }).meta({ id: 'CheckpointsDelete' }),
  answer: z
    .object({ deleted_count: z.int(), not_found_steps: z.array(z.int()) })
    .meta({ id: 'CheckpointsDeleteResult' }),
})

export const downloadCheckpoint = route({
  id: 'download_checkpoint',
  method: 'GET',
  path: '/v1/preview/models/{model_id}/checkpoints/{step}/download',
  tag,
  summary: 'Download a checkpoint: a PEFT folder as a tar archive; the step is a number, or `latest`',
  access: 'read',
  project: 'handler',
  params: z.object({
    ...modelInPath,
    step: z.string().regex(/^(latest|\d{1,9})$/, 'Should be a whole number, or latest'),
  }),
  answer: z.string().meta({ contentMediaType: 'application/x-tar' }),
  produces: 'application/x-tar',
})

export const logTrajectories = route({
  id: 'log',
  method: 'POST',
  path: '/v1/preview/models/{model_id}/log',
  tag,
  summary: 'Store trajectory groups without training on them',
  access: 'write',
  project: 'handler',
  params: z.object(modelInPath),
  streamed: true,
  body: ModelLogBody,
  answer: z.null(),
})

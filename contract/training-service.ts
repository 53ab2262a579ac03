/** The small routes of the training interface: available models, health, and a check of every part. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component } from './shared.js'

const open = { method: 'GET', access: 'read', project: 'none' } as const

const servedModel = component('ServedModel', {
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
  max_model_len: z.int().nullable(),
})

export const listModels = route({
  ...open,
  id: 'list_models',
  path: '/v1/models',
  tag: 'models',
  summary: 'List the base models that are available now',
  answer: component('ServedModelList', {
    object: z.literal('list'),
    data: z.array(servedModel),
  }),
})

export const getServedModel = route({
  ...open,
  id: 'get_served_model',
  path: '/v1/models/{model}',
  tag: 'models',
  summary:
    'Read a model by the name that chat completions take: a base model, or a trained one and its checkpoints',
  params: z.object({
    model: z
      .string()
      .describe(
        'percent-encoded; `artifact:///entity/project/name`, `artifact:///entity/project/name:step5`, an id',
      ),
  }),
  answer: servedModel,
})

export const healthCheck = route({
  ...open,
  id: 'health_check',
  path: '/v1/health',
  tag: 'health',
  summary: 'Check that this process responds',
  answer: component('Health', { status: z.literal('ok') }),
})

const check = z.object({ status: z.enum(['ok', 'degraded', 'down']), detail: z.string().nullable() })

export const systemCheck = route({
  ...open,
  id: 'system_check',
  path: '/v1/system-check',
  tag: 'health',
  summary: 'Check the store, Redis, queues, workers and nodes by using them',
  answer: component('SystemCheck', {
    status: z.enum(['ok', 'degraded']),
    checks: z.record(z.string(), check),
  }),
})

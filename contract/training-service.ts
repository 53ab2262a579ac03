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
  capabilities: z
    .object({ chat: z.boolean(), embeddings: z.boolean(), images: z.boolean() })
    .describe('what requests may ask of it'),
  embedding_dimensions: z.int().optional().describe('of an embedding model'),
})

const messagesModel = component('MessagesModel', {
  type: z.literal('model'),
  id: z.string(),
  display_name: z.string(),
  created_at: z.string().meta({ format: 'date-time' }),
  max_input_tokens: z.int().nullable(),
  max_tokens: z.int().nullable(),
})

/** Sent by clients of the Messages interface. */
const headers = z.object({
  'anthropic-version': z
    .string()
    .optional()
    .describe('if sent, the answer has the form that Anthropic’s SDKs expect'),
})

export const listModels = route({
  ...open,
  id: 'list_models',
  path: '/v1/models',
  tag: 'models',
  summary: 'List the base models that are available now',
  headers,
  answer: z.union([
    component('ServedModelList', { object: z.literal('list'), data: z.array(servedModel) }),
    component('MessagesModelList', {
      data: z.array(messagesModel),
      has_more: z.literal(false),
      first_id: z.string().nullable(),
      last_id: z.string().nullable(),
    }),
  ]),
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
  headers,
  answer: z.union([servedModel, messagesModel]),
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

/** The small routes of the training interface: the models that can be called, health, and a look at every part. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'

const open = { method: 'GET', access: 'read', project: 'none' } as const

export const listModels = route({
  ...open,
  id: 'list_models',
  path: '/v1/models',
  tag: 'models',
  summary: 'List the base models that can be called now',
  answer: z
    .object({
      object: z.literal('list'),
      data: z.array(
        z
          .object({
            id: z.string(),
            object: z.literal('model'),
            created: z.int(),
            owned_by: z.string(),
            max_model_len: z.int().nullable(),
          })
          .meta({ id: 'ServedModel' }),
      ),
    })
    .meta({ id: 'ServedModelList' }),
})

export const healthCheck = route({
  ...open,
  id: 'health_check',
  path: '/v1/health',
  tag: 'health',
  summary: 'Check that this process answers',
  answer: z.object({ status: z.literal('ok') }).meta({ id: 'Health' }),
})

const check = z.object({ status: z.enum(['ok', 'degraded', 'down']), detail: z.string().nullable() })

export const systemCheck = route({
  ...open,
  id: 'system_check',
  path: '/v1/system-check',
  tag: 'health',
  summary: 'Check the store, Redis, the queues, the workers and the nodes by using them',
  answer: z
    .object({ status: z.enum(['ok', 'degraded']), checks: z.record(z.string(), check) })
    .meta({ id: 'SystemCheck' }),
})

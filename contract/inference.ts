/** Declarations of the listings of models and hardware: what the model nodes that are up say of themselves. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'

const common = { method: 'GET', tag: 'Inference', access: 'read', project: 'none' } as const
const listOf = <S extends z.ZodType>(id: string, item: S) =>
  z.object({ object: z.literal('list'), data: z.array(item) }).meta({ id })

export const routerModels = route({
  ...common,
  id: 'router_model_listing',
  path: '/inference/router/aggregator/models',
  summary: 'List the models that can be called now',
  answer: listOf(
    'RouterModelList',
    z
      .object({
        id: z.string(),
        object: z.literal('model'),
        created: z.int().meta({ description: 'Unix seconds when the first of its nodes came up' }),
        owned_by: z.string(),
        context_length: z.int().nullable(),
        adapters: z.boolean().meta({ description: 'whether fine-tuned adapters of it can be called' }),
        nodes: z.int().meta({ description: 'how many nodes serve it' }),
      })
      .meta({ id: 'RouterModel' }),
  ),
})

export const hardware = route({
  ...common,
  id: 'hardware_listing',
  path: '/inference/vendor/v2/hardware',
  summary: 'List the hardware of the model nodes that are up',
  answer: listOf(
    'HardwareList',
    z
      .object({
        id: z.string().meta({ description: 'accelerator and how many a node has' }),
        object: z.literal('hardware'),
        accelerator: z.string(),
        count: z.int().meta({ description: 'accelerators a node' }),
        memory_bytes: z.int().meta({ description: 'of all accelerators of a node' }),
        nodes: z.int(),
      })
      .meta({ id: 'Hardware' }),
  ),
})

export const analyzerModels = route({
  ...common,
  id: 'model_analysis_listing',
  path: '/inference/analysis/analyzer/models',
  summary: 'List how the models that are up do at the moment',
  answer: listOf(
    'ModelAnalysisList',
    z
      .object({
        id: z.string(),
        object: z.literal('model.analysis'),
        nodes: z.int(),
        requests_running: z.int(),
        tokens_per_second: z.number().nullable().meta({ description: 'over all its nodes, last minute' }),
        time_to_first_token_ms: z
          .number()
          .nullable()
          .meta({ description: 'mean over its nodes, last minute' }),
      })
      .meta({ id: 'ModelAnalysis' }),
  ),
})

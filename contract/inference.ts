import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { component } from './shared.js'

const common = { method: 'GET', tag: 'Inference', access: 'read', project: 'none' } as const
const listOf = <S extends z.ZodType>(id: string, item: S) =>
  component(id, { object: z.literal('list'), data: z.array(item) })

export const routerModels = route({
  ...common,
  id: 'router_model_listing',
  path: '/inference/router/aggregator/models',
  summary: 'List the models that chat and are available now',
  answer: listOf(
    'RouterModelList',
    component('RouterModel', {
      id: z.string(),
      object: z.literal('model'),
      created: z.int().describe('Unix seconds of the start of its first node'),
      owned_by: z.string(),
      context_length: z.int().nullable(),
      adapters: z.boolean().describe('whether fine-tuned adapters of it are supported'),
      nodes: z.int().describe('number of nodes that serve it'),
    }),
  ),
})

export const hardware = route({
  ...common,
  id: 'hardware_listing',
  path: '/inference/vendor/v2/hardware',
  summary: 'List the hardware of the model nodes that are up',
  answer: listOf(
    'HardwareList',
    component('Hardware', {
      id: z.string().describe('accelerator and its number per node'),
      object: z.literal('hardware'),
      accelerator: z.string(),
      count: z.int().describe('accelerators per node'),
      memory_bytes: z.int().describe('of all accelerators of a node'),
      nodes: z.int(),
    }),
  ),
})

export const analyzerModels = route({
  ...common,
  id: 'model_analysis_listing',
  path: '/inference/analysis/analyzer/models',
  summary: 'List the current load of the running models',
  answer: listOf(
    'ModelAnalysisList',
    component('ModelAnalysis', {
      id: z.string(),
      object: z.literal('model.analysis'),
      nodes: z.int(),
      requests_running: z.int(),
      tokens_per_second: z.number().nullable().describe('over all its nodes, in the last minute'),
      time_to_first_token_ms: z.number().nullable().describe('mean over its nodes, in the last minute'),
    }),
  ),
})

import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { LangfusePage, langfuseRead, langfuseWrite, numberedPage } from './langfuse-shared.js'
import { component, longText, maybe, shortText, timeOut } from './shared.js'

const name = z
  .string()
  .min(1)
  .max(35)
  .regex(/^[\p{L}\p{N}_ .()-]+$/u, 'Should be letters, digits, _, spaces, dots, brackets and hyphens')
const Category = z.object({ value: z.number(), label: shortText.min(1).max(500) })
const categories = maybe(z.array(Category).max(1000))
const range = { minValue: maybe(z.number()), maxValue: maybe(z.number()) }
const DataType = z.enum(['NUMERIC', 'BOOLEAN', 'CATEGORICAL', 'TEXT'])

const Config = component('LangfuseScoreConfig', {
  id: z.string().describe('the object id of an annotation spec'),
  name: z.string(),
  projectId: z.string(),
  dataType: DataType,
  isArchived: z.boolean(),
  minValue: z.number().nullable(),
  maxValue: z.number().nullable(),
  categories: z.array(Category).nullable(),
  description: z.string().nullable(),
  createdAt: timeOut,
  updatedAt: timeOut,
})

export const langfuseScoreConfigCreate = route({
  ...langfuseWrite,
  id: 'langfuse_score_config_create',
  audit: { category: 'settings', names: ['body.name'] },
  path: '/api/public/score-configs',
  summary: 'Create a score config, which annotation queues can ask as well',
  body: component('LangfuseScoreConfigCreate', {
    name,
    dataType: DataType,
    categories: categories.describe('of CATEGORICAL scores'),
    ...range,
    description: maybe(longText),
  }),
  answer: Config,
})

export const langfuseScoreConfigs = route({
  ...langfuseRead,
  id: 'langfuse_score_configs',
  path: '/api/public/score-configs',
  summary: 'List the score configs of the project, the newest first',
  query: z.object(numberedPage),
  answer: component('LangfuseScoreConfigs', { data: z.array(Config), meta: LangfusePage }),
})

const oneConfig = {
  path: '/api/public/score-configs/{config_id}',
  params: z.object({ config_id: shortText.min(1) }),
} as const

export const langfuseScoreConfig = route({
  ...langfuseRead,
  ...oneConfig,
  id: 'langfuse_score_config',
  summary: 'Read a score config',
  answer: Config,
})

export const langfuseScoreConfigUpdate = route({
  ...langfuseWrite,
  ...oneConfig,
  method: 'PATCH',
  id: 'langfuse_score_config_update',
  audit: { category: 'settings', names: ['params.config_id'] },
  summary: 'Change a score config; scores that it has keep their values',
  body: component('LangfuseScoreConfigUpdate', {
    name: maybe(name),
    isArchived: maybe(z.boolean()),
    categories,
    ...range,
    description: maybe(longText),
  }),
  answer: Config,
})

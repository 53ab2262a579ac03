import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { isStorableTime, microsOf } from '../platform/time/micros.js'
import { SortBy } from './calls-read.js'
import { Query } from './query-expr.js'
import {
  component,
  orNull,
  page,
  projectId,
  readInBody,
  shortText,
  timeOut,
  userIdIn,
  writeInBody,
} from './shared.js'

const tag = 'Costs'
const write = { ...writeInBody, tag } as const

/** Per token. Covers every real price, and keeps sums within JSON's numbers. */
const price = z.number().min(0).max(1_000_000)
const unit = z.string().min(1).max(32).nullable().default('USD')

function isEffectiveTime(text: string): boolean {
  const micros = microsOf(text)
  return micros === 0 || isStorableTime(micros)
}

const CostCreateInput = component('CostCreateInput', {
  prompt_token_cost: price,
  completion_token_cost: price,
  cache_read_input_token_cost: price.default(0),
  cache_creation_input_token_cost: price.default(0),
  prompt_token_cost_unit: unit,
  completion_token_cost_unit: unit,
  effective_date: orNull(
    z.string().refine(isEffectiveTime, 'Should be a time in ISO 8601, from 1970 to 2254'),
  ).meta({ format: 'date-time', description: 'default: now' }),
  provider_id: orNull(z.string().max(256)).describe('default: "default"'),
})
export type CostCreateInput = z.output<typeof CostCreateInput>

export const costCreate = route({
  ...write,
  id: 'cost_create',
  audit: { category: 'settings', names: ['body.costs'] },
  path: '/cost/create',
  summary: 'Set prices of models for a project, per token',
  body: component('CostCreateReq', {
    project_id: projectId,
    costs: z.record(z.string().min(1).max(512), CostCreateInput).describe("by the model's name in usage"),
    platform_user_id: userIdIn,
  }),
  answer: component('CostCreateRes', {
    ids: z.array(z.tuple([z.string(), z.string()])).describe('price ids and their models'),
  }),
})

const text = z.string().nullable()
const amount = z.number().nullable()

const CostQueryOutput = component('CostQueryOutput', {
  id: text,
  llm_id: text,
  prompt_token_cost: amount,
  completion_token_cost: amount,
  cache_read_input_token_cost: amount,
  cache_creation_input_token_cost: amount,
  prompt_token_cost_unit: text,
  completion_token_cost_unit: text,
  effective_date: timeOut.nullable(),
  provider_id: text,
})
export type CostQueryOutput = z.output<typeof CostQueryOutput>

const CostQueryReq = component('CostQueryReq', {
  project_id: projectId,
  fields: orNull(z.array(shortText)).describe('other fields are null; default: all'),
  query: orNull(Query),
  sort_by: orNull(z.array(SortBy).max(20)).describe('default: in the order of creation'),
  ...page,
})
export type CostQueryReq = z.output<typeof CostQueryReq>

export const costQuery = route({
  ...readInBody,
  id: 'cost_query',
  path: '/cost/query',
  tag,
  summary: "List a project's own prices",
  body: CostQueryReq,
  answer: component('CostQueryRes', { results: z.array(CostQueryOutput) }),
})

export const costPurge = route({
  ...write,
  id: 'cost_purge',
  audit: { category: 'settings' },
  path: '/cost/purge',
  summary: 'Delete prices of a project by id; the query may use $eq, $in and $or of id',
  body: component('CostPurgeReq', { project_id: projectId, query: Query }),
  answer: component('CostPurgeRes', {}),
})

export const costDefaults = route({
  ...readInBody,
  id: 'cost_defaults',
  path: '/cost/defaults',
  tag,
  summary: 'Say of when the default prices are, which calls cost whose model has no price in the project',
  body: component('CostDefaultsReq', { project_id: projectId }),
  answer: component('CostDefaultsRes', {
    as_of: z.iso.date().nullable().describe('the day of the newest list; null if none was loaded'),
    models: z.number().int().describe('models that have a default price'),
    is_old: z.boolean().describe('whether the list is older than 120 days'),
  }),
})

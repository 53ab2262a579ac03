/** Declarations of the routes about prices of models. */
import { z } from 'zod'
import { route } from '../platform/http/route.js'
import { isStorableTime, microsOf } from '../platform/time/micros.js'
import { SortBy } from './calls-read.js'
import { Query } from './query-expr.js'
import { page, projectId, timeOut, userIdIn } from './shared.js'

const tag = 'Costs'

/** Per token. Nothing that a token can cost lies outside, and sums stay numbers that JSON has. */
const price = z.number().min(0).max(1_000_000)
const unit = z.string().min(1).max(32).nullable().default('USD')

function isEffectiveTime(text: string): boolean {
  const micros = microsOf(text)
  return micros === 0 || isStorableTime(micros)
}

const CostCreateInput = z
  .object({
    prompt_token_cost: price,
    completion_token_cost: price,
    cache_read_input_token_cost: price.default(0),
    cache_creation_input_token_cost: price.default(0),
    prompt_token_cost_unit: unit,
    completion_token_cost_unit: unit,
    effective_date: z
      .string()
      .refine(isEffectiveTime, 'Should be a time in ISO 8601, from 1970 to 2254')
      .nullable()
      .default(null)
      .meta({ format: 'date-time', description: 'default: now' }),
    provider_id: z.string().max(256).nullable().default(null).meta({ description: 'default: "default"' }),
  })
  .meta({ id: 'CostCreateInput' })
export type CostCreateInput = z.output<typeof CostCreateInput>

export const costCreate = route({
  id: 'cost_create',
  method: 'POST',
  path: '/cost/create',
  tag,
  summary: 'Set prices of models for a project, per token',
  access: 'write',
  project: 'body',
  body: z
    .object({
      project_id: projectId,
      costs: z
        .record(z.string().min(1).max(512), CostCreateInput)
        .meta({ description: 'by the name that usage has for the model' }),
      platform_user_id: userIdIn,
    })
    .meta({ id: 'CostCreateReq' }),
  answer: z
    .object({
      ids: z
        .array(z.tuple([z.string(), z.string()]))
        .meta({ description: 'id of the price, then the model' }),
    })
    .meta({ id: 'CostCreateRes' }),
})

const text = z.string().nullable()
const amount = z.number().nullable()

const CostQueryOutput = z
  .object({
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
  .meta({ id: 'CostQueryOutput' })
export type CostQueryOutput = z.output<typeof CostQueryOutput>

const CostQueryReq = z
  .object({
    project_id: projectId,
    fields: z
      .array(z.string())
      .nullable()
      .default(null)
      .meta({ description: 'the others are null; default: all' }),
    query: Query.nullable().default(null),
    sort_by: z
      .array(SortBy)
      .max(20)
      .nullable()
      .default(null)
      .meta({ description: 'default: as they were made' }),
    ...page,
  })
  .meta({ id: 'CostQueryReq' })
export type CostQueryReq = z.output<typeof CostQueryReq>

export const costQuery = route({
  id: 'cost_query',
  method: 'POST',
  path: '/cost/query',
  tag,
  summary: "List a project's own prices",
  access: 'read',
  project: 'body',
  body: CostQueryReq,
  answer: z.object({ results: z.array(CostQueryOutput) }).meta({ id: 'CostQueryRes' }),
})

export const costPurge = route({
  id: 'cost_purge',
  method: 'POST',
  path: '/cost/purge',
  tag,
  summary: 'Delete prices of a project by their ids: $eq, $in and $or of id alone',
  access: 'write',
  project: 'body',
  body: z.object({ project_id: projectId, query: Query }).meta({ id: 'CostPurgeReq' }),
  answer: z.object({}).meta({ id: 'CostPurgeRes' }),
})

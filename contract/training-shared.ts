/** Schema parts of the training interface: pages of lists, and ids in paths. */
import { z } from 'zod'
import { component, timeOut } from './shared.js'

/** The start and length of a page. */
export const pageQuery = {
  after: z.string().max(200).optional().describe('the id of the last item of the previous page'),
  limit: z.coerce.number().int().min(1).max(100).default(20),
}

export const orderQuery = (fallback: 'asc' | 'desc') => z.enum(['asc', 'desc']).default(fallback)

/** A page of `item`s. @param id of the schema */
export function pageOf<T extends z.ZodType>(item: T, id: string) {
  return component(id, {
    object: z.literal('list'),
    data: z.array(item),
    has_more: z.boolean(),
    first_id: z.string().describe('empty if the page is'),
    last_id: z.string(),
  })
}

/** Ids in paths are looked up as they are, so an invalid one is simply not found. */
export const modelInPath = { model_id: z.string().min(1).max(200) }
export const jobInPath = { training_job_id: z.string().min(1).max(200) }

export const timeOrNull = timeOut.nullable()

export const metricsOut = z.record(z.string(), z.number()).meta({ id: 'Metrics' })

/** A condition of Langfuse's queries: a column, an operator of the column's type, and a value. */
import { z } from 'zod'

const text = z.string().max(10_000)

export const LangfuseFilter = z.object({
  column: z.string().min(1).max(100),
  operator: z.string().max(30),
  value: z.union([text, z.number(), z.boolean(), z.array(text).max(1000), z.null()]).optional(),
  type: z.string().max(30).optional(),
  key: z.string().max(1000).nullish(),
})
export type LangfuseFilter = z.output<typeof LangfuseFilter>

/** The most conditions of a query. */
export const MOST_FILTERS = 50
const Filters = z.array(LangfuseFilter).max(MOST_FILTERS)

/** Conditions in a query string, as JSON text. */
export const filterText = z
  .string()
  .max(100_000)
  .transform((given, context) => {
    try {
      return Filters.parse(JSON.parse(given))
    } catch {
      context.addIssue('Should be JSON: a list of {"column": …, "operator": …, "value": …, "type": …}')
      return z.NEVER
    }
  })
  .optional()
  .meta({
    type: 'string',
    description: 'JSON: a list of conditions, each with column, operator, value and type',
  })

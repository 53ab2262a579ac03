/** The fields of prices for filters, sorts and answers, as SQL over the table `costs`. Pure. */

import type { CostQueryOutput, CostQueryReq } from '../../contract/costs.js'
import type { Fields, PlainValue } from '../../domain/expr/value.js'
import { sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'

const OUTPUT: Record<keyof CostQueryOutput, PlainValue> = {
  id: { kind: 'text', sql: sql`id` },
  llm_id: { kind: 'text', sql: sql`llm_id` },
  prompt_token_cost: { kind: 'number', sql: sql`prompt` },
  completion_token_cost: { kind: 'number', sql: sql`completion` },
  cache_read_input_token_cost: { kind: 'number', sql: sql`cache_read` },
  cache_creation_input_token_cost: { kind: 'number', sql: sql`cache_creation` },
  prompt_token_cost_unit: { kind: 'text', sql: sql`prompt_unit` },
  completion_token_cost_unit: { kind: 'text', sql: sql`completion_unit` },
  effective_date: { kind: 'time', sql: sql`effective_date` },
  provider_id: { kind: 'text', sql: sql`provider_id` },
}

const KNOWN = new Map<string, PlainValue>([
  ...Object.entries(OUTPUT),
  ['created_at', { kind: 'time', sql: sql`created_at` }],
  ['created_by', { kind: 'text', sql: sql`created_by` }],
])

export const costFields: Fields = (name) => KNOWN.get(name)

/** `row` with null for fields that were not requested. @throws 422 for an unknown field */
export function selection(fields: CostQueryReq['fields']): (row: CostQueryOutput) => CostQueryOutput {
  if (fields === null || fields.length === 0) return (row) => row
  for (const name of fields) if (!Object.hasOwn(OUTPUT, name)) throw errors.badField(name.slice(0, 200))
  const left = Object.keys(OUTPUT).filter((name) => !fields.includes(name))
  const nulls = Object.fromEntries(left.map((name) => [name, null]))
  return (row) => ({ ...row, ...nulls })
}

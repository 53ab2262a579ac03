/**
 * The cost of an agent's span, by the price of the model that answered, else of the requested one: in SQL for sums and
 * sorts, and in TypeScript for the spans that are shown. A test checks that they agree. Pure.
 */
import type { SaidBySpan } from '../../domain/agents/span.js'
import { costParts, pricesOf } from '../../domain/costs/expression.js'
import { pricePlace } from '../../domain/costs/price-names.js'
import { type Prices, pricesOfModel } from '../../domain/costs/pricing.js'
import { type Sql, sql } from '../../platform/clickhouse/sql.js'

export interface SpanCosts {
  /** for WITH */
  prices: Sql
  input: Sql
  output: Sql
  cacheRead: Sql
  cacheCreation: Sql
  /** NULL if no price is known, like the others */
  total: Sql
}

/** The counts of a span's tokens. */
export const SPAN_TOKENS = {
  prompt: sql`input_tokens`,
  completion: sql`output_tokens`,
  cacheRead: sql`cache_read_input_tokens`,
  cacheCreation: sql`cache_creation_input_tokens`,
}

/** The model whose price a span costs. */
const BILLED_MODEL = sql`if(response_model != '', response_model, request_model)`

/** The project's price goes before the default one, the newest first. @param projectId internal id */
export function costsOf(projectId: string): SpanCosts {
  const best = sql`arrayMap(rows -> arraySort(row -> (row.level = 'default', -row.effective), rows)[1], mapValues(agent_prices))`
  const price = sql`(${best}[${pricePlace(sql`agent_prices`, BILLED_MODEL)}] AS agent_price)`
  // Named once in each cost: written out for each part, prices would be most of what a statement costs to plan.
  const cost = (value: Sql) => sql`if(${price}.id = '', NULL, ${value})`
  const parts = costParts(SPAN_TOKENS, sql`agent_price`)
  return {
    prices: sql`${pricesOf(projectId)} AS agent_prices`,
    input: cost(parts.prompt),
    output: cost(parts.completion),
    cacheRead: cost(parts.cacheRead),
    cacheCreation: cost(parts.cacheCreation),
    total: cost(sql`${parts.prompt} + ${parts.completion} + ${parts.cacheRead} + ${parts.cacheCreation}`),
  }
}

/** In dollars; null if no price is known. */
export interface CostRow {
  input_cost_usd: number | null
  output_cost_usd: number | null
  cache_read_cost_usd: number | null
  cache_creation_cost_usd: number | null
  total_cost_usd: number | null
}

export const NO_COSTS: CostRow = {
  input_cost_usd: null,
  output_cost_usd: null,
  cache_read_cost_usd: null,
  cache_creation_cost_usd: null,
  total_cost_usd: null,
}

/** The facts of a span that its cost depends on. */
type Billed = Pick<
  SaidBySpan,
  | 'response_model'
  | 'request_model'
  | 'input_tokens'
  | 'output_tokens'
  | 'cache_read_input_tokens'
  | 'cache_creation_input_tokens'
>

/** The cost of a span by `prices`. */
export function costsOfSpan(span: Billed, prices: Prices): CostRow {
  const model = span.response_model || span.request_model || ''
  const [price] = [...pricesOfModel(prices, model)].sort(
    (a, b) => Number(a.level === 'default') - Number(b.level === 'default') || b.effective - a.effective,
  )
  if (price === undefined) return NO_COSTS
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = span
  const [read, creation] = [cache_read_input_tokens ?? 0, cache_creation_input_tokens ?? 0]
  const input = Math.max(0, (input_tokens ?? 0) - read - creation) * price.prompt
  const output = (output_tokens ?? 0) * price.completion
  const [cacheRead, cacheCreation] = [read * price.cache_read, creation * price.cache_creation]
  return {
    input_cost_usd: input,
    output_cost_usd: output,
    cache_read_cost_usd: cacheRead,
    cache_creation_cost_usd: cacheCreation,
    total_cost_usd: input + output + cacheRead + cacheCreation,
  }
}

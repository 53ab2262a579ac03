/**
 * The cost of an agent's span, by the price of the model that answered, else of the requested one: in SQL for sums and
 * sorts, and in TypeScript for the spans that are shown. A test checks that they agree. Pure.
 */
import type { SaidBySpan } from '../../domain/agents/span.js'
import { type BilledSums, billedOfRequest, billedSums, costsOfSums } from '../../domain/costs/billed-sums.js'
import { costParts, isPriced, newestRatesOf, pricesOf } from '../../domain/costs/expression.js'
import { costsAt, type Prices, ratesAt } from '../../domain/costs/pricing.js'
import { type Costs, totalOf } from '../../domain/costs/rule.js'
import { join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { rowsOfSpans, type Window } from './identity.js'

/** The counts of a span's tokens. */
export const SPAN_TOKENS = {
  prompt_tokens: sql`input_tokens`,
  completion_tokens: sql`output_tokens`,
  cache_read_input_tokens: sql`cache_read_input_tokens`,
  cache_creation_input_tokens: sql`cache_creation_input_tokens`,
}

/** The model whose price a span costs. */
const BILLED_MODEL = sql`if(response_model != '', response_model, request_model)`

/** The aggregate of spans that {@link costsOfGroup} prices. @param which spans count */
export const billedBySpans = (prices: Prices, which: Sql): Sql =>
  billedSums(billedOfRequest(BILLED_MODEL, SPAN_TOKENS, prices), which)

/** The models of the window's spans. */
const modelsOfSpans = (window: Window): Sql =>
  sql`SELECT DISTINCT ${BILLED_MODEL} AS model ${rowsOfSpans(window)}`

const RATES = sql`(${newestRatesOf(sql`agent_prices`, BILLED_MODEL, SPAN_TOKENS.prompt_tokens)} AS agent_price)`
const PARTS = costParts(SPAN_TOKENS, sql`agent_price`)
// Rates are named once in each cost: written out for each part, prices would be most of what a statement costs to plan.
const cost = (value: Sql) => sql`if(${isPriced(RATES)}, ${value}, NULL)`

/**
 * What a span costs, NULL if no price is known; in statements {@link withPrices}. The project's price goes before the default
 * one, the newest first.
 */
export const SPAN_COSTS = {
  input: cost(PARTS.prompt_tokens_total_cost),
  output: cost(PARTS.completion_tokens_total_cost),
  cacheRead: cost(PARTS.cache_read_input_tokens_total_cost),
  cacheCreation: cost(PARTS.cache_creation_input_tokens_total_cost),
  total: cost(join(Object.values(PARTS), sql` + `)),
}

/** The statement with the prices of the window's models, if it has {@link SPAN_COSTS} in it. */
export function withPrices(statement: Sql, window: Window): Sql {
  if (!statement.contains(RATES)) return statement
  return sql`WITH ${pricesOf(window.projectId, modelsOfSpans(window))} AS agent_prices ${statement}`
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

/** The cost of a span by `prices`. @param prompt tokens of its prompt, where `span` stands for several */
export function costsOfSpan(span: Billed, prices: Prices, prompt = span.input_tokens ?? 0): CostRow {
  const model = span.response_model || span.request_model || ''
  const price = prices.newest(model)
  if (price === undefined) return NO_COSTS
  const costs = costsAt(ratesAt(price, prompt), {
    prompt_tokens: span.input_tokens ?? 0,
    completion_tokens: span.output_tokens ?? 0,
    cache_read_input_tokens: span.cache_read_input_tokens ?? 0,
    cache_creation_input_tokens: span.cache_creation_input_tokens ?? 0,
  })
  return rowOf(costs)
}

/** What the spans of a group cost. */
export function costsOfGroup(sums: BilledSums, prices: Prices): CostRow {
  const costs = costsOfSums(sums, (model) => prices.newest(model))
  return costs ? rowOf(costs) : NO_COSTS
}

function rowOf(costs: Costs): CostRow {
  return {
    input_cost_usd: costs.prompt_tokens_total_cost,
    output_cost_usd: costs.completion_tokens_total_cost,
    cache_read_cost_usd: costs.cache_read_input_tokens_total_cost,
    cache_creation_cost_usd: costs.cache_creation_input_tokens_total_cost,
    total_cost_usd: totalOf(costs),
  }
}

/** What a span of an agent cost, in SQL: by the price of the model that answered, else of the one that was asked. Pure. */
import { pricesOf } from '../../domain/costs/expression.js'
import { pricedName } from '../../domain/costs/price-names.js'
import { type Sql, sql } from '../../platform/clickhouse/sql.js'

export interface SpanCosts {
  /** for WITH */
  prices: Sql
  input: Sql
  output: Sql
  cacheRead: Sql
  cacheCreation: Sql
  /** NULL where no price is known, as the others are */
  total: Sql
}

/** The project's price goes before the default one, the newest first. @param projectId internal id */
export function costsOf(projectId: string): SpanCosts {
  const model = sql`toString(if(response_model != '', response_model, request_model))`
  const price = sql`arraySort(row -> (row.level = 'default', -row.effective), agent_prices[${pricedName(sql`agent_prices`, model)}])[1]`
  const cost = (value: Sql) => sql`if(${price}.id = '', NULL, ${value})`
  const plain = sql`greatest(0, toInt64(input_tokens) - cache_read_input_tokens - cache_creation_input_tokens)`
  const parts = {
    input: sql`${plain} * ${price}.prompt`,
    output: sql`output_tokens * ${price}.completion`,
    cacheRead: sql`cache_read_input_tokens * ${price}.cache_read`,
    cacheCreation: sql`cache_creation_input_tokens * ${price}.cache_creation`,
  }
  return {
    prices: sql`${pricesOf(projectId)} AS agent_prices`,
    input: cost(parts.input),
    output: cost(parts.output),
    cacheRead: cost(parts.cacheRead),
    cacheCreation: cost(parts.cacheCreation),
    total: cost(sql`${parts.input} + ${parts.output} + ${parts.cacheRead} + ${parts.cacheCreation}`),
  }
}

/**
 * SQL that computes a call's costs: from the text of `summary` and `started_at` to the JSON object at
 * `summary.weave.costs`. Pure; knows nothing of how calls are read.
 */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { isoText } from '../expr/iso.js'
import { pricedName } from './price-names.js'
import { CACHE_CREATION, CACHE_READ, COMPLETION, PROMPT, REQUESTS, TOTAL, usagesOf } from './usages.js'

/** Prices by model, as a map built once per query: the project's rows and the default level. */
export function pricesOf(projectId: string): Sql {
  return sql`(
    SELECT CAST(groupArray((llm_id, prices)), 'Map(String, Array(Tuple(
      model String, level String, id String, provider String, effective Int64, prompt Float64, completion Float64, cache_read Float64,
      cache_creation Float64, prompt_unit String, completion_unit String, created Int64, created_by String)))')
    FROM (
      SELECT llm_id, groupArray((
        llm_id, if(project_id = '', 'default', 'project'), id, provider_id, toUnixTimestamp64Micro(effective_date), prompt,
        completion, cache_read, cache_creation, prompt_unit, completion_unit, toUnixTimestamp64Micro(created_at),
        created_by)) AS prices
      FROM costs FINAL
      WHERE project_id IN ('', ${bind.string(projectId)}) AND deleted = 0
      GROUP BY llm_id
    )
  )`
}

/** Cached tokens are part of the prompt, but have their own price. */
const PLAIN_PROMPT = sql`greatest(0, toInt64(${PROMPT}) - toInt64(${CACHE_READ}) - toInt64(${CACHE_CREATION}))`

/** The cost of one `(model, usage)` pair called `usage` at the price tuple called `price`. */
const PARTS = {
  prompt_tokens_total_cost: sql`${PLAIN_PROMPT} * price.prompt`,
  completion_tokens_total_cost: sql`${COMPLETION} * price.completion`,
  cache_read_input_tokens_total_cost: sql`${CACHE_READ} * price.cache_read`,
  cache_creation_input_tokens_total_cost: sql`${CACHE_CREATION} * price.cache_creation`,
}

/**
 * The price for a model's usage, under the first of its names that has one. Contract §6: prices in force at `startedAt`
 * precede future ones, the project's the default, newer ones older ones. A tuple with an empty id if there is none.
 */
function priceOf(prices: Sql, startedAt: Sql): Sql {
  return sql`arraySort(
    row -> (row.effective > toUnixTimestamp64Micro(${startedAt}), row.level = 'default', -row.effective),
    ${prices}[${pricedName(prices, sql`usage.1`)}])[1]`
}

/**
 * The JSON text of a call's costs; `{}` if none of its models has a price.
 * @param prices the expression of {@link pricesOf}, or its name from a WITH clause
 * @param summary text of the column `summary`
 * @param startedAt DateTime64(6)
 */
export function costsJson(prices: Sql, summary: Sql, startedAt: Sql): Sql {
  return sql`concat('{', arrayStringConcat(arrayFilter(text -> text != '', arrayMap(
    (usage, price) -> if(price.id = '', '', concat(
      toJSONString(usage.1),
      ':{"prompt_tokens":', toString(${PROMPT}),
      ',"completion_tokens":', toString(${COMPLETION}),
      ',"cache_read_input_tokens":', toString(${CACHE_READ}),
      ',"cache_creation_input_tokens":', toString(${CACHE_CREATION}),
      ',"requests":', toString(${REQUESTS}),
      ',"total_tokens":', toString(${TOTAL}),
      ',"prompt_token_cost":', toString(price.prompt),
      ',"completion_token_cost":', toString(price.completion),
      ',"cache_read_input_token_cost":', toString(price.cache_read),
      ',"cache_creation_input_token_cost":', toString(price.cache_creation),
      ',"prompt_tokens_total_cost":', toString(${PARTS.prompt_tokens_total_cost}),
      ',"completion_tokens_total_cost":', toString(${PARTS.completion_tokens_total_cost}),
      ',"cache_read_input_tokens_total_cost":', toString(${PARTS.cache_read_input_tokens_total_cost}),
      ',"cache_creation_input_tokens_total_cost":', toString(${PARTS.cache_creation_input_tokens_total_cost}),
      ',"prompt_token_cost_unit":', toJSONString(price.prompt_unit),
      ',"completion_token_cost_unit":', toJSONString(price.completion_unit),
      ',"effective_date":"', ${isoText(micros(sql`price.effective`))},
      '","provider_id":', toJSONString(price.provider),
      ',"llm_id":', toJSONString(price.model),
      ',"pricing_level":', toJSONString(price.level),
      ',"pricing_level_id":', toJSONString(price.id),
      ',"created_at":"', ${isoText(micros(sql`price.created`))},
      '","created_by":', toJSONString(price.created_by), '}')),
    ${usagesOf(summary)},
    arrayMap(usage -> ${priceOf(prices, startedAt)}, ${usagesOf(summary)}))), ','), '}')`
}

/**
 * The total cost of a call, over all its models with a price; NULL if none has one. Parameters as for {@link
 * costsJson}.
 */
export function totalCost(prices: Sql, summary: Sql, startedAt: Sql): Sql {
  const parts = Object.values(PARTS).reduce((left, right) => sql`${left} + ${right}`)
  const priced = sql`arrayFilter(pair -> pair.2.id != '', arrayMap(usage -> (usage, ${priceOf(prices, startedAt)}), ${usagesOf(summary)}))`
  return sql`if(empty(${priced} AS priced_usages), NULL, arraySum((usage, price) -> ${parts}, priced_usages.1, priced_usages.2))`
}

const micros = (since: Sql): Sql => sql`fromUnixTimestamp64Micro(${since}, 'UTC')`

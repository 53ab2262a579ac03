/**
 * SQL that computes costs for sums over many calls, as `pricing.ts` does for the calls that are shown. Pure; knows nothing
 * of how calls are read.
 */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { pricePlace } from './price-names.js'
import { CACHE_CREATION, CACHE_READ, COMPLETION, PROMPT } from './usages.js'

/** Prices by model, as a map built once per query: the project's rows and the default level. */
export function pricesOf(projectId: string): Sql {
  return sql`(
    SELECT CAST(groupArray((llm_id, prices)), 'Map(String, Array(Tuple(
      level String, id String, effective Int64, prompt Float64, completion Float64, cache_read Float64,
      cache_creation Float64)))')
    FROM (
      SELECT llm_id, groupArray((
        if(project_id = '', 'default', 'project'), id, toUnixTimestamp64Micro(effective_date), prompt, completion,
        cache_read, cache_creation)) AS prices
      FROM costs FINAL
      WHERE project_id IN ('', ${bind.string(projectId)}) AND deleted = 0
      GROUP BY llm_id
    )
  )`
}

/** Counts of tokens, as SQL; cached ones are part of the prompt. */
interface Tokens {
  prompt: Sql
  completion: Sql
  cacheRead: Sql
  cacheCreation: Sql
}

/** Tokens of the prompt that have no price of their own. */
export function uncachedPrompt({ prompt, cacheRead, cacheCreation }: Tokens): Sql {
  return sql`greatest(0, toInt64(${prompt}) - toInt64(${cacheRead}) - toInt64(${cacheCreation}))`
}

/** What tokens cost at a price tuple, by kind: cached tokens have their own price. */
export function costParts(tokens: Tokens, price: Sql) {
  const { completion, cacheRead, cacheCreation } = tokens
  return {
    prompt: sql`${uncachedPrompt(tokens)} * ${price}.prompt`,
    completion: sql`${completion} * ${price}.completion`,
    cacheRead: sql`${cacheRead} * ${price}.cache_read`,
    cacheCreation: sql`${cacheCreation} * ${price}.cache_creation`,
  }
}

/**
 * The price for a model's usage, under the first of its names that has one. Contract §6: prices in force at `startedAt`
 * precede future ones, the project's the default, newer ones older ones. A tuple with an empty id if there is none.
 * @param prices the name of {@link pricesOf} in a WITH clause
 * @param startedAt DateTime64(6)
 */
export function priceOf(prices: Sql, model: Sql, startedAt: Sql): Sql {
  return sql`arraySort(
    row -> (row.effective > toUnixTimestamp64Micro(${startedAt}), row.level = 'default', -row.effective),
    mapValues(${prices})[${pricePlace(prices, model)}])[1]`
}

/**
 * The total cost of a call, over all its models with a price; NULL if none has one.
 * @param usages the call's list of (model, counts), best by name
 */
export function totalCost(prices: Sql, usages: Sql, startedAt: Sql): Sql {
  const tokens = {
    prompt: PROMPT,
    completion: COMPLETION,
    cacheRead: CACHE_READ,
    cacheCreation: CACHE_CREATION,
  }
  const parts = Object.values(costParts(tokens, sql`price`)).reduce((left, right) => sql`${left} + ${right}`)
  const price = priceOf(prices, sql`usage.1`, startedAt)
  const priced = sql`arrayFilter(pair -> pair.2.id != '', arrayMap(usage -> (usage, ${price}), ${usages}))`
  return sql`if(empty(${priced} AS priced_usages), NULL, arraySum((usage, price) -> ${parts}, priced_usages.1, priced_usages.2))`
}

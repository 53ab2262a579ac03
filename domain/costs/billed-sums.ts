/**
 * Sums of tokens by all that decides what they cost: the size of the prompt, the time, and the model. The engine makes them,
 * and they are priced here: a price for each row is most of what a short statement costs to plan. `pricing.ts` has the rule.
 * Pure.
 */
import { bind, commaList, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { billedTokens, promptOfRequest, type Tokens, USAGE_TOKENS } from './expression.js'
import { type Price, type Prices, ratesAt } from './pricing.js'
import { COSTS, type Costs, PARTS } from './rule.js'
import { PROMPT, REQUESTS } from './usages.js'

/** By size, time and model, so many tokens of each part of a cost, in the order of {@link COSTS}. */
export type BilledSums = Readonly<Record<string, readonly number[]>>

/** The aggregate {@link BilledSums}. @param rows a map for each row: see {@link billedOf} @param which rows count */
export const billedSums = (rows: Sql, which: Sql): Sql => sql`sumForEachMapIf(${rows}, ${which})`

/** What is billed of a call. @param usages its list of (model, counts) @param startedAt DateTime64(6) */
export function billedOf(usages: Sql, startedAt: Sql, prices: Prices): Sql {
  const size = sizeOf(promptOfRequest(PROMPT, REQUESTS), prices)
  const time = sql`roundDown(toUnixTimestamp64Micro(${startedAt}), ${bind.ints(prices.bounds.times)})`
  return sql`mapFromArrays(arrayMap(usage -> ${keyOf(size, time, sql`usage.1`)}, ${usages}),
    arrayMap(usage -> ${partsOf(USAGE_TOKENS)}, ${usages}))`
}

/** What is billed of a request to a model, where its time does not matter. @param tokens of which the prompt's tell its price */
export const billedOfRequest = (model: Sql, tokens: Tokens, prices: Prices): Sql =>
  sql`map(${keyOf(sizeOf(tokens.prompt_tokens, prices), sql`0`, sql`toString(${model})`)}, ${partsOf(tokens)})`

/** Averages are rounded up: a price for more than 1,000 tokens is for 1,000.5. No prompt is of 10¹⁵. */
const sizeOf = (prompt: Sql, { bounds }: Prices): Sql =>
  sql`roundDown(toUInt64(least(ceil(${prompt}), 1e15)), ${bind.uints(bounds.sizes)})`

const keyOf = (size: Sql, time: Sql, model: Sql): Sql =>
  sql`concat(toString(${size}), ' ', toString(${time}), ' ', ${model})`

const partsOf = (tokens: Tokens): Sql =>
  sql`[${commaList(COSTS.map((cost) => sql`toFloat64(${billedTokens(cost, tokens)})`))}]`

/** What they cost, in dollars; undefined if no price is known. @param priceOf of a model at a time, µs since the epoch */
export function costsOfSums(
  sums: BilledSums,
  priceOf: (model: string, time: number) => Price | undefined,
): Costs | undefined {
  const all = Object.fromEntries(COSTS.map((cost) => [cost, 0])) as Costs
  let isPriced = false
  for (const [key, tokens] of Object.entries(sums)) {
    const [, size, time, model] = /^(\d+) (-?\d+) (.*)$/s.exec(key)!
    const price = priceOf(model!, Number(time))
    if (price === undefined) continue
    isPriced = true
    const rates = ratesAt(price, Number(size))
    COSTS.forEach((cost, i) => {
      all[cost] += tokens[i]! * rates[PARTS[cost].rate]
    })
  }
  return isPriced ? all : undefined
}

/** SQL that computes costs for sums over many calls, as `pricing.ts` does for the calls that are shown. Pure. */
import { bind, commaList, ident, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { priceNamesOf } from './price-names.js'
import { type BilledCount, COSTS, type Costs, PARTS, RATES } from './rule.js'
import { CACHE_CREATION, CACHE_READ, COMPLETION, PROMPT, REQUESTS } from './usages.js'

const columns = (of: (name: Sql) => Sql) => commaList(RATES.map((rate) => of(ident(rate))))

const RATES_TYPE = sql`Array(Tuple(above Int64, ${columns((rate) => sql`${rate} Float64`)}))`
const PRICES_TYPE = sql`Array(Tuple(level String, effective Int64, rates ${RATES_TYPE}))`
const TYPE = sql`Tuple(models Array(String), places Array(UInt64), prices Array(${PRICES_TYPE}), newest Array(${RATES_TYPE}))`

/** Models that are priced in one statement; of more, some have no price. */
const MOST_MODELS = 100_000

/**
 * The prices of models, as lists made once per query: the models that have one, the place of each one's prices, and these,
 * the project's rows and the default level. The rates of each are a list: first those of any prompt, as if above -1 tokens,
 * then its steps. So `above` is 0 only where there is no price. Whatever is done with all of them is done here: elsewhere the
 * engine would do it for each block, and plan it for each cost.
 *
 * A model has the prices of the first of its names under which the project has one, else of the first with any.
 * @param models a SELECT of the `model`s that are to be priced. With all prices, which are thousands, the engine takes 0.3 s
 * to plan a statement, and too much memory where they are used several times.
 */
export function pricesOf(projectId: string, models: Sql): Sql {
  return sql`(
    SELECT CAST((
        arrayFlatten(groupArray(models) AS by_price),
        arrayFlatten(arrayMap((some, place) -> arrayMap(one -> place, some), by_price, arrayEnumerate(by_price))),
        groupArray(prices) AS all_prices,
        arrayMap(rows -> arraySort(row -> (row.level = 'default', -row.effective), rows)[1].rates, all_prices)),
      '${TYPE}')
    FROM (
      SELECT any(best.2) AS prices, groupArray(model) AS models
      FROM (
        SELECT model, argMin((llm_id, prices), (is_default, step)) AS best
        FROM (
          SELECT model, (arrayJoin(arrayZip(names, arrayEnumerate(names))) AS named).1 AS llm_id, named.2 AS step
          FROM (SELECT toString(model) AS model, ${priceNamesOf(sql`model`)} AS names FROM (${models}))
        ) AS asked
        JOIN (
          SELECT llm_id, min(project_id = '') AS is_default,
            CAST(groupArray((
              if(project_id = '', 'default', 'project'), toUnixTimestamp64Micro(effective_date),
              arrayConcat([(toInt64(-1), ${columns((rate) => rate)})], steps))), '${PRICES_TYPE}') AS prices
          FROM costs FINAL
          WHERE project_id IN ('', ${bind.string(projectId)}) AND deleted = 0
          GROUP BY llm_id
        ) AS listed USING (llm_id)
        GROUP BY model LIMIT ${bind.uint(MOST_MODELS)}
      )
      GROUP BY best.1
    )
  )`
}

/** Counts of tokens, as SQL; cached ones are part of the prompt. */
export type Tokens = Readonly<Record<BilledCount, Sql>>

/** Those of a pair called `usage`. */
export const USAGE_TOKENS: Tokens = {
  prompt_tokens: PROMPT,
  completion_tokens: COMPLETION,
  cache_read_input_tokens: CACHE_READ,
  cache_creation_input_tokens: CACHE_CREATION,
}

/** What tokens cost at a tuple of rates, by part. */
export function costParts(tokens: Tokens, rates: Sql): Record<keyof Costs, Sql> {
  const parts = COSTS.map((cost) => [
    cost,
    sql`${billedTokens(cost, tokens)} * ${rates}.${ident(PARTS[cost].rate)}`,
  ])
  return Object.fromEntries(parts) as Record<keyof Costs, Sql>
}

/** The tokens that a part of a cost is for. */
export function billedTokens(cost: keyof Costs, tokens: Tokens): Sql {
  const { tokens: all, less } = PARTS[cost]
  if (less.length === 0) return tokens[all]
  const rest = join(
    [all, ...less].map((name) => sql`toInt64(${tokens[name]})`),
    sql` - `,
  )
  return sql`greatest(0, ${rest})`
}

/** The place of a model's prices, looked up once per distinct model of a block: it has many rows but few models. */
const placeOf = (prices: Sql, model: Sql): Sql =>
  sql`transform(toLowCardinality(${model}), ${prices}.models, ${prices}.places, toUInt64(0))`

/** The order of prices: those in force at `startedAt` precede future ones. */
const IN_FORCE = (startedAt: Sql) => sql`row.effective > toUnixTimestamp64Micro(${startedAt}), `

/**
 * The rates for a model's usage, under the first of its names that has a price. Contract §6: prices in force at
 * `startedAt` precede future ones, the project's the default, newer ones older ones. {@link isPriced} tells whether there
 * is one.
 * @param prices the name of {@link pricesOf} in a WITH clause
 * @param startedAt DateTime64(6)
 * @param prompt tokens of the prompt of a request, on average
 */
export function ratesOf(prices: Sql, model: Sql, startedAt: Sql, prompt: Sql): Sql {
  const price = sql`arraySort(row -> (${IN_FORCE(startedAt)}row.level = 'default', -row.effective),
    ${prices}.prices[${placeOf(prices, model)}])[1]`
  return sql`arrayLast(rates -> rates.above < ${prompt}, ${price}.rates)`
}

/** The same by the newest price, whenever it began. */
export function newestRatesOf(prices: Sql, model: Sql, prompt: Sql): Sql {
  return sql`arrayLast(rates -> rates.above < ${prompt}, ${prices}.newest[${placeOf(prices, model)}])`
}

/** Whether rates were found. */
export const isPriced = (rates: Sql): Sql => sql`${rates}.above != 0`

/** The tokens of a request's prompt: those of a call that says how many requests it sums up, on average. */
export const promptOfRequest = (prompt: Sql, requests: Sql): Sql => sql`${prompt} / greatest(${requests}, 1)`

/**
 * The cost of a call, over all its models with a price; NULL if none has one.
 * @param usages the call's list of (model, counts), best by name
 * @param which the parts to sum up; default: all
 */
export function totalCost(
  prices: Sql,
  usages: Sql,
  startedAt: Sql,
  which: readonly (keyof Costs)[] = COSTS,
): Sql {
  const all = costParts(USAGE_TOKENS, sql`price`)
  const parts = which.map((cost) => all[cost]).reduce((left, right) => sql`${left} + ${right}`)
  const price = ratesOf(prices, sql`usage.1`, startedAt, promptOfRequest(PROMPT, REQUESTS))
  const priced = sql`arrayFilter(pair -> ${isPriced(sql`pair.2`)}, arrayMap(usage -> (usage, ${price}), ${usages}))`
  return sql`if(empty(${priced} AS priced_usages), NULL, arraySum((usage, price) -> ${parts}, priced_usages.1, priced_usages.2))`
}

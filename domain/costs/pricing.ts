/**
 * Computes a call's costs for its line, and those of its usage. `expression.ts` does the same in SQL, for sums over many
 * calls; a test checks that both agree. Pure.
 */

import { type Counts, countsOf, SENT_NAMES } from '../../contract/usage-counts.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { Bytes } from '../../platform/bytes/bytes.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { eachField, lookup } from '../../platform/json/fields.js'
import { Notes, scanValue } from '../../platform/json/scan.js'
import { unescapedAt } from '../../platform/json/text.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { jsonText } from '../calls/read/json-text.js'
import { priceNames } from './price-names.js'

/** A model's price; times in µs since the epoch. */
export interface Price {
  model: string
  level: 'project' | 'default'
  id: string
  provider: string
  effective: number
  prompt: number
  completion: number
  cache_read: number
  cache_creation: number
  prompt_unit: string
  completion_unit: string
  created: number
  created_by: string
}
export type Prices = ReadonlyMap<string, readonly Price[]>

/** The prices for a project, by internal id: its own and the default level. */
export function pricesStatement(projectId: string): Sql {
  return sql`SELECT llm_id AS model, if(project_id = '', 'default', 'project') AS level, id, provider_id AS provider,
    toUnixTimestamp64Micro(effective_date) AS effective, prompt, completion, cache_read, cache_creation, prompt_unit,
    completion_unit, toUnixTimestamp64Micro(created_at) AS created, created_by
  FROM costs FINAL WHERE project_id IN ('', ${bind.string(projectId)}) AND deleted = 0`
}

export function pricesByModel(rows: readonly Price[]): Prices {
  return groupBy(rows, (row) => row.model)
}

/** The member of `summary.weave` with a call's costs, starting with a comma; '' if no model has a price. */
export function costsMember(prices: Prices, summary: Buffer, startedAt: number): string {
  const texts = usagesIn(summary).flatMap(([model, counts]) => {
    const price = priceOf(pricesOfModel(prices, model), startedAt)
    return price ? [costText(model, counts, price)] : []
  })
  return texts.length === 0 ? '' : `,"costs":{${texts.join(',')}}`
}

const OPEN_OBJECT = 0x7b
const NAMES = new Set<string>(SENT_NAMES)
const notes = new Notes()

/** The models and counts in a summary's usage; models without counts are left out. */
function usagesIn(summary: Buffer): [model: string, Counts][] {
  const usage = lookup(summary, { from: 0, to: summary.length }, ['usage'])
  const found: [string, Counts][] = []
  if (usage === undefined || summary[usage.from] !== OPEN_OBJECT) return found
  eachField(summary, usage.from, notes, (modelFrom, modelTo, _escaped, entry) => {
    if (summary[entry] !== OPEN_OBJECT) return scanValue(summary, entry, notes)
    const sent = new Map<string, number>()
    const end = eachField(summary, entry, notes, (keyFrom, keyTo, _escaped, from) => {
      const to = scanValue(summary, from, notes)
      const name = unescapedAt(summary, keyFrom, keyTo)
      const count = NAMES.has(name) && !sent.has(name) ? countAt(summary, from, to) : undefined
      if (count !== undefined) sent.set(name, count)
      return to
    })
    const model = unescapedAt(summary, modelFrom, modelTo)
    if (sent.size > 0) found.push([model, countsOf((name) => sent.get(name) ?? 0)])
    return end
  })
  return found
}

/** Reads a count like the engine: a 64-bit integer, fractions cut off; undefined if it is not a count. */
function countAt(summary: Buffer, from: number, to: number): number | undefined {
  const text = summary.toString('latin1', from, to)
  const number =
    text === 'true' ? 1 : text === 'false' ? 0 : Number(/^"\d+"$/.test(text) ? text.slice(1, -1) : text)
  return number >= 0 && number < 2 ** 64 ? Math.floor(number) : undefined
}

/** The prices of the first of the model's names that has any. */
export function pricesOfModel(prices: Prices, model: string): readonly Price[] {
  const name = prices.has(model) ? model : priceNames(model).find((name) => prices.has(name))
  return prices.get(name ?? model) ?? []
}

/** Prices in force precede future ones, the project's the default, newer ones older ones. */
function priceOf(prices: readonly Price[], startedAt: number): Price | undefined {
  const rank = ({ effective, level }: Price) => [
    effective > startedAt ? 1 : 0,
    level === 'default' ? 1 : 0,
    -effective,
  ]
  return prices.reduce<Price | undefined>(
    (best, price) => (best && compare(rank(best), rank(price)) <= 0 ? best : price),
    undefined,
  )
}

function compare(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((value, n) => value !== b[n])
  return i < 0 ? 0 : a[i]! - b[i]!
}

/** The costs of a model's usage, by kind of token. */
export const COSTS = [
  'prompt_tokens_total_cost',
  'completion_tokens_total_cost',
  'cache_read_input_tokens_total_cost',
  'cache_creation_input_tokens_total_cost',
] as const
export type Costs = Record<(typeof COSTS)[number], number>

/** What a model's usage costs; undefined if no price is known. @param startedAt µs since the epoch */
export function costsOf(prices: Prices, model: string, startedAt: number, tokens: Counts): Costs | undefined {
  const price = priceOf(pricesOfModel(prices, model), startedAt)
  return price && costsAt(price, tokens)
}

/** Cached tokens are part of the prompt, but have their own price. */
function costsAt(price: Price, tokens: Counts): Costs {
  const { prompt_tokens: prompt, completion_tokens: completion } = tokens
  const { cache_read_input_tokens: cacheRead, cache_creation_input_tokens: cacheCreation } = tokens
  return {
    prompt_tokens_total_cost: Math.max(0, prompt - cacheRead - cacheCreation) * price.prompt,
    completion_tokens_total_cost: completion * price.completion,
    cache_read_input_tokens_total_cost: cacheRead * price.cache_read,
    cache_creation_input_tokens_total_cost: cacheCreation * price.cache_creation,
  }
}

function costText(model: string, tokens: Counts, price: Price): string {
  const costs = costsAt(price, tokens)
  return `${text(model)}:{${[
    `"prompt_tokens":${tokens.prompt_tokens}`,
    `"completion_tokens":${tokens.completion_tokens}`,
    `"cache_read_input_tokens":${tokens.cache_read_input_tokens}`,
    `"cache_creation_input_tokens":${tokens.cache_creation_input_tokens}`,
    `"requests":${tokens.requests}`,
    `"total_tokens":${tokens.total_tokens}`,
    `"prompt_token_cost":${number(price.prompt)}`,
    `"completion_token_cost":${number(price.completion)}`,
    `"cache_read_input_token_cost":${number(price.cache_read)}`,
    `"cache_creation_input_token_cost":${number(price.cache_creation)}`,
    ...COSTS.map((name) => `"${name}":${number(costs[name])}`),
    `"prompt_token_cost_unit":${text(price.prompt_unit)}`,
    `"completion_token_cost_unit":${text(price.completion_unit)}`,
    `"effective_date":"${isoOfMicros(price.effective)}"`,
    `"provider_id":${text(price.provider)}`,
    `"llm_id":${text(price.model)}`,
    `"pricing_level":${text(price.level)}`,
    `"pricing_level_id":${text(price.id)}`,
    `"created_at":"${isoOfMicros(price.created)}"`,
    `"created_by":${text(price.created_by)}`,
  ].join(',')}}`
}

/** Formats numbers like the engine: no plus sign in an exponent. */
function number(value: number): string {
  return String(value).replace('e+', 'e')
}

function text(value: string): string {
  const out = new Bytes(value.length + 16)
  jsonText(out, Buffer.from(value))
  return out.buf.toString('utf8', 0, out.pos)
}

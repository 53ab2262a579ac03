/**
 * What a call cost, worked out here for short lists: the engine takes longer to plan `expression.ts` than to read the
 * rows. The text is that of `costsJson` there, byte for byte; usage that needs more care than this takes is left to it. Pure.
 */

import { type CountName, type Counts, countsOf, SENT_NAMES } from '../../contract/usage-counts.js'
import { Bytes } from '../../platform/bytes/bytes.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { lookup } from '../../platform/json/fields.js'
import { isObject } from '../../platform/json/object.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { jsonText } from '../calls/read/json-text.js'
import { priceNames } from './price-names.js'

/** A price of a model; times in µs since the epoch. */
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

/** The prices that hold for a project, by its internal id: its own and the default level. */
export function pricesStatement(projectId: string): Sql {
  return sql`SELECT llm_id AS model, if(project_id = '', 'default', 'project') AS level, id, provider_id AS provider,
    toUnixTimestamp64Micro(effective_date) AS effective, prompt, completion, cache_read, cache_creation, prompt_unit,
    completion_unit, toUnixTimestamp64Micro(created_at) AS created, created_by
  FROM costs FINAL WHERE project_id IN ('', ${bind.string(projectId)}) AND deleted = 0`
}

export function pricesByModel(rows: readonly Price[]): Prices {
  const prices = new Map<string, Price[]>()
  for (const row of rows) prices.set(row.model, [...(prices.get(row.model) ?? []), row])
  return prices
}

/**
 * The member of `summary.weave` that says what a call cost, with a comma before it; '' where no model has a price.
 * undefined: the engine has to say.
 */
export function costsMember(prices: Prices, summary: Buffer, startedAt: number): string | undefined {
  const place = lookup(summary, { from: 0, to: summary.length }, ['usage'])
  if (place && UNREAD.test(summary.toString('latin1'))) return undefined
  const usage: unknown = place ? JSON.parse(summary.toString('utf8', place.from, place.to)) : {}
  if (!isObject(usage)) return undefined
  const texts: string[] = []
  for (const [model, entry] of Object.entries(usage)) {
    // Names like these would come in another order.
    if (/^\d+$/.test(model)) return undefined
    const tokens = tokensOf(entry)
    if (!tokens) return undefined
    const price = priceOf(pricesOf(prices, model), startedAt)
    if (price) texts.push(costText(model, tokens, price))
  }
  return texts.length === 0 ? '' : `,"costs":{${texts.join(',')}}`
}

/** What may be a number that the engine's JSON reader gives up on, and the whole text with it. */
const UNREAD = /\d{19}|\d[eE][-+]?\d{3}/

/** Sums of counts below this are whole numbers that a double has. */
const MOST = 2 ** 50

/** The counts of a model, those that are left out 0; undefined where one is no plain count, or all are left out. */
function tokensOf(entry: unknown): Counts | undefined {
  if (!isObject(entry) || !SENT_NAMES.some((name) => name in entry)) return undefined
  const sent = (name: CountName) => entry[name] ?? (name in entry ? null : 0)
  return SENT_NAMES.every((name) => isPlain(sent(name)))
    ? countsOf((name) => sent(name) as number)
    : undefined
}

function isPlain(count: unknown): boolean {
  return Number.isInteger(count) && (count as number) >= 0 && (count as number) < MOST
}

/** Those of the first of the model's names that has any. */
function pricesOf(prices: Prices, model: string): readonly Price[] {
  const name = prices.has(model) ? model : priceNames(model).find((name) => prices.has(name))
  return prices.get(name ?? model) ?? []
}

/** In force goes before future, the project's before the default, the newest before older ones. */
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

function costText(model: string, tokens: Counts, price: Price): string {
  const { prompt_tokens: prompt, completion_tokens: completion } = tokens
  const { cache_read_input_tokens: cacheRead, cache_creation_input_tokens: cacheCreation } = tokens
  const plainPrompt = Math.max(0, prompt - cacheRead - cacheCreation)
  return `${text(model)}:{${[
    `"prompt_tokens":${prompt}`,
    `"completion_tokens":${completion}`,
    `"cache_read_input_tokens":${cacheRead}`,
    `"cache_creation_input_tokens":${cacheCreation}`,
    `"requests":${tokens.requests}`,
    `"total_tokens":${tokens.total_tokens}`,
    `"prompt_token_cost":${number(price.prompt)}`,
    `"completion_token_cost":${number(price.completion)}`,
    `"cache_read_input_token_cost":${number(price.cache_read)}`,
    `"cache_creation_input_token_cost":${number(price.cache_creation)}`,
    `"prompt_tokens_total_cost":${number(plainPrompt * price.prompt)}`,
    `"completion_tokens_total_cost":${number(completion * price.completion)}`,
    `"cache_read_input_tokens_total_cost":${number(cacheRead * price.cache_read)}`,
    `"cache_creation_input_tokens_total_cost":${number(cacheCreation * price.cache_creation)}`,
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

/** As the engine writes numbers: no plus in an exponent. */
function number(value: number): string {
  return String(value).replace('e+', 'e')
}

function text(value: string): string {
  const out = new Bytes(value.length + 16)
  jsonText(out, Buffer.from(value))
  return out.buf.toString('utf8', 0, out.pos)
}

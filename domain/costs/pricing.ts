/**
 * Computes a call's costs for its line, and those of its usage. `expression.ts` does the same in SQL, for sums over many
 * calls; a test checks that both agree. Pure.
 */

import { type Counts, countsOf, SENT_NAMES } from '../../contract/usage-counts.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { Bytes } from '../../platform/bytes/bytes.js'
import { eachField, lookup } from '../../platform/json/fields.js'
import { Notes, scanValue } from '../../platform/json/scan.js'
import { unescapedAt } from '../../platform/json/text.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { jsonText } from '../calls/read/json-text.js'
import { priceNames } from './price-names.js'
import { type BilledCount, COSTS, type Costs, PARTS, type Rates, type Step } from './rule.js'

/** A model's price; times in µs since the epoch. */
export interface Price extends Rates {
  model: string
  level: 'project' | 'default'
  id: string
  provider: string
  effective: number
  /** by `above` */
  steps: readonly Step[]
  prompt_unit: string
  completion_unit: string
  created: number
  created_by: string
}

type ByModel = ReadonlyMap<string, readonly Price[]>

/** Names of models that a list remembers: whatever programs send. */
const MOST_NAMES = 1000

/** What rates depend on besides the model. */
interface Bounds {
  sizes: readonly number[]
  times: readonly number[]
}

/** Prices of a project and the default level, by the name of their model. */
export class Prices {
  readonly #found = new Map<string, readonly Price[]>()
  #bounds: Bounds | undefined

  /** @param levels of the project, and of the default level, its prices by model */
  constructor(private readonly levels: readonly [project: ByModel, byDefault: ByModel]) {}

  /** The prices of the first of the model's names under which the project has any, else of the first with any. */
  of(model: string): readonly Price[] {
    const known = this.#found.get(model)
    if (known) return known
    if (this.#found.size >= MOST_NAMES) this.#found.clear()
    const names = priceNames(model)
    const has = (name: string) => this.levels.some((level) => level.has(name))
    const name = names.find((name) => this.levels[0]?.has(name)) ?? names.find(has) ?? model
    const found = this.levels.flatMap((level) => level.get(name) ?? [])
    this.#found.set(model, found)
    return found
  }

  /** The one in force at a time, µs since the epoch; undefined: the model has none. */
  at(model: string, time: number): Price | undefined {
    return priceOf(this.of(model), time)
  }

  /** The newest, whenever it began. */
  newest(model: string): Price | undefined {
    return this.at(model, Number.POSITIVE_INFINITY)
  }

  /**
   * What rates depend on besides the model, each from 0 and in order: the fewest tokens of prompts that have rates of their
   * own, and the times from which prices are in force, µs since the epoch.
   */
  get bounds(): Bounds {
    this.#bounds ??= this.boundsOfAll()
    return this.#bounds
  }

  private boundsOfAll(): Bounds {
    const all = this.levels.flatMap((level) => [...level.values()].flat())
    const inOrder = (values: readonly number[]) => [...new Set([0, ...values])].sort((a, b) => a - b)
    return {
      sizes: inOrder(all.flatMap(({ steps }) => steps.map(({ above }) => above + 1))),
      times: inOrder(all.map(({ effective }) => effective)),
    }
  }
}

export function pricesByModel(rows: readonly Price[]): Prices {
  const of = (level: Price['level']) => byModel(rows.filter((row) => row.level === level))
  return new Prices([of('project'), of('default')])
}

export function byModel(rows: readonly Price[]): Map<string, Price[]> {
  return groupBy(rows, (row) => row.model)
}

/** The member of `summary.weave` with a call's costs, starting with a comma; '' if no model has a price. */
export function costsMember(prices: Prices, summary: Buffer, startedAt: number): string {
  const texts = usagesIn(summary).flatMap(([model, counts]) => {
    const price = prices.at(model, startedAt)
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

/** What a model's usage costs; undefined if no price is known. @param startedAt µs since the epoch */
export function costsOf(prices: Prices, model: string, startedAt: number, tokens: Counts): Costs | undefined {
  const price = prices.at(model, startedAt)
  return price && costsAt(ratesAt(price, promptOfRequest(tokens)), tokens)
}

/** The tokens of a request's prompt: usage may be that of several, so on average. */
function promptOfRequest({ prompt_tokens, requests }: Counts): number {
  return prompt_tokens / Math.max(requests, 1)
}

/** The rates of a request whose prompt has so many tokens. */
export function ratesAt(price: Price, prompt: number): Rates {
  return price.steps.findLast(({ above }) => above < prompt) ?? price
}

/** What tokens cost at these rates, by part. */
export function costsAt(rates: Rates, counts: Readonly<Record<BilledCount, number>>): Costs {
  return Object.fromEntries(
    COSTS.map((cost) => {
      const { rate, tokens, less } = PARTS[cost]
      const rest = less.reduce<number>((left, name) => left - counts[name], counts[tokens])
      return [cost, Math.max(0, rest) * rates[rate]]
    }),
  ) as Costs
}

function costText(model: string, tokens: Counts, price: Price): string {
  const rates = ratesAt(price, promptOfRequest(tokens))
  const costs = costsAt(rates, tokens)
  return `${text(model)}:{${[
    `"prompt_tokens":${tokens.prompt_tokens}`,
    `"completion_tokens":${tokens.completion_tokens}`,
    `"cache_read_input_tokens":${tokens.cache_read_input_tokens}`,
    `"cache_creation_input_tokens":${tokens.cache_creation_input_tokens}`,
    `"requests":${tokens.requests}`,
    `"total_tokens":${tokens.total_tokens}`,
    `"prompt_token_cost":${number(rates.prompt)}`,
    `"completion_token_cost":${number(rates.completion)}`,
    `"cache_read_input_token_cost":${number(rates.cache_read)}`,
    `"cache_creation_input_token_cost":${number(rates.cache_creation)}`,
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

/**
 * Default prices: dated lists, such as the one that ships with the program (`scripts/prices.mjs` makes it). What a list says
 * anew is stored as rows without a project, from the day of the list on; what was so already adds nothing.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { RATES, type Rates, type Step } from '../../domain/costs/rule.js'
import { bind, commaList, ident, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { nowMicros } from '../../platform/time/iso.js'
import { nextVersion } from '../../platform/time/versions.js'

const name = z.string().min(1).max(512)
const price = z.number().min(0).max(1e12)
const COLUMNS = [
  'provider',
  'model',
  'prompt',
  'completion',
  'cache_read',
  'cache_creation',
  'above',
] as const
/** Lists of before had no steps. */
const OLD_COLUMNS = COLUMNS.length - 1

/** Dollars for a million tokens. What is left out of the cache's prices is that of the prompt. */
const CACHE = [price.optional(), price.optional()] as const
/** All tokens of a request with a longer prompt cost this. */
const Above = z.tuple([
  z
    .number()
    .int()
    .min(1)
    .max(2 ** 31),
  price,
  price,
  ...CACHE,
])

const PriceList = z.object({
  as_of: z.iso.date(),
  source: z.string().optional(),
  unit: z.literal('USD per million tokens'),
  columns: z
    .array(z.string())
    .refine(
      (columns) =>
        [OLD_COLUMNS, COLUMNS.length].some((end) => columns.join() === COLUMNS.slice(0, end).join()),
      `Should be ${COLUMNS.join(', ')}`,
    ),
  prices: z
    .array(z.tuple([name, name, price, price, ...CACHE, z.array(Above).max(16).optional()]))
    .max(100_000),
})
export type PriceList = z.output<typeof PriceList>

/** Reads the JSON text of a list. @throws Error with the first problem */
export function parsePrices(text: string): PriceList {
  const result = PriceList.safeParse(JSON.parse(text))
  if (result.success) return result.data
  const { path, message } = result.error.issues[0]!
  throw new Error(`${path.join('.') || 'the whole'}: ${message}`)
}

/** The list that ships with the program. */
export function shippedPrices(): PriceList {
  return JSON.parse(readFileSync(new URL('./default-prices.json', import.meta.url), 'utf8')) as PriceList
}

const PER = 1_000_000

/** A price of a model, by itself or as stored. */
interface Listed extends Rates {
  llm_id: string
  provider_id: string
  steps: readonly Step[]
}

/** Stores what `list` says that wasn't in force on its day. @returns how many prices that were */
export async function loadPrices(store: Store, { as_of, prices }: PriceList): Promise<number> {
  const stored = await store.rows<Listed & { ver: number }>(sql`
    SELECT llm_id, provider_id, ${RATE_COLUMNS}, steps, ver FROM costs FINAL
    WHERE project_id = '' AND deleted = 0 AND effective_date <= toDateTime64(${bind.string(as_of)}, 6, 'UTC')
    ORDER BY effective_date DESC LIMIT 1 BY llm_id, provider_id`)
  const now = nowMicros()
  const ver = stored.reduce((newest, row) => Math.max(newest, row.ver + 1), nextVersion())
  const inForce = new Set(stored.map(textOf))
  const changed = prices.map(listed).filter((one) => !inForce.has(textOf(one)))
  const rows = changed.map((one) => ({
    ...one,
    id: createHash('sha256')
      .update(JSON.stringify([one.provider_id, one.llm_id, as_of]))
      .digest('hex')
      .slice(0, 32),
    effective_date: `${as_of}T00:00:00Z`,
    prompt_unit: 'USD',
    completion_unit: 'USD',
    created_at: new Date(Math.floor(now / 1000)).toISOString(),
    created_by: LOADED_BY,
    ver,
  }))
  await store.insertRows('costs', rows)
  return rows.length
}

const RATE_COLUMNS = commaList(RATES.map((rate) => ident(rate)))

function listed([provider_id, llm_id, ...price]: PriceList['prices'][number]): Listed {
  const [prompt, completion, read, creation, above = []] = price
  const steps = above.map(([above, ...step]) => ({ above, ...ratesOf(step) }))
  return { llm_id, provider_id, ...ratesOf([prompt, completion, read, creation]), steps }
}

/** Dollars a token. */
function ratesOf([prompt, completion, cacheRead = prompt, cacheCreation = prompt]: readonly [
  number,
  number,
  number?,
  number?,
]): Rates {
  return {
    prompt: prompt / PER,
    completion: completion / PER,
    cache_read: cacheRead / PER,
    cache_creation: cacheCreation / PER,
  }
}

function textOf({ llm_id, provider_id, steps, ...price }: Listed): string {
  const rates = (of: Rates) => RATES.map((rate) => of[rate])
  return JSON.stringify([
    provider_id,
    llm_id,
    rates(price),
    steps.map((step) => [step.above, ...rates(step)]),
  ])
}

/** Who loaded the default level: rows of lists. */
const LOADED_BY = 'heddle'
/** Providers change prices and bring out models every few weeks. */
const OLD_AFTER_DAYS = 120

export interface DefaultPrices {
  /** the day of the newest list that said anything new, as `2026-11-24`; null if none was loaded */
  as_of: string | null
  models: number
  /** too old to rely on */
  is_old: boolean
}

/** Of when the default prices are. @param now ms since the epoch */
export async function defaultPrices(store: Store, now = Date.now()): Promise<DefaultPrices> {
  const row = await store.row<{ as_of: string; models: number }>(sql`
    SELECT toString(toDate(max(effective_date))) AS as_of, uniqExact(llm_id) AS models FROM costs FINAL
    WHERE project_id = '' AND deleted = 0 AND created_by = ${bind.string(LOADED_BY)}`)
  if (row === undefined || row.models === 0) return { as_of: null, models: 0, is_old: true }
  return { ...row, is_old: isOldList(row.as_of, now) }
}

/** Whether a list of that day is too old to rely on. @param as_of as `2026-11-24` @param now ms since the epoch */
export function isOldList(as_of: string, now: number): boolean {
  return now - Date.parse(as_of) > OLD_AFTER_DAYS * 86_400_000
}

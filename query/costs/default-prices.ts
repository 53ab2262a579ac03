/**
 * Default prices: dated lists, such as the one that ships with the program. A list is loaded as rows without a project,
 * with ids derived from provider, model and day, so that loading it again adds nothing.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { nowMicros } from '../../platform/time/iso.js'

const name = z.string().min(1).max(512)
const price = z.number().min(0).max(1e12)
const COLUMNS = ['provider', 'model', 'prompt', 'completion', 'cache_read', 'cache_creation'] as const

const PriceList = z.object({
  as_of: z.iso.date(),
  unit: z.literal('USD per million tokens'),
  columns: z.tuple([
    z.literal(COLUMNS[0]),
    z.literal(COLUMNS[1]),
    z.literal(COLUMNS[2]),
    z.literal(COLUMNS[3]),
    z.literal(COLUMNS[4]),
    z.literal(COLUMNS[5]),
  ]),
  prices: z.array(z.tuple([name, name, price, price, price, price])).max(100_000),
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
  return parsePrices(readFileSync(new URL('./default-prices.json', import.meta.url), 'utf8'))
}

const PER = 1_000_000

/** Stores the new prices of `list`. @returns how many there were */
export async function loadPrices(store: Store, { as_of, prices }: PriceList): Promise<number> {
  const now = nowMicros()
  const rows = prices.map(([provider, model, prompt, completion, cacheRead, cacheCreation]) => ({
    id: createHash('sha256')
      .update(JSON.stringify([provider, model, as_of]))
      .digest('hex')
      .slice(0, 32),
    llm_id: model,
    provider_id: provider,
    effective_date: `${as_of}T00:00:00Z`,
    prompt: prompt / PER,
    completion: completion / PER,
    cache_read: cacheRead / PER,
    cache_creation: cacheCreation / PER,
    prompt_unit: 'USD',
    completion_unit: 'USD',
    created_at: new Date(Math.floor(now / 1000)).toISOString(),
    created_by: 'heddle',
    ver: now,
  }))
  const known = await store.rows<{ id: string }>(sql`SELECT id FROM costs FINAL
    WHERE project_id = '' AND effective_date = toDateTime64(${bind.string(as_of)}, 6, 'UTC')`)
  const there = new Set(known.map(({ id }) => id))
  const missing = rows.filter(({ id }) => !there.has(id))
  await store.insertRows('costs', missing)
  return missing.length
}

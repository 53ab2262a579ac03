/** Checks a store for `heddle doctor`: tables, clock, disk, log tables and secrets. */

import { diskBytes } from '../../domain/retention/space.js'
import { leftFree } from '../../platform/clickhouse/disk-room.js'
import { checkNotNewer, planMigrations } from '../../platform/clickhouse/migrate.js'
import { brokenParts, namesOf, type Part, unreadableParts } from '../../platform/clickhouse/parts.js'
import { sql } from '../../platform/clickhouse/sql.js'
import { Store, type StoreOptions } from '../../platform/clickhouse/store.js'
import { defaultPrices } from '../../query/costs/default-prices.js'
import { secretsOf } from '../keys/secrets.js'
import { version } from '../version.js'
import { clockFinding } from './clock.js'
import type { Finding } from './finding.js'

const GIB = 2 ** 30
const TIMEOUT_MS = 5000

export interface StoreQuestion {
  options: StoreOptions
  /** how to call it */
  what: string
  /** a server, whose disk and log tables are checked, too; else the embedded engine */
  server: boolean
  secretsKey: string | undefined
  /** whether to read everything */
  checkParts: boolean
}

/** Runs all checks; never throws. */
export async function storeFindings({
  options,
  what,
  server,
  secretsKey,
  checkParts,
}: StoreQuestion): Promise<Finding[]> {
  const store = new Store({ ...options, connections: 2 })
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const row = await store.row<{ version: string }>(sql`SELECT version() AS version`, { signal })
    return [
      versionSaid(what, row?.version ?? ''),
      ...(await tables(store, secretsKey)),
      await checked('clock of the store', () => clockFinding('clock of the store', () => timeOf(store))),
      await checked('parts', () => parts(store)),
      ...(checkParts ? [await checked('checksums', () => checksums(store))] : []),
      ...(server
        ? [await checked('disk', () => disk(store)), await checked('log tables', () => logs(store))]
        : []),
    ]
  } catch (error) {
    const { cause } = error as Error
    const text = `${what}: ${cause instanceof Error ? cause.message : (error as Error).message}`
    const todo = 'check CLICKHOUSE_URL, CLICKHOUSE_USER and CLICKHOUSE_PASSWORD, and that the server is up'
    return [{ name: 'store', state: 'fail', text, todo }]
  } finally {
    await store.close()
  }
}

/** The first release that knows every setting of our reads. */
const OLDEST = [25, 12] as const

/** @param version as the store reports it */
export function versionSaid(what: string, version: string): Finding {
  const text = `${what}, ClickHouse ${version}`
  const [year = 0, month = 0] = version.split('.').map(Number)
  if (year > OLDEST[0] || (year === OLDEST[0] && month >= OLDEST[1]))
    return { name: 'store', state: 'ok', text }
  const todo = `update it to ${OLDEST.join('.')} or later: older releases refuse settings that reads need`
  return { name: 'store', state: 'fail', text, todo }
}

/** A check that must not stop the others: the user may lack a right that only the doctor needs. */
async function checked(name: string, check: () => Promise<Finding>): Promise<Finding> {
  try {
    return await check()
  } catch (error) {
    const text = `check failed: ${(error as Error).message}`
    return { name, state: 'warn', text, todo: 'allow CLICKHOUSE_USER to read the tables of `system`' }
  }
}

async function tables(store: Store, secretsKey: string | undefined): Promise<Finding[]> {
  const name = 'tables'
  try {
    const plan = await planMigrations(store)
    checkNotNewer(plan, version())
    const { pending } = plan
    if (pending.length > 0) {
      const text = `${pending.length} migrations are pending`
      const todo = 'run `heddle migrate`; `heddle up` runs it at start'
      return [{ name, state: 'warn', text, todo }]
    }
    const tables: Finding = { name, state: 'ok', text: 'up to date' }
    return [
      tables,
      await checked('secrets key', () => secrets(store, secretsKey)),
      await checked('prices', () => prices(store)),
    ]
  } catch (error) {
    return [{ name, state: 'fail', text: (error as Error).message, todo: 'see docs/migrations.md' }]
  }
}

async function secrets(store: Store, secretsKey: string | undefined): Promise<Finding> {
  const name = 'secrets key'
  const all = secretsOf(store, { secretsKey })
  const stored = (await all.list()).length
  if (secretsKey === undefined) {
    if (stored === 0) {
      const text = "not set: keys of model providers can't be stored"
      const todo =
        'set HEDDLE_SECRETS_KEY to a random text, such as of `openssl rand -hex 32`; only calls to model providers need it'
      return { name, state: 'warn', text, todo }
    }
    const text = `not set, but ${stored} keys of model providers are stored`
    return { name, state: 'fail', text, todo: 'set HEDDLE_SECRETS_KEY to the key they were stored with' }
  }
  if (stored === 0) return { name, state: 'ok', text: 'set; no secrets stored yet' }
  const closed = await all.unreadable()
  if (closed.length === 0) return { name, state: 'ok', text: `decrypts all ${stored} stored keys` }
  const shown = closed.map(({ scope, name: called }) => `${called} of ${scope}`).join(', ')
  const todo =
    'set HEDDLE_SECRETS_KEY to the key they were stored with, or store them again with `heddle secrets set`'
  return { name, state: 'fail', text: `can't decrypt ${shown}`, todo }
}

/** Of when the prices are by which calls cost. @param now ms since the epoch */
export async function prices(store: Store, now = Date.now()): Promise<Finding> {
  const name = 'prices'
  const { as_of, models, is_old } = await defaultPrices(store, now)
  const todo = 'update this program, or load a newer list with `heddle costs load <file>`'
  if (as_of === null) return { name, state: 'warn', text: 'no default prices', todo }
  const text = `of ${as_of}, for ${models} models`
  if (!is_old) return { name, state: 'ok', text }
  return { name, state: 'warn', text: `${text}: providers have changed theirs since`, todo }
}

async function timeOf(store: Store): Promise<number> {
  const row = await store.row<{ ms: number }>(sql`SELECT toUnixTimestamp64Milli(now64(3)) AS ms`)
  return Number(row?.ms)
}

async function parts(store: Store): Promise<Finding> {
  const broken = await brokenParts(store)
  const name = 'parts'
  if (broken.length === 0) return { name, state: 'ok', text: 'none set aside' }
  const text = `the rows of unreadable parts are missing, which the store set aside (${broken.length}): ${namesOf(broken)}`
  return { name, state: 'warn', text, todo: 'see docs/runbooks/HeddlePartsBroken.md' }
}

async function checksums(store: Store): Promise<Finding> {
  const name = 'checksums'
  const found: Part[] = []
  for await (const part of unreadableParts(store)) found.push(part)
  if (found.length === 0) return { name, state: 'ok', text: 'all parts are intact' }
  const todo = found
    .slice(0, 5)
    .map((part) => `\`heddle set-aside ${part.table} ${part.name}\``)
    .join(', ')
  const text = `${found.length} parts are damaged: ${namesOf(found)}`
  return {
    name,
    state: 'fail',
    text,
    todo: `${todo}: reads then work without their rows; or restore a backup`,
  }
}

async function disk(store: Store): Promise<Finding> {
  const { free, size } = await diskBytes(store)
  return diskSaid(free, size)
}

/** Merges need free space, so a tenth is little, unless it is still a lot. @param free bytes */
export function diskSaid(free: number, size: number): Finding {
  const text = `${(free / GIB).toFixed(1)} of ${(size / GIB).toFixed(1)} GiB are free on the store's fullest disk`
  const todo = 'enlarge the disk, or keep less (`heddle retention`); a full store refuses writes'
  if (free < leftFree(size)) return { name: 'disk', state: 'fail', text: `${text}: writes are refused`, todo }
  if (free < GIB || (free < 0.02 * size && free < 20 * GIB))
    return { name: 'disk', state: 'fail', text, todo }
  if (free < 0.1 * size && free < 100 * GIB) return { name: 'disk', state: 'warn', text, todo }
  return { name: 'disk', state: 'ok', text }
}

async function logs(store: Store): Promise<Finding> {
  const name = 'log tables'
  const rows = await store.rows<{ name: string; bytes: number }>(sql`
    SELECT name, toUInt64(ifNull(total_bytes, 0)) AS bytes FROM system.tables
    WHERE database = 'system' AND match(name, '_log(_[0-9]+)?$') AND engine LIKE '%MergeTree'
      AND engine_full NOT LIKE '% TTL %' ORDER BY bytes DESC, name`)
  if (rows.length === 0) return { name, state: 'ok', text: 'all have a TTL' }
  const bytes = rows.reduce((sum, row) => sum + Number(row.bytes), 0)
  const some = rows.slice(0, 4).map((row) => row.name)
  const more = rows.length > some.length ? ` and ${rows.length - some.length} more` : ''
  const text = `no TTL on ${some.join(', ')}${more}, ${(bytes / GIB).toFixed(2)} GiB so far`
  const todo = "set a TTL in the server's configuration: docs/operate/retention.md"
  return { name, state: 'warn', text, todo }
}

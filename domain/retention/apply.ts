/**
 * Deletes expired calls and the data attached to them, and waits until the space is free again. A mutation rewrites the
 * affected parts, which is expensive, so it runs rarely and only if there is something to delete.
 */
import { mutationsEnd } from '../../platform/clickhouse/mutations.js'
import { bind, ident, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { noteRun, readPolicies } from './policies.js'
import { type Expired, expired } from './policy.js'
import { diskBytes } from './space.js'

/** The fraction of the cap that remains used after deleting for it. */
const AFTER_CAP = 0.9
/** Calls younger than this are never deleted for lack of space. */
const YOUNG_MS = 3_600_000

/** The age of a row in each table; only rows that belong to calls expire. */
const TABLES = {
  calls: sql`started_at`,
  // An end without its start has no start time.
  calls_open: sql`fromUnixTimestamp64Micro(toInt64(ver), 'UTC')`,
  feedback: sql`if(call_id = '', toDateTime64('2299-01-01', 6, 'UTC'), created_at)`,
  responses: sql`created_at`,
  call_tokens: sql`created_at`,
} as const

export interface Deleted {
  /** rows deleted, or to be deleted, by table */
  rows: Record<keyof typeof TABLES, number>
  reason: 'age' | 'disk'
  /** ms since 1970 */
  before: number
}

export interface RetentionOptions {
  /** only counts */
  dry?: boolean
  /** ms since 1970 */
  now?: number
  signal?: AbortSignal
}

/**
 * Deletes expired calls; then, if the tables still exceed their cap, the oldest calls.
 * @returns one entry per reason that deleted something
 * @throws Error with ClickHouse's message if a delete fails
 */
export async function applyRetention(store: Store, options: RetentionOptions = {}): Promise<Deleted[]> {
  const { now = Date.now() } = options
  const { policies, cap } = await readPolicies(store)
  const projects = await store.rows<{ project_id: string; name: string }>(
    sql`SELECT DISTINCT project_id, name FROM projects`,
  )
  const known = new Map(projects.map(({ project_id, name }) => [project_id, name]))
  const groups = expired(policies, known, now)
  const done: Deleted[] = []
  if (groups.length > 0) {
    const before = groups.length === 1 ? groups[0]!.before : 0
    done.push(...(await take(store, { reason: 'age', before, where: (at) => ages(groups, at) }, options)))
  }
  const before = cap > 0 ? await capped(store, cap, now) : undefined
  if (before !== undefined) {
    const where = (at: Sql) => sql`${at} < ${moment(before)}`
    done.push(...(await take(store, { reason: 'disk', before, where }, options)))
  }
  return done
}

interface Task {
  reason: Deleted['reason']
  before: number
  where: (at: Sql) => Sql
}

async function take(
  store: Store,
  { reason, before, where }: Task,
  options: RetentionOptions,
): Promise<Deleted[]> {
  const began = performance.now()
  const rows = { calls: 0, calls_open: 0, feedback: 0, responses: 0, call_tokens: 0 }
  for (const table of Object.keys(TABLES) as (keyof typeof TABLES)[]) {
    const those = sql`FROM ${ident(table)} WHERE ${where(TABLES[table])}`
    rows[table] = (await store.value<number>(sql`SELECT count() ${those}`)) ?? 0
  }
  if (Object.values(rows).every((count) => count === 0)) return []
  if (options.dry) return [{ rows, reason, before }]
  let error = ''
  try {
    for (const table of Object.keys(TABLES) as (keyof typeof TABLES)[]) {
      if (rows[table] > 0) await remove(store, table, where(TABLES[table]), options.signal)
    }
  } catch (failure) {
    error = (failure as Error).message
    throw failure
  } finally {
    const seconds = (performance.now() - began) / 1000
    await noteRun(store, { reason, before, calls: error === '' ? rows.calls : 0, seconds, error })
  }
  return [{ rows, reason, before }]
}

/** Deletes rows and waits for the mutation to end. */
async function remove(
  store: Store,
  table: keyof typeof TABLES,
  where: Sql,
  signal: AbortSignal | undefined,
): Promise<void> {
  // Don't wait within the statement: a mutation may outlast a connection.
  await store.run(sql`ALTER TABLE ${store.mutable(table)} DELETE WHERE ${where}`, {
    settings: { mutations_sync: '0' },
  })
  await mutationsEnd(store, table, signal)
}

function ages(groups: readonly Expired[], at: Sql): Sql {
  const parts = groups.map(({ before, only, projects }) => {
    const which = only
      ? sql`project_id IN ${bind.strings(projects)}`
      : sql`project_id NOT IN ${bind.strings(projects)}`
    return sql`(${which} AND ${at} < ${moment(before)})`
  })
  return parts.reduce((all, part) => sql`${all} OR ${part}`)
}

/** Delete calls before this (ms since 1970) for the tables to fit; undefined if they fit. */
async function capped(store: Store, cap: number, now: number): Promise<number | undefined> {
  const { total, calls } = await diskBytes(store)
  if (total <= cap || calls === 0) return undefined
  const part = Math.min(1, (total - cap * AFTER_CAP) / calls)
  const row = await store.row<{ before: number }>(sql`
    SELECT toInt64(quantileTDigest(${bind.float(part)})(toUnixTimestamp64Milli(started_at))) AS before FROM calls`)
  return Math.min(Number(row?.before ?? 0), now - YOUNG_MS)
}

function moment(ms: number): Sql {
  return sql`fromUnixTimestamp64Milli(${bind.int(Math.round(ms))}, 'UTC')`
}

/**
 * What a starting process has to know of what others, or it before, have stored lately: the ids of the last minutes
 * and the largest version.
 */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import type { VersionClock } from '../../platform/time/versions.js'
import type { RecentIds } from './recent-ids.js'

/** Ids of the last minutes are loaded, as clients retry for so long, but not more than this many. */
const WINDOW_SECONDS = 600
const IDS = 2_000_000
/** All ids of a store with so few calls are loaded, so that no id which was not met has to be looked for. */
const FEW = 500_000
const SLICE = 10_000_000

export interface Preloaded {
  /** condition on `calls` that holds for the rows that were loaded */
  readonly rows: Sql
  /** hashes of identities that were met twice */
  readonly twice: readonly [number, number][]
  /** all calls were loaded */
  readonly all: boolean
}

/** The identity as `id-hash.ts` says: a span's id is only unique within its trace. */
const HASHES = sql`murmurHash3_32(identity) AS hash, murmurHash2_32(identity) AS print`
const IDENTITY = sql`concat(project_id, id, if(length(id) = 16, trace_id, '')) AS identity`

/**
 * Loads what is recent into `recent` and moves `clock` above it.
 * @param alone no other process writes calls
 */
export async function preload(
  store: Store,
  recent: RecentIds,
  clock: VersionClock,
  alone: boolean,
): Promise<Preloaded> {
  const all = alone && (await hasAtMost(store, Math.min(FEW, recent.capacity)))
  const parts = all ? sql`1` : await recentParts(store, 2 * WINDOW_SECONDS)
  const oldest = all ? 0 : Date.now() * 1000 - WINDOW_SECONDS * 1e6
  const rows = sql`${parts} AND ver >= ${bind.uint(oldest)}`
  const slices = await store.rows<{ slice: number; ids: number; newest: number }>(sql`
    SELECT intDiv(ver, ${bind.uint(SLICE)}) AS slice, count() AS ids, max(ver) AS newest
    FROM calls WHERE ${rows} GROUP BY slice ORDER BY slice DESC`)
  // The newest slices that are not too many; all of them, if they are few.
  let since = oldest
  let ids = 0
  for (const slice of slices) {
    clock.startAbove(slice.newest)
    ids += slice.ids
    if (ids > IDS) break
    since = slice.slice * SLICE
  }
  if (ids <= IDS) since = oldest
  const open = await store.row<{ newest: number }>(sql`SELECT max(ver) AS newest FROM calls_open`)
  clock.startAbove(open?.newest ?? 0)
  const twice: [number, number][] = []
  const recentRows = sql`ver >= ${bind.uint(since)}`
  await add(store, sql`calls WHERE ${parts} AND ${recentRows}`, recent, twice)
  // Written before, by clients whose clocks are ahead: their ids look as if they were written since then.
  const begun = sql`started_at >= fromUnixTimestamp64Micro(${bind.time(since)}, 'UTC')`
  const ahead = sql`calls WHERE ${begun} AND ver < ${bind.uint(since)} LIMIT ${bind.uint(IDS)}`
  if (!all) await add(store, ahead, recent, [])
  // A call may well be in both tables: that is not twice.
  await add(store, sql`calls_open WHERE ${recentRows} OR ${begun}`, recent, [])
  // Renamed before they were stored.
  await add(store, sql`(SELECT project_id, id, '' AS trace_id FROM call_names)`, recent, [])
  recent.coverFrom(all ? Number.NEGATIVE_INFINITY : since / 1000)
  return { rows: sql`${parts} AND ${recentRows}`, twice, all }
}

/** Whether the tables of calls have so few rows. Those that were replaced count until they are merged. */
async function hasAtMost(store: Store, most: number): Promise<boolean> {
  const found = await store.row<{ rows: number }>(
    sql`SELECT (SELECT count() FROM calls) + (SELECT count() FROM calls_open) AS rows`,
  )
  return found!.rows <= most
}

/**
 * All parts but those that were written more than `seconds` ago: only they can hold rows that are new. Named by what is
 * left out, for a part that comes of a merge meanwhile must be read. Of a distributed table the parts are elsewhere.
 */
export async function recentParts(store: Store, seconds: number): Promise<Sql> {
  const here = sql`database = currentDatabase()`
  const old = sql`SELECT groupArray(name) FROM system.parts
    WHERE ${here} AND table = 'calls' AND active AND modification_time <= now() - ${bind.uint(seconds)}`
  const table = await store.row<{ engine: string; old: string[] }>(
    sql`SELECT engine, (${old}) AS old FROM system.tables WHERE ${here} AND name = 'calls'`,
  )
  if (!table?.engine.endsWith('MergeTree')) return sql`1`
  return sql`_part NOT IN ${bind.strings(table.old)}`
}

async function add(store: Store, rows: Sql, recent: RecentIds, twice: [number, number][]): Promise<void> {
  const bytes = await store.stream(sql`SELECT ${HASHES} FROM (SELECT ${IDENTITY} FROM ${rows})`, 'RowBinary')
  let rest = Buffer.alloc(0)
  for await (const chunk of bytes) {
    const buffer = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    let at = 0
    for (; at + 8 <= buffer.length; at += 8) {
      const hash = buffer.readUInt32LE(at)
      const print = buffer.readUInt32LE(at + 4)
      if (recent.add(hash, print) && twice.length < 10_000) twice.push([hash, print])
    }
    rest = buffer.subarray(at)
  }
}

/** Condition on rows whose identity has one of these hashes. */
export function withHashes(pairs: readonly (readonly [number, number])[]): Sql {
  const tuples = bind.tuples(
    ['UInt64', 'UInt64'],
    pairs.map(([hash, print]) => [hash, print]),
  )
  return sql`(toUInt64(murmurHash3_32(identity)), toUInt64(murmurHash2_32(identity))) IN ${tuples}`
}

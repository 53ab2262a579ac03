/**
 * Backs up the tables and the artifacts, and restores them into an empty store.
 *
 * ClickHouse's BACKUP omits patch parts (its issue 116677), so recent updates and deletes would be lost silently. They
 * are applied first. The backup has everything that was acknowledged before it began, and part of what is written
 * meanwhile.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Artifacts } from '../../../platform/artifacts/artifacts.js'
import { isSharded, type Table } from '../../../platform/clickhouse/cluster.js'
import { mutationsEnd } from '../../../platform/clickhouse/mutations.js'
import { bind, ident, sql } from '../../../platform/clickhouse/sql.js'
import type { Store } from '../../../platform/clickhouse/store.js'
import { ARTIFACTS_FOLDER, type Manifest, writeManifest } from './manifest.js'
import { backupStatement, restoreStatement } from './statement.js'

const LOOK_MS = 200
/** Tables whose rows are updated and deleted by patches. */
const PATCHED = ['calls', 'calls_open'] as const satisfies readonly Table[]

/** Reports progress: what is counted, the number so far, and the total (0: unknown). */
export type OnProgress = (what: string, done: number, total: number) => void

export interface BackupOptions {
  cluster: string | undefined
  /** of ClickHouse's files, as a statement writes it */
  location: string
  /** of an earlier backup that this one adds to */
  base?: { location: string; address: string } | undefined
  /** of the whole backup */
  address: string
  version: string
  artifacts: { from: Artifacts; address: string } | undefined
  onProgress?: OnProgress
}

/** Writes a backup; `to` gets the artifacts and, last of all, the manifest. */
export async function backup(store: Store, to: Artifacts, options: BackupOptions): Promise<Manifest> {
  const begun = new Date().toISOString()
  const { database, tables } = await ownTables(store)
  for (const table of PATCHED) await applyPatches(store, table)
  const id = `heddle-${randomUUID()}`
  const names = { database, tables, cluster: options.cluster }
  options.onProgress?.('MiB of tables to copy', await mebibytes(store), 0)
  await store.runTrusted(backupStatement(names, options.location, id, options.base?.location))
  await ended(store, id)
  // Artifacts come after the rows: an artifact is stored before the row that names it.
  const artifactCount = options.artifacts
    ? await copy(options.artifacts.from, '', to, ARTIFACTS_FOLDER, options.onProgress)
    : 0
  const calls = await store.row<{ n: number }>(sql`SELECT count() AS n FROM calls`)
  const applied = await store.rows<{ file: string }>(sql`SELECT file FROM migrations FINAL ORDER BY file`)
  const manifest: Manifest = {
    ...{ format: 1, version: options.version, begun, ended: new Date().toISOString(), database, tables },
    migrations: applied.map(({ file }) => file),
    calls: calls?.n ?? 0,
    artifacts: options.artifacts?.address ?? null,
    artifactCount,
    base: options.base?.address ?? null,
    address: options.address,
  }
  await writeManifest(to, manifest)
  return manifest
}

export interface RestoreOptions {
  cluster: string | undefined
  location: string
  /** of the backup that it is based on, as a statement writes it */
  base?: string | undefined
  artifacts: { to: Artifacts; address: string } | undefined
  onProgress?: OnProgress
}

/**
 * Restores a backup. @throws Error if the store has tables of ours, or the artifacts have nowhere to go
 */
export async function restore(
  store: Store,
  from: Artifacts,
  manifest: Manifest,
  options: RestoreOptions,
): Promise<void> {
  const { database, tables } = await ownTables(store)
  const there = tables.filter((table) => manifest.tables.includes(table))
  if (there.length > 0)
    throw new Error(`the database ${database} already has tables (${there[0]}, …); restore into an empty one`)
  if (options.cluster !== undefined && database !== manifest.database)
    throw new Error(`on a cluster the database keeps its name: set CLICKHOUSE_DATABASE=${manifest.database}`)
  if (manifest.artifactCount > 0 && !options.artifacts)
    throw new Error('the backup contains artifacts; set HEDDLE_ARTIFACTS to restore them to')
  const id = `heddle-${randomUUID()}`
  const names = { database: manifest.database, tables: manifest.tables, cluster: options.cluster }
  await store.runTrusted(restoreStatement(names, database, options.location, id, options.base))
  await ended(store, id, options.onProgress)
  if (options.artifacts && manifest.artifactCount > 0) {
    await copy(from, ARTIFACTS_FOLDER, options.artifacts.to, '', options.onProgress)
    if (manifest.artifacts !== null) await moved(store, manifest.artifacts, options.artifacts.address)
  }
}

/** Heddle's tables in this database, including the local tables of Distributed ones. */
async function ownTables(store: Store): Promise<{ database: string; tables: string[] }> {
  const current = await store.row<{ name: string }>(sql`SELECT currentDatabase() AS name`)
  const rows = await store.rows<{ name: string }>(sql`
    SELECT name FROM system.tables WHERE database = currentDatabase() AND NOT is_temporary ORDER BY name`)
  const tables = rows.map(({ name }) => name).filter(isOwn)
  return { database: current?.name ?? 'default', tables }
}

function isOwn(table: string): boolean {
  try {
    isSharded(table.replace(/_local$/, ''))
    return true
  } catch {
    return false
  }
}

async function applyPatches(store: Store, table: (typeof PATCHED)[number]): Promise<void> {
  const patches = await store.row<{ n: number }>(sql`
    SELECT count() AS n FROM ${store.everywhere('system.parts')}
    WHERE database = currentDatabase() AND table IN (${bind.string(table)}, ${bind.string(`${table}_local`)})
      AND active AND startsWith(name, 'patch-')`)
  if (patches?.n === 0) return
  await store.run(sql`ALTER TABLE ${store.mutable(table)} APPLY PATCHES`, {
    settings: { mutations_sync: '0' },
  })
  await mutationsEnd(store, table)
}

/** The size of the tables. */
async function mebibytes(store: Store): Promise<number> {
  const row = await store.row<{ n: number }>(sql`
    SELECT toUInt64(ceil(sum(bytes_on_disk) / 1048576)) AS n FROM ${store.everywhere('system.parts')}
    WHERE database = currentDatabase() AND active`)
  return Number(row?.n ?? 0)
}

interface Progress {
  status: string
  error: string
  /** in the backup; 0 while it is made */
  num_files: number
  files_read: number
}

/** Waits for a BACKUP or RESTORE. @throws Error with ClickHouse's message */
async function ended(store: Store, id: string, onProgress?: OnProgress): Promise<void> {
  for (;;) {
    const row = await store.row<Progress>(sql`
      SELECT toString(status) AS status, error, num_files, files_read FROM ${store.everywhere('system.backups')}
      WHERE id = ${bind.string(id)} LIMIT 1`)
    if (row && Number(row.num_files) > 0) onProgress?.('files', Number(row.files_read), Number(row.num_files))
    if (row?.status === 'BACKUP_CREATED' || row?.status === 'RESTORED') return
    if (row && !/^(CREATING_BACKUP|RESTORING)$/.test(row.status))
      throw new Error(`ClickHouse says ${row.error.split(', Stack trace')[0] || row.status}`)
    await sleep(LOOK_MS)
  }
}

/** Copies every artifact below a prefix, a piece at a time; returns how many. */
async function copy(
  from: Artifacts,
  prefix: string,
  to: Artifacts,
  under: string,
  onProgress?: OnProgress,
): Promise<number> {
  let count = 0
  for await (const key of from.keys(prefix)) {
    const content = await from.get(key)
    const name = prefix === '' ? key : key.slice(prefix.length + 1)
    if (!content) continue
    await to.write(under === '' ? name : `${under}/${name}`, content)
    onProgress?.('artifacts', ++count, 0)
  }
  return count
}

/** Rows name artifacts by absolute addresses: updates these after a move. */
async function moved(store: Store, before: string, after: string): Promise<void> {
  const [old, next] = [before, after].map((address) => `${address.replace(/\/+$/, '')}/`)
  if (old === undefined || next === undefined || old === next) return
  const columns = await store.rows<{ table: Table; name: string }>(sql`
    SELECT table, name FROM system.columns
    WHERE database = currentDatabase() AND type = 'String' AND (name = 'address' OR endsWith(name, '_address'))`)
  for (const { table, name } of columns.filter((column) => isOwn(column.table))) {
    if (table.endsWith('_local')) continue
    const column = ident(name)
    await store.run(
      sql`ALTER TABLE ${store.mutable(table)}
          UPDATE ${column} = concat(${bind.string(next)}, substring(${column}, ${bind.uint(Buffer.byteLength(old) + 1)}))
          WHERE startsWith(${column}, ${bind.string(old)})`,
      { settings: { mutations_sync: '2' } },
    )
  }
}

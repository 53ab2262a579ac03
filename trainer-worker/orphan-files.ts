/**
 * Removes files that no row references: those of processes that died before writing the row, and of attempts whose job
 * another attempt finished. It waits a day, until no process can still be writing them.
 */
import { addressOf } from '../domain/training/artifact-keys.js'
import { OPEN } from '../domain/training/jobs.js'
import { modelLease } from '../domain/training/models.js'
import { removeBelow } from '../platform/artifacts/artifacts.js'
import { bind, type Sql, sql } from '../platform/clickhouse/sql.js'
import type { Store } from '../platform/clickhouse/store.js'
import { uuid7Time } from '../platform/ids/uuid7.js'
import type { FileParts } from './files.js'

/** Uploads take hours, and clocks differ. */
const OLD_MS = 24 * 3_600_000
const PART = 1000

/** What a file belongs to, by its key. */
type Owner =
  | { kind: 'data' | 'log'; id: string; key: string }
  /** `key` is the folder's */
  | { kind: 'checkpoint'; model: string; step: number; key: string }

const DATA = /^training\/[\w-]+\/jobs\/([\w-]+)\/data\.jsonl$/
const LOG = /^training\/[\w-]+\/logs\/([\w-]+)\.jsonl$/
/** Writers that died leave `.step3-a1.<process>.part` and `.gone`. */
const CHECKPOINT = /^(training\/([\w-]+)\/checkpoints\/(?:step(\d+)-a\d+|\.step(\d+)-a\d+\.[\w.]+))\//

/** @returns undefined for a file that isn't ours to remove. Pure. */
function ownerOf(key: string): Owner | undefined {
  const data = DATA.exec(key)
  if (data) return { kind: 'data', id: data[1]!, key }
  const log = LOG.exec(key)
  if (log) return { kind: 'log', id: log[1]!, key }
  const [, folder, model, step, hidden] = CHECKPOINT.exec(key) ?? []
  if (folder === undefined || model === undefined) return undefined
  return { kind: 'checkpoint', model, step: Number(step ?? hidden), key: folder }
}

/** Checks every file of training. @param now ms since 1970 @returns the removed keys, one per folder */
export async function removeOrphanFiles(parts: FileParts, now: number = Date.now()): Promise<string[]> {
  const files = new Map<string, Owner & { kind: 'data' | 'log' }>()
  const folders = new Map<string, Owner & { kind: 'checkpoint' }>()
  const old = (id: string) => now - (uuid7Time(id) ?? now) > OLD_MS
  for await (const key of parts.artifacts.keys('training')) {
    const owner = ownerOf(key)
    if (owner?.kind === 'checkpoint') folders.set(owner.key, owner)
    else if (owner && old(owner.id)) files.set(key, owner)
  }
  return [
    ...(await unknownFiles(parts, [...files.values()])),
    ...(await unknownFolders(parts, [...folders.values()], now)),
  ]
}

async function unknownFiles(
  { store, artifacts }: FileParts,
  files: readonly (Owner & { kind: 'data' | 'log' })[],
): Promise<string[]> {
  const removed: string[] = []
  for (const part of parted(files)) {
    const ids = (kind: Owner['kind']) => part.filter((one) => one.kind === kind).map(({ id }) => id)
    const [jobs, logs] = await Promise.all([jobsKnown(store, ids('data')), logsKnown(store, ids('log'))])
    for (const { kind, id, key } of part) {
      // Data still under incoming/ was never taken, whether its job exists or not.
      const waits = key.startsWith('training/incoming/')
      if (!waits && (kind === 'data' ? jobs : logs).has(id)) continue
      await artifacts.delete(key)
      removed.push(key)
    }
  }
  return removed
}

async function unknownFolders(
  parts: FileParts,
  folders: readonly (Owner & { kind: 'checkpoint' })[],
  now: number,
): Promise<string[]> {
  const { store, root } = parts
  const removed: string[] = []
  for (const part of parted(folders)) {
    const known = await checkpointAddresses(store, [...new Set(part.map(({ model }) => model))])
    for (const folder of part)
      if (!known.has(addressOf(root, folder.key)) && (await removeAttempt(parts, folder, now)))
        removed.push(folder.key)
  }
  return removed
}

/** Holds the lease that adding a job takes: while no job is open, no process writes there or can begin to. */
function removeAttempt(
  { store, leases, artifacts, root }: FileParts,
  { model, step, key }: Owner & { kind: 'checkpoint' },
  now: number,
): Promise<boolean> {
  return leases.hold(modelLease(model), async () => {
    const over = (await stepsOver(store, model))?.get(step)
    if (over === undefined || now - over / 1000 <= OLD_MS) return false
    // A row may have been added since.
    if ((await checkpointAddresses(store, [model])).has(addressOf(root, key))) return false
    await removeBelow(artifacts, key)
    return true
  })
}

function* parted<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += PART) yield all.slice(at, at + PART)
}

/** The `ids` that are training jobs. */
const jobsKnown = (store: Store, ids: readonly string[]) => known(store, sql`training_jobs`, ids)

/** The `ids` that are logged trajectories. */
const logsKnown = (store: Store, ids: readonly string[]) => known(store, sql`model_logs`, ids)

async function known(store: Store, table: Sql, ids: readonly string[]): Promise<Set<string>> {
  const rows = await store.rows<{ id: string }>(
    sql`SELECT DISTINCT id FROM ${table} WHERE id IN ${bind.strings(ids)}`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** All addresses of these models' checkpoints, including deleted ones, whose rows track their own files. */
async function checkpointAddresses(store: Store, modelIds: readonly string[]): Promise<Set<string>> {
  const rows = await store.rows<{ address: string }>(
    sql`SELECT DISTINCT address FROM checkpoints WHERE model_id IN ${bind.strings(modelIds)}`,
  )
  return new Set(rows.map(({ address }) => address))
}

/** When the last job for each step of a model ended, µs since 1970; undefined while any of its jobs is open. */
async function stepsOver(store: Store, modelId: string): Promise<Map<number, number> | undefined> {
  const rows = await store.rows<{ step: number; open: number; finished: number }>(
    sql`SELECT step, countIf(status IN ${OPEN}) AS open,
               toUnixTimestamp64Micro(max(j.finished_at)) AS finished
        FROM training_jobs AS j FINAL WHERE model_id = ${bind.string(modelId)} GROUP BY step`,
  )
  if (rows.some(({ open }) => Number(open) > 0)) return undefined
  return new Map(rows.map(({ step, finished }) => [step, Number(finished)]))
}

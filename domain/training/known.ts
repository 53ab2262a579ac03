/** Which files the tables reference, and whether anything may still write them. */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { OPEN } from './jobs.js'

/** The `ids` that are training jobs. */
export const jobsKnown = (store: Store, ids: readonly string[]) => known(store, sql`training_jobs`, ids)

/** The `ids` that are logged trajectories. */
export const logsKnown = (store: Store, ids: readonly string[]) => known(store, sql`model_logs`, ids)

async function known(store: Store, table: Sql, ids: readonly string[]): Promise<Set<string>> {
  const rows = await store.rows<{ id: string }>(
    sql`SELECT DISTINCT id FROM ${table} WHERE id IN ${bind.strings(ids)}`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** All addresses of these models' checkpoints, including deleted ones, whose rows track their own files. */
export async function checkpointAddresses(store: Store, modelIds: readonly string[]): Promise<Set<string>> {
  const rows = await store.rows<{ address: string }>(
    sql`SELECT DISTINCT address FROM checkpoints WHERE model_id IN ${bind.strings(modelIds)}`,
  )
  return new Set(rows.map(({ address }) => address))
}

/** When the last job for each step of a model ended, µs since 1970; undefined while any of its jobs is open. */
export async function stepsOver(store: Store, modelId: string): Promise<Map<number, number> | undefined> {
  const rows = await store.rows<{ step: number; open: number; finished: number }>(
    sql`SELECT step, countIf(status IN ${OPEN}) AS open,
               toUnixTimestamp64Micro(max(j.finished_at)) AS finished
        FROM training_jobs AS j FINAL WHERE model_id = ${bind.string(modelId)} GROUP BY step`,
  )
  if (rows.some(({ open }) => Number(open) > 0)) return undefined
  return new Map(rows.map(({ step, finished }) => [step, Number(finished)]))
}

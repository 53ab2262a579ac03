/** Reads and writes retention policies. */
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { nextVersion } from '../../platform/time/versions.js'
import type { Policy } from './policy.js'

/** The scope of settings for the whole store. */
const STORE = ''

export interface Policies {
  policies: Policy[]
  /** most bytes of the tables on a node's disk; 0: unlimited */
  cap: number
}

export async function readPolicies(store: Store): Promise<Policies> {
  const [rows, own] = await Promise.all([
    store.rows<{ scope: string; days: number; bytes: number }>(
      sql`SELECT scope, days, bytes FROM retention FINAL WHERE live = 1 ORDER BY scope`,
    ),
    store.rows<{ scope: string; days: number }>(
      sql`SELECT project AS scope, days FROM project_retention FINAL WHERE live = 1 ORDER BY project`,
    ),
  ])
  return {
    policies: [
      ...rows.flatMap(({ scope, days }) => (scope === STORE ? [] : [{ scope, days }])),
      ...own.map((policy) => ({ ...policy, isOwn: true })),
    ],
    cap: rows.find(({ scope }) => scope === STORE)?.bytes ?? 0,
  }
}

/** Sets the operator's policy. @param days 0: for ever; undefined: inherits the wider scope's policy again */
export async function setPolicy(store: Store, scope: string, days: number | undefined): Promise<void> {
  const live = days === undefined ? 0 : 1
  await store.insertRows('retention', [{ scope, days: days ?? 0, bytes: 0, live, ver: nextVersion() }])
}

/** Sets what a project wants for itself. @param days undefined: as long as the operator keeps calls */
export async function setOwnPolicy(store: Store, project: string, days: number | undefined): Promise<void> {
  const live = days === undefined ? 0 : 1
  await store.insertRows('project_retention', [{ project, days: days ?? 0, live, ver: nextVersion() }])
}

/** @param bytes 0: no cap */
export async function setCap(store: Store, bytes: number): Promise<void> {
  await store.insertRows('retention', [{ scope: STORE, days: 0, bytes, live: 1, ver: nextVersion() }])
}

/** A run that deleted something, or failed. */
export interface Run {
  at: string
  reason: 'age' | 'disk'
  /** ms since 1970; 0: several policies applied */
  before: number
  calls: number
  seconds: number
  error: string
}

export async function noteRun(store: Store, run: Omit<Run, 'at'>): Promise<void> {
  await store.run(sql`
    INSERT INTO retention_runs (at, reason, before, calls, seconds, error)
    SELECT now64(6), ${bind.string(run.reason)}, fromUnixTimestamp64Milli(${bind.int(Math.round(run.before))}, 'UTC'),
      ${bind.uint(run.calls)}, ${bind.float(run.seconds)}, ${bind.string(run.error)}`)
}

/** The latest runs, newest first. */
export function lastRuns(store: Store, limit: number): Promise<Run[]> {
  return store.rows<Run>(sql`
    SELECT formatDateTime(at, '%Y-%m-%d %H:%i:%S', 'UTC') AS at, reason,
      toUnixTimestamp64Milli(before) AS before, calls, round(seconds, 1) AS seconds, error
    FROM retention_runs ORDER BY retention_runs.at DESC LIMIT ${bind.uint(limit)}`)
}

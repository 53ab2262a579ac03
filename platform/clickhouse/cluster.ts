/**
 * How the tables lie on a cluster: which are spread over its shards and by what, and what a writer calls them. Knows
 * nothing of their columns.
 */
import type { ClickHouseSettings } from '@clickhouse/client'
import { ident, type Sql, sql } from './sql.js'

/**
 * What decides a row's shard, or `everywhere`: small tables of which every node holds all rows.
 *
 * A call and its halves, updates and replacements must meet on one shard, and an end knows neither its call's trace
 * nor its start: so calls are spread by (project_id, id). A trace is then read from all shards at once, each by its
 * own index. Everything else lies by what identifies it, so that replacing engines see all versions of a row.
 */
const SHARDING = {
  calls: 'cityHash64(project_id, id)',
  calls_open: 'cityHash64(project_id, id)',
  calls_unsettled: 'cityHash64(project_id, id)',
  calls_moved: 'cityHash64(project_id, id)',
  objects: 'cityHash64(project_id, object_id)',
  object_tags: 'cityHash64(project_id, object_id)',
  object_aliases: 'cityHash64(project_id, object_id)',
  files: 'cityHash64(project_id, digest)',
  table_rows: 'cityHash64(project_id, upload)',
  table_index: 'cityHash64(project_id, digest)',
  tables: 'cityHash64(project_id, digest)',
  table_lists: 'cityHash64(list)',
  feedback: 'cityHash64(project_id, weave_ref)',
  annotation_queues: 'cityHash64(project_id, id)',
  annotation_queue_items: 'cityHash64(project_id, queue_id)',
  annotation_progress: 'cityHash64(project_id, queue_id)',
  costs: 'everywhere',
  evaluation_jobs: 'everywhere',
  training_events: 'cityHash64(project_id, job_id)',
  training_logs: 'cityHash64(project_id, job_id)',
  model_logs: 'cityHash64(project_id, model_id)',
  training_jobs: 'everywhere',
  models: 'everywhere',
  checkpoints: 'everywhere',
  secrets: 'everywhere',
  health: 'everywhere',
  projects: 'everywhere',
  api_keys: 'everywhere',
  sessions: 'everywhere',
  retention: 'everywhere',
  retention_runs: 'everywhere',
  migrations: 'everywhere',
  migration_lock: 'everywhere',
} as const

export type Table = keyof typeof SHARDING

/** How `table` is spread; throws for a table that nobody has decided on. */
export function shardingOf(table: string): string {
  const sharding: string | undefined = Object.hasOwn(SHARDING, table) ? SHARDING[table as Table] : undefined
  if (sharding === undefined)
    throw new Error(`say in platform/clickhouse/cluster.ts how "${table}" is spread over shards`)
  return sharding
}

/** True if a cluster has a `<table>_local` on each node and a Distributed table over them. */
export function isSharded(table: string): boolean {
  return shardingOf(table) !== 'everywhere'
}

/**
 * What UPDATE, DELETE FROM and ALTER TABLE call `table`: on a cluster the tables below, as a Distributed one takes none
 * of these. To read and to insert, a table's plain name is right everywhere.
 */
export function mutableName(table: Table, cluster: string | undefined): Sql {
  if (cluster === undefined || !isSharded(table)) return ident(table)
  return sql`${ident(`${table}_local`)} ON CLUSTER ${ident(cluster)}`
}

/**
 * Settings that every statement of a cluster needs to keep the promises that one server keeps by itself.
 * @param quorum replicas that have a row before it is acknowledged: auto, or a number
 */
export const clusterSettings = (quorum = 'auto'): ClickHouseSettings => ({
  // An insert is acknowledged when the shards have the rows, not when this node has noted to send them,
  distributed_foreground_insert: 1,
  // and when so many replicas of the shard have them.
  insert_quorum: quorum,
  // Subqueries over Distributed tables are run once, here, and their result is sent along.
  distributed_product_mode: 'global',
  // UPDATE and DELETE return when every replica is done.
  mutations_sync: '2',
  // What is acknowledged is read back: every reader asks the same replica while it lives.
  load_balancing: 'in_order',
})

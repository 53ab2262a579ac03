/** How tables are distributed over a cluster: which are sharded, by which key, and which name writers use. */
import type { ClickHouseSettings } from '@clickhouse/client'
import { ident, type Sql, sql } from './sql.js'

/**
 * The sharding key of each table, or `everywhere` for small tables of which every node holds all rows.
 *
 * A call and its halves, updates and replacements must be on one shard, and an end knows neither its call's trace nor
 * its start. So calls are sharded by (project_id, id), and a trace is read from all shards at once, each by its own
 * index. Other tables are sharded by identity, so that replacing engines see all versions of a row.
 */
const SHARDING = {
  calls: 'cityHash64(project_id, id)',
  calls_open: 'cityHash64(project_id, id)',
  calls_unsettled: 'cityHash64(project_id, id)',
  calls_moved: 'cityHash64(project_id, id)',
  call_names: 'cityHash64(project_id, id)',
  objects: 'cityHash64(project_id, object_id)',
  object_tags: 'cityHash64(project_id, object_id)',
  object_aliases: 'cityHash64(project_id, object_id)',
  files: 'cityHash64(project_id, digest)',
  media: 'cityHash64(project_id, id)',
  table_rows: 'cityHash64(project_id, upload)',
  table_index: 'cityHash64(project_id, digest)',
  tables: 'cityHash64(project_id, digest)',
  table_lists: 'cityHash64(list)',
  call_tokens: 'cityHash64(project_id, call_id)',
  feedback: 'cityHash64(project_id, weave_ref)',
  annotation_queues: 'cityHash64(project_id, id)',
  annotation_queue_items: 'cityHash64(project_id, queue_id)',
  annotation_progress: 'cityHash64(project_id, queue_id)',
  dataset_sources: 'cityHash64(project_id, dataset_object_id)',
  dataset_items: 'cityHash64(project_id, dataset_object_id)',
  costs: 'everywhere',
  evaluation_jobs: 'everywhere',
  monitor_progress: 'everywhere',
  monitor_backfills: 'everywhere',
  alerts: 'everywhere',
  alert_events: 'everywhere',
  alert_deliveries: 'everywhere',
  notification_channels: 'everywhere',
  rule_runs: 'everywhere',
  rule_progress: 'everywhere',
  audit: 'everywhere',
  audit_cursors: 'everywhere',
  mask_rules: 'everywhere',
  mask_counts: 'everywhere',
  batch_results: 'cityHash64(batch_id)',
  batch_files: 'everywhere',
  batches: 'everywhere',
  responses: 'cityHash64(owner, id)',
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
  sessions_seen: 'everywhere',
  session_tokens: 'everywhere',
  sign_in_links: 'everywhere',
  sign_in_claims: 'everywhere',
  users: 'everywhere',
  users_seen: 'everywhere',
  identities: 'everywhere',
  memberships: 'everywhere',
  teams: 'everywhere',
  team_members: 'everywhere',
  roles: 'everywhere',
  invitations: 'everywhere',
  shares: 'everywhere',
  share_views: 'everywhere',
  mentions: 'everywhere',
  mentions_seen: 'everywhere',
  scim_users: 'everywhere',
  signing_secrets: 'everywhere',
  retention: 'everywhere',
  project_retention: 'everywhere',
  project_token_ids: 'everywhere',
  project_signals: 'everywhere',
  retention_runs: 'everywhere',
  migrations: 'everywhere',
  migration_lock: 'everywhere',
} as const

export type Table = keyof typeof SHARDING

export const TABLES = Object.keys(SHARDING) as readonly Table[]

/** The sharding key of `table`; throws for a table that is not listed above. */
export function shardingOf(table: string): string {
  const sharding: string | undefined = Object.hasOwn(SHARDING, table) ? SHARDING[table as Table] : undefined
  if (sharding === undefined)
    throw new Error(`platform/clickhouse/cluster.ts has no sharding key for "${table}"; add one`)
  return sharding
}

/** True if a cluster has a `<table>_local` on each node under a Distributed table. */
export function isSharded(table: string): boolean {
  return shardingOf(table) !== 'everywhere'
}

/**
 * The name of `table` in UPDATE, DELETE FROM and ALTER TABLE: on a cluster the local tables, since a Distributed table
 * accepts none of these. SELECT and INSERT use the plain name everywhere.
 */
export function mutableName(table: Table, cluster: string | undefined): Sql {
  if (cluster === undefined || !isSharded(table)) return ident(table)
  return sql`${ident(`${table}_local`)} ON CLUSTER ${ident(cluster)}`
}

/**
 * Settings that give a cluster the guarantees of a single server.
 * @param quorum replicas that must have a row before it is acknowledged: auto, or a number
 */
export const clusterSettings = (quorum = 'auto'): ClickHouseSettings => ({
  // Acknowledge an insert when the shards have the rows, not when this node has queued them,
  distributed_foreground_insert: 1,
  // and when this many replicas of the shard have them.
  insert_quorum: quorum,
  // Run subqueries over Distributed tables once, here, and send their result along.
  distributed_product_mode: 'global',
  // Return from UPDATE and DELETE when every replica is done.
  mutations_sync: '2',
  // Read what was acknowledged: every reader asks the same replica while it is alive.
  load_balancing: 'in_order',
})

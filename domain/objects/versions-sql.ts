/** SQL over versions of objects: rows of one digest folded, indexes and `latest` derived. Pure. */
import { type Sql, sql } from '../../platform/clickhouse/sql.js'

/** One row per version under `where`, which may only use the sorting key; `from`: the table, or what says which of its rows are read. */
export function folded(where: Sql, from: Sql = sql`objects`): Sql {
  return sql`SELECT project_id, object_id, digest, max(kind) AS kind, max(base_class) AS base_class,
    max(leaf_class) AS leaf_class, max(bytes) AS bytes, min(created) AS first, max(written_ver) AS written,
    max(deleted_ver) AS deleted, written > deleted AS live
  FROM ${from} WHERE ${where} GROUP BY project_id, object_id, digest`
}

/**
 * Every version under `where`, with the fields derived from its neighbours, so `where` must select whole objects. A
 * deleted version keeps its index; `latest` is the live one that was written last.
 */
export function versions(where: Sql, from?: Sql): Sql {
  return sql`SELECT project_id, object_id, digest, kind, base_class, leaf_class, bytes,
    toUnixTimestamp64Micro(first.at) AS created_at, first.by AS user_id, if(live, 0, deleted) AS deleted_at,
    written AS written_ver, deleted AS deleted_ver, live,
    row_number() OVER (PARTITION BY project_id, object_id ORDER BY first, digest) - 1 AS version_index,
    live AND row_number() OVER (PARTITION BY project_id, object_id ORDER BY live DESC, written DESC, digest DESC) = 1 AS is_latest
  FROM (${folded(where, from)})`
}

/** The versions of objects that a request wants, as SQL. Pure. */
import { folded, versions } from '../../domain/objects/versions-sql.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Kind } from './classes.js'

/** One version without its value, times in µs since the epoch. */
export interface Version {
  project_id: string
  object_id: string
  digest: string
  kind: Kind
  base_class: string
  leaf_class: string
  bytes: number
  created_at: number
  user_id: string
  /** 0: live */
  deleted_at: number
  /** version of the last creation */
  written_ver: number
  /** version of the last deletion, even if it was created again; 0: never */
  deleted_ver: number
  version_index: number
  is_latest: number
}

/** An object by internal project id and object id. */
export interface ObjectKey {
  project: string
  object: string
}
export interface VersionKey extends ObjectKey {
  digest: string
}

/** The version key of a row. */
export const keyOf = (row: { project_id: string; object_id: string; digest: string }): VersionKey => ({
  project: row.project_id,
  object: row.object_id,
  digest: row.digest,
})

/** `(project_id, object_id) IN …` */
export function objectsIn(keys: readonly ObjectKey[]): Sql {
  const rows = keys.map(({ project, object }) => [project, object])
  return sql`(project_id, object_id) IN ${bind.tuples(['String', 'String'], rows)}`
}

/** `(project_id, object_id, digest) IN …` */
function versionsIn(keys: readonly VersionKey[]): Sql {
  const rows = keys.map(({ project, object, digest }) => [project, object, digest])
  return sql`(project_id, object_id, digest) IN ${bind.tuples(['String', 'String', 'String'], rows)}`
}

/** More names than these aren't told. */
const MOST_NAMES = 1000

/** The table for a statement that reads rows of these objects alone: it need not wait for others that are not in it yet. */
function objectsOf(keys: readonly ObjectKey[]): Sql {
  const names = [...new Set(keys.map(({ object }) => object))]
  if (names.length === 0 || names.length > MOST_NAMES) return sql`objects`
  return sql`objects /* only object_id = ${bind.strings(names)} */`
}

/** A wanted version of an object. */
export type Wanted = ObjectKey &
  ({ by: 'digest'; digest: string } | { by: 'index'; index: number } | { by: 'latest' })

/** The wanted versions, in no order. */
export function wantedVersions(wanted: readonly Wanted[]): Sql {
  const digests = wanted.flatMap((want) => (want.by === 'digest' ? [want] : []))
  const indexes = wanted.flatMap((want) => (want.by === 'index' ? [want] : []))
  const latest = wanted.filter((want) => want.by === 'latest')
  const some = [
    digests.length > 0 ? versionsIn(digests) : sql``,
    indexes.length > 0
      ? sql`(project_id, object_id, version_index) IN ${bind.tuples(
          ['String', 'String', 'UInt64'],
          indexes.map(({ project, object, index }) => [project, object, index]),
        )}`
      : sql``,
    // If no version is live, the last deleted one has the time of the deletion.
    latest.length > 0 ? sql`(${objectsIn(latest)} AND newest)` : sql``,
  ].filter((piece) => !piece.empty)
  const any = some.reduce((left, right) => sql`${left} OR ${right}`)
  return sql`SELECT * EXCEPT (live, newest) FROM (
    SELECT *, row_number() OVER (PARTITION BY project_id, object_id ORDER BY is_latest DESC, deleted_at DESC, digest) = 1 AS newest
    FROM (${versions(objectsIn(wanted), objectsOf(wanted))})
  ) WHERE ${any}`
}

/** The most rows that are read to fold them in this process. */
export const FEW_ROWS = 4000

/**
 * The stored rows of these objects, at most one more than {@link FEW_ROWS}, and the values of `valued` in separate rows
 * that have only their keys (`val` is empty in all other rows).
 */
export function storedRows(keys: readonly ObjectKey[], valued: readonly VersionKey[] = []): Sql {
  const rows = sql`SELECT project_id, object_id, digest, kind, base_class, leaf_class, bytes,
    toUnixTimestamp64Micro(created.at) AS created_at, created.by AS user_id, written_ver, deleted_ver`
  const from = sql`FROM ${objectsOf(keys)} WHERE ${objectsIn(keys)} LIMIT ${bind.uint(FEW_ROWS + 1)}`
  if (valued.length === 0) return sql`${rows} ${from}`
  return sql`(${rows}, '' AS val ${from}) UNION ALL (
    SELECT project_id, object_id, digest, kind, '', '', 0, toInt64(0), '', 0, 0, val FROM ${objectsOf(valued)}
    WHERE ${versionsIn(valued)} AND val != '')`
}

/** What a writer needs to know of an object before it adds a version. */
export interface Head {
  project_id: string
  object_id: string
  /** classes of the live versions: [kind, base class] */
  classes: [Kind, string][]
  /** the requested digests that exist: [digest, live] */
  known: [string, number][]
  /** µs of the last write, 0 for none */
  newest: number
}

/** One row per object of `keys` that has a version. */
export function heads(keys: readonly VersionKey[]): Sql {
  return sql`SELECT project_id, object_id, groupUniqArrayIf((kind, base_class), live) AS classes,
    groupArrayIf((digest, live), ${versionsIn(keys)}) AS known,
    max(greatest(written, deleted)) AS newest
  FROM (${folded(objectsIn(keys), objectsOf(keys))}) GROUP BY project_id, object_id`
}

/** The values of versions as JSON texts in internal form. */
export function values(keys: readonly VersionKey[]): Sql {
  return sql`SELECT project_id, object_id, digest, max(val) AS val FROM ${objectsOf(keys)} WHERE ${versionsIn(keys)}
  GROUP BY project_id, object_id, digest`
}

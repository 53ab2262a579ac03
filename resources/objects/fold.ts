/**
 * Folds stored rows into versions of objects: one per digest, with the fields derived from its neighbours. It does the
 * same as the SQL of `versions` in `versions.ts`, for objects with few versions: the engine takes longer to plan that
 * than to read the rows. Pure.
 */
import { groupBy } from '../../platform/batch/group-by.js'
import type { Kind } from './classes.js'
import type { Head, Version, VersionKey } from './versions.js'

/** A row of `objects` without its value; times in µs since the epoch. */
export interface StoredRow {
  project_id: string
  object_id: string
  digest: string
  kind: Kind
  base_class: string
  leaf_class: string
  bytes: number
  created_at: number
  user_id: string
  written_ver: number
  deleted_ver: number
}

/** Every version of some objects. @param rows all rows of these objects */
export function foldVersions(rows: readonly StoredRow[]): Version[] {
  return [...groupBy(rows, nameOf).values()].flatMap((ofObject) => derived(folded(ofObject)))
}

/** The heads of some objects. @param rows all rows of these objects @param keys the versions to write */
export function foldHeads(rows: readonly StoredRow[], keys: readonly VersionKey[]): Head[] {
  const asked = new Set(keys.map(({ project, object, digest }) => `${project} ${object} ${digest}`))
  return [...groupBy(rows, nameOf).values()].map((ofObject) => {
    const versions = folded(ofObject)
    const { project_id, object_id } = versions[0]!
    return {
      project_id,
      object_id,
      classes: versions.filter(isLive).map(({ kind, base_class }): [Kind, string] => [kind, base_class]),
      known: versions
        .filter(({ digest }) => asked.has(`${project_id} ${object_id} ${digest}`))
        .map((version): [string, number] => [version.digest, isLive(version) ? 1 : 0]),
      newest: versions.reduce((newest, row) => Math.max(newest, row.written_ver, row.deleted_ver), 0),
    }
  })
}

const nameOf = ({ project_id, object_id }: StoredRow) => `${project_id} ${object_id}`

const isLive = ({ written_ver, deleted_ver }: StoredRow) => written_ver > deleted_ver

/** Folds to one row per digest, as the table's engine does. */
function folded(rows: readonly StoredRow[]): StoredRow[] {
  return [...groupBy(rows, ({ digest }) => digest).values()].map((same) => same.reduce(fold))
}

const larger = <T extends string | number>(a: T, b: T): T => (a > b ? a : b)

function fold(a: StoredRow, b: StoredRow): StoredRow {
  const first = compare(a.created_at, b.created_at) || compare(a.user_id, b.user_id)
  const { created_at, user_id } = first <= 0 ? a : b
  return {
    ...a,
    kind: a.kind === 'op' ? a.kind : b.kind,
    base_class: larger(a.base_class, b.base_class),
    leaf_class: larger(a.leaf_class, b.leaf_class),
    bytes: larger(a.bytes, b.bytes),
    created_at,
    user_id,
    written_ver: larger(a.written_ver, b.written_ver),
    deleted_ver: larger(a.deleted_ver, b.deleted_ver),
  }
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The versions of one object in the order of their indexes. */
function derived(versions: StoredRow[]): Version[] {
  const latest = versions
    .filter(isLive)
    .reduce<StoredRow | undefined>(
      (newest, row) => (newest && !isNewer(row, newest) ? newest : row),
      undefined,
    )
  return versions
    .sort(
      (a, b) =>
        compare(a.created_at, b.created_at) || compare(a.user_id, b.user_id) || compare(a.digest, b.digest),
    )
    .map((row, index) => ({
      ...row,
      deleted_at: isLive(row) ? 0 : row.deleted_ver,
      version_index: index,
      is_latest: row === latest ? 1 : 0,
    }))
}

function isNewer(a: StoredRow, b: StoredRow): boolean {
  return (compare(a.written_ver, b.written_ver) || compare(a.digest, b.digest)) > 0
}

/** Reads and writes the tables of links and of how often they were followed. Knows only hashes of tokens. */
import type { ShareKind } from '../../contract/sharing.js'
import { allOf, bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import type { Share } from './share.js'

const SELECT = sql`SELECT token_hash AS hash, share_id AS id, project, toString(kind) AS kind, target, note,
  created_by AS createdBy, user_id AS userId, toUnixTimestamp64Micro(created_at) AS createdAt,
  toUnixTimestamp64Micro(expires_at) AS expiresAt, CAST(revoked, 'Bool') AS isRevoked FROM shares FINAL`

/** The links whose tokens have these hashes, revoked or not, in order. */
export async function sharesWithHashes(
  store: Store,
  hashes: readonly string[],
  options?: StatementOptions,
): Promise<(Share | undefined)[]> {
  const rows = await store.rows<Share>(sql`${SELECT} WHERE token_hash IN ${bind.strings(hashes)}`, options)
  const shares = new Map(rows.map((row) => [row.hash, row]))
  return hashes.map((hash) => shares.get(hash))
}

/** The link with this id, revoked or not. */
export function shareWithId(store: Store, project: string, id: string): Promise<Share | undefined> {
  return store.row<Share>(
    sql`${SELECT} WHERE project = ${bind.string(project)} AND share_id = ${bind.string(id)}`,
  )
}

/** How often a link was followed. */
export interface Views {
  views: number
  /** µs since the epoch; 0: never */
  lastView: number
}

/** The newest links of a project. @param about default: all */
export function sharesOf(
  store: Store,
  project: string,
  about: { kind: ShareKind | null; target: string | null },
  limit: number,
): Promise<(Share & Views)[]> {
  const conditions: Sql[] = [sql`project = ${bind.string(project)}`]
  if (about.kind !== null) conditions.push(sql`kind = ${bind.string(about.kind)}`)
  if (about.target !== null) {
    const target = bind.string(about.target)
    conditions.push(
      sql`(target = ${target} OR (kind = 'dashboard' AND startsWith(target, concat(${target}, ':'))))`,
    )
  }
  return store.rows<Share & Views>(sql`
    SELECT shares.*, seen.views AS views, greatest(0, toUnixTimestamp64Micro(seen.last)) AS lastView
    FROM (${SELECT} WHERE ${allOf(conditions)} ORDER BY created_at DESC, share_id LIMIT ${bind.uint(limit)}) AS shares
    LEFT ANY JOIN (
      SELECT share_id, sum(views) AS views, max(last_view) AS last FROM share_views GROUP BY share_id
    ) AS seen ON seen.share_id = shares.id
    ORDER BY createdAt DESC, id`)
}

/** Stores a link as it is now. @param ver above that of the row before */
export function putShare(store: Store, share: Share, ver: number): Promise<void> {
  return store.insertRows('shares', [
    {
      ...{ token_hash: share.hash, share_id: share.id, project: share.project, kind: share.kind },
      ...{ target: share.target, note: share.note, created_by: share.createdBy, user_id: share.userId },
      ...{ created_at: isoOfMicros(share.createdAt), expires_at: isoOfMicros(share.expiresAt) },
      ...{ revoked: share.isRevoked ? 1 : 0, ver: String(ver) },
    },
  ])
}

/** Adds to how often links were followed. */
export function addViews(store: Store, counted: ReadonlyMap<string, Views>): Promise<void> {
  return store.insertRows(
    'share_views',
    [...counted].map(([share_id, { views, lastView }]) => ({
      ...{ share_id, views, last_view: isoOfMicros(lastView) },
    })),
  )
}

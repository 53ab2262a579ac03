/** Reads and writes the tables of links and of how often they were followed. Knows only hashes of tokens. */
import type { ShareKind } from '../../contract/sharing.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { StatementOptions, Store } from '../../platform/clickhouse/store.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import type { Share } from './share.js'

interface Row {
  token_hash: string
  share_id: string
  project: string
  kind: ShareKind
  target: string
  note: string
  created_by: string
  user_id: string
  created: string
  expires: string
  revoked: number
}

const SELECT = sql`SELECT token_hash, share_id, project, toString(kind) AS kind, target, note, created_by, user_id,
  toString(toUnixTimestamp64Micro(created_at)) AS created, toString(toUnixTimestamp64Micro(expires_at)) AS expires, revoked
  FROM shares FINAL`

/** The links whose tokens have these hashes, revoked or not, in order. */
export async function sharesWithHashes(
  store: Store,
  hashes: readonly string[],
  options?: StatementOptions,
): Promise<(Share | undefined)[]> {
  const rows = await store.rows<Row>(sql`${SELECT} WHERE token_hash IN ${bind.strings(hashes)}`, options)
  const shares = new Map(rows.map((row) => [row.token_hash, shareFrom(row)]))
  return hashes.map((hash) => shares.get(hash))
}

/** The link with this id, revoked or not. */
export async function shareWithId(store: Store, project: string, id: string): Promise<Share | undefined> {
  const row = await store.row<Row>(
    sql`${SELECT} WHERE project = ${bind.string(project)} AND share_id = ${bind.string(id)}`,
  )
  return row && shareFrom(row)
}

/** How often a link was followed. */
export interface Views {
  views: number
  /** µs since the epoch; 0: never */
  lastView: number
}

/** The newest links of a project. @param about default: all */
export async function sharesOf(
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
  const [first, ...others] = conditions
  const where = others.reduce((sum, one) => sql`${sum} AND ${one}`, first!)
  const rows = await store.rows<Row & { views: string; last: string }>(sql`
    SELECT shares.*, toString(seen.views) AS views, toString(toUnixTimestamp64Micro(seen.last)) AS last
    FROM (${SELECT} WHERE ${where} ORDER BY created_at DESC, share_id LIMIT ${bind.uint(limit)}) AS shares
    LEFT ANY JOIN (
      SELECT share_id, sum(views) AS views, max(last_view) AS last FROM share_views GROUP BY share_id
    ) AS seen ON seen.share_id = shares.share_id
    ORDER BY toUInt64(created) DESC, share_id`)
  return rows.map((row) => ({
    ...shareFrom(row),
    views: Number(row.views),
    lastView: Math.max(0, Number(row.last)),
  }))
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

function shareFrom(row: Row): Share {
  return {
    ...{ hash: row.token_hash, id: row.share_id, project: row.project, kind: row.kind, target: row.target },
    ...{ note: row.note, createdBy: row.created_by, userId: row.user_id },
    ...{ createdAt: Number(row.created), expiresAt: Number(row.expires), isRevoked: row.revoked === 1 },
  }
}

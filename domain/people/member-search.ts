import { z } from 'zod'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { parsedAs } from '../../platform/json/parse.js'
import type { MembershipRow } from './membership-table.js'
import { teamSubject, userSubject } from './user.js'

export interface MemberQuery {
  scopes: readonly string[]
  /** what names have in them; empty: any */
  text: string
  /** where the page before ended; empty: the first page */
  after: string
  limit: number
}

/** A membership with the name of its user or team. */
export interface NamedMembership extends MembershipRow {
  name: string
}

const place = z.tuple([z.string(), z.string(), z.string(), z.string()])

/** Where a page ends: what the next one comes after. */
function placeOf({ scope, name, subject, source }: NamedMembership): string {
  return Buffer.from(JSON.stringify([scope, name, subject, source])).toString('base64url')
}

/**
 * A page of the memberships over these scopes, by scope and name.
 * @returns `next`: where the next page begins; null: this is the last one @throws `BAD_REQUEST` (400) for a wrong place
 */
export async function findMembers(
  store: Store,
  { scopes, text, after, limit }: MemberQuery,
): Promise<{ rows: NamedMembership[]; next: string | null }> {
  const from = after === '' ? ['', '', '', ''] : parsedAs(place, Buffer.from(after, 'base64url').toString())
  if (from === undefined) throw errors.badRequest('"after" is not what a page of members ended with.')
  const [scope = '', name = '', subject = '', source = ''] = from
  const named = (column: Sql) =>
    text === '' ? sql`` : sql`AND positionCaseInsensitiveUTF8(${column}, ${bind.string(text)}) > 0`
  const rows = await store.rows<NamedMembership>(sql`
    SELECT subject, scope, source, roles, called.name AS name
    FROM (SELECT subject, scope, source, roles FROM memberships FINAL
      WHERE notEmpty(roles) AND scope IN ${bind.strings(scopes)}) AS given
    INNER JOIN (
      SELECT concat(${bind.string(userSubject(''))}, user_id) AS subject, username AS name
      FROM users FINAL WHERE deleted = 0 ${named(sql`username`)}
      UNION ALL
      SELECT concat(${bind.string(teamSubject(''))}, team_id) AS subject, name
      FROM teams FINAL WHERE deleted = 0 ${named(sql`name`)}
    ) AS called USING (subject)
    WHERE (scope, name, subject, source) >
      (${bind.string(scope)}, ${bind.string(name)}, ${bind.string(subject)}, ${bind.string(source)})
    ORDER BY scope, name, subject, source LIMIT ${bind.uint(limit + 1)}`)
  const page = rows.slice(0, limit)
  return { rows: page, next: rows.length > limit ? placeOf(page.at(-1)!) : null }
}

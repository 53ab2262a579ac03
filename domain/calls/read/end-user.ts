/** Whom an observed application served, as its calls say: the end user, who is no user of this service. Pure. */
import { bind, join, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { USER_KEYS } from '../../erasure/user-keys.js'
import { mended } from '../../expr/json-text.js'

/** The value at `path` as a text; '' if it is none, nor a number. */
function said(document: Sql, path: readonly string[]): Sql {
  const at = join(
    path.map((part) => sql`, ${bind.string(part)}`),
    sql``,
  )
  return sql`if(JSONType(${document}${at}) IN ('Object', 'Array', 'Bool', 'Null'), '', JSONExtractString(${document}${at}))`
}

const first = (document: Sql): Sql =>
  sql`coalesce(${join(
    USER_KEYS.map((path) => sql`nullIf(${said(document, path)}, '')`),
    sql`, `,
  )}, '')`

/** Most calls say nothing of users: only the texts of those that do are parsed. */
const MAY_SAY = sql`positionCaseInsensitive(attributes, 'user') > 0`

/** The end user of a call, '' if its attributes name none. Several spellings are known; the first one that is there counts. */
export const END_USER: Sql = sql`multiIf(has_user = 0 AND NOT ${MAY_SAY}, '',
  isValidJSON(attributes), ${first(sql`attributes`)}, ${first(mended(sql`attributes`))})`

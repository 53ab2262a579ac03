/** The unset values of a call's columns, as values and in SQL: Nullable columns would cost an extra stream. */
import { sql } from '../../platform/clickhouse/sql.js'

/** A time. */
export const EPOCH = sql`toDateTime64(0, 6, 'UTC')`

/** Integers that may be unset. */
export const UNSET_INTEGER = -9223372036854775808n
export const UNSET_INTEGER_SQL = sql`-9223372036854775808`

/** `expire_at` of a call that never expires, in seconds. */
export const NEVER = 4294967295
export const NEVER_SQL = sql`toDateTime(4294967295)`

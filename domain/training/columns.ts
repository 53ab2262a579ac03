/** Time columns of the training tables: stored as DateTime64, read as numbers under the columns' names. */
import { type Sql, sql } from '../../platform/clickhouse/sql.js'

/** A time column as µs since 1970, under its own name. */
export const micros = (name: Sql) => sql`toUnixTimestamp64Micro(${name}) AS ${name}`

/** Rows that were not deleted. */
export const LIVE = sql`toUnixTimestamp64Micro(deleted_at) = 0`

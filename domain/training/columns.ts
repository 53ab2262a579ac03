/** How the tables of training keep times: as DateTime64, read as numbers under the names of their columns. */
import { type Sql, sql } from '../../platform/clickhouse/sql.js'

/** A time of the table as µs since 1970, under its own name. */
export const micros = (name: Sql) => sql`toUnixTimestamp64Micro(${name}) AS ${name}`

/** Rows that were not deleted. */
export const LIVE = sql`toUnixTimestamp64Micro(deleted_at) = 0`

/** Under its own alias a column of the table would be compared with the number of the result. */
export const COLUMNS_FIRST = { settings: { prefer_column_name_to_alias: 1 } } as const

/** Versions of rows in the table `feedback`: of two rows with one key, the larger `ver` wins. Pure. */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'

/** µs since the epoch, in the year 2096: creations have a `ver` below it, changes above. */
const MIDDLE = 4e15

/** The `ver` of created feedback: the earlier of two wins. */
export const verOfMade = (micros: number) => MIDDLE - micros
/** The `ver` of a change to feedback: the later of two wins. */
export const verOfChange = (micros: number) => MIDDLE + micros

/** When what has this `ver` was changed; 0 if it never was. */
export const changedAt = (ver: Sql) =>
  sql`toUInt64(greatest(${ver}, ${bind.uint(MIDDLE)}) - ${bind.uint(MIDDLE)})`

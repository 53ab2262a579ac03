/** The mark of calls that a monitor made, so that none matches them: a monitor of all calls would go on for ever. Pure. */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'

/** Whose the scores of monitors are. */
export const MONITORS = 'monitors'

/** Whose the feedback of signals is that run by themselves. */
export const SIGNALS_USER = 'signals'

/** JSON text: the attributes of a scorer's call. @param monitor its ref */
export const attributesOf = (monitor: string): string => JSON.stringify({ weave: { monitor } })

/** True for calls that no monitor made. Attributes would say it as well, but for them the store reads much of every call. */
export const NOT_BY_MONITOR: Sql = sql`NOT (user_id = ${bind.string(MONITORS)} AND position(op_name, ${bind.string('.score:')}) > 0)`

/** The mark of calls that a monitor made, so that none matches them: a monitor of all calls would go on for ever. Pure. */
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'

/** JSON text: the attributes of a scorer's call. @param monitor its ref */
export const attributesOf = (monitor: string): string => JSON.stringify({ weave: { monitor } })

/** True for calls that no monitor made. Attributes are read only of calls whose op could be a scorer's. */
export const NOT_BY_MONITOR: Sql = sql`NOT (position(op_name, ${bind.string('.score:')}) > 0 AND JSONExtractString(attributes, 'weave', 'monitor') != '')`

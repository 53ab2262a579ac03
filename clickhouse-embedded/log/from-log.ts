/**
 * What a statement says about rows that may be taken from the log as they are: `t /* only k = {k:String} *\/ /* first from
 * the log: (a, b, 0) WHERE c = {c:String} ORDER BY o, i DESC SINCE {s:Int64} UNTIL {u:Int64} LIMIT {n:UInt64} *\/`; UNTIL
 * may be absent. Rows of the log then precede the result, in RowBinary, and the statement waits for none. Behind all this it may
 * say `/* only if (SELECT …) *\/`: where the log has as many rows as are asked for, the statement has others only if that one
 * has any. To a ClickHouse server these are comments. Pure.
 */

/** Parameters are given by name. */
export type FromLog = {
  table: string
  /** holds the read key's value */
  key: string
  /** columns of a row, and bytes between them */
  columns: readonly (string | number)[]
  /** columns that must have a parameter's value */
  where: readonly { column: string; parameter: string }[]
  order: string
  /** orders rows that `order` leaves equal */
  tie: string
  /**
   * holds the least value of `order`, which the statement must ask for as well: it becomes that of the last row where the
   * log has as many as are asked for
   */
  since: string
  /** holds the greatest value of `order`; absent: any */
  until?: string
  limit: string
  /** a statement with the same parameters */
  onlyIf?: string
}

/** The same with the values of parameters. */
export type NewestRows = Omit<FromLog, 'where' | 'since' | 'until' | 'limit'> & {
  where: readonly { column: string; value: string }[]
  since: number
  until: number
  limit: number
}

const said =
  /\/\*\s*only\s+(\w+)\s*=\s*\{(\w+):String\}\s*\*\/\s*\/\*\s*first from the log:\s*\(([\w, ]+)\)(?:\s+WHERE\s+([^*]+?))?\s+ORDER BY (\w+), (\w+) DESC SINCE \{(\w+):Int64\}(?: UNTIL \{(\w+):Int64\})? LIMIT \{(\w+):UInt64\}\s*\*\//
const condition = /\/\*\s*only if \(([^*]+)\)\s*\*\//
const equality = /^(\w+) = \{(\w+):String\}$/

/** What `sql` says of one of `tables`; undefined where it says nothing, or not just this. */
export function fromLog(
  sql: string,
  tables: readonly { table: string; readKey?: string; newestBy?: string }[],
): FromLog | undefined {
  const match = said.exec(sql)
  if (!match) return undefined
  const [text, readKey, key, columns, conditions, order, tie, since, until, limit] = match
  const before = sql.slice(0, match.index).trimEnd()
  const logged = tables.find(
    ({ table }) => before.endsWith(table) && !/[\w.]/.test(before.charAt(before.length - table.length - 1)),
  )
  if (!logged || logged.readKey !== readKey || logged.newestBy !== order) return undefined
  if (sql.indexOf(text, match.index + 1) >= 0) return undefined
  const where = (conditions?.split(' AND ') ?? []).map((one) => equality.exec(one.trim()))
  if (where.some((one) => one === null)) return undefined
  const onlyIf = condition.exec(sql.slice(match.index))?.[1]
  return {
    ...(onlyIf !== undefined && { onlyIf }),
    ...{ table: logged.table, key: key!, order: order!, tie: tie!, since: since!, limit: limit! },
    ...(until !== undefined && { until }),
    columns: columns!.split(',').map((one) => (/^\s*\d+\s*$/.test(one) ? Number(one) : one.trim())),
    where: where.map((one) => ({ column: one![1]!, parameter: one![2]! })),
  }
}

/** `sql` without the condition under which it runs, which names tables by itself. */
export const withoutOnlyIf = (sql: string): string => sql.replace(condition, '')

/** The same with the values in `bound`; undefined where one is missing or is not written as it is. */
export function withValues(
  { where, since, until, limit, ...wanted }: FromLog,
  bound: readonly (readonly [name: string, value: string])[],
): NewestRows | undefined {
  const textOf = (name: string) => {
    const value = bound.find(([own]) => own === name)?.[1]
    return value?.includes('\\') ? undefined : value
  }
  const key = textOf(wanted.key)
  const least = Number(textOf(since))
  const greatest = until === undefined ? Number.MAX_SAFE_INTEGER : Number(textOf(until))
  const most = Number(textOf(limit))
  const conditions: { column: string; value: string }[] = []
  for (const { column, parameter } of where) {
    const value = textOf(parameter)
    if (value === undefined) return undefined
    conditions.push({ column, value })
  }
  if (key === undefined || most < 1 || ![least, greatest, most].every(Number.isSafeInteger)) return undefined
  return { ...wanted, key, where: conditions, since: least, until: greatest, limit: most }
}

/** SQL that reads one kind of value as another; what can't be read so is NULL. Knows no table. */

import type { Conversion } from '../../contract/query-expr.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import type { HeddleError } from '../../platform/errors/error.js'
import { isoText } from './iso.js'
import { existsAt, textAt } from './json-text.js'
import type { Constant, PlainValue, Value } from './value.js'

export const UNKNOWN = sql`CAST(NULL, 'Nullable(UInt8)')`
const NO_TEXT = sql`CAST(NULL, 'Nullable(String)')`

/** The text form of any value. */
export function asText(value: Value): Sql {
  switch (value.kind) {
    case 'json':
      return textAt(value)
    case 'constant':
      return value.value === null ? NO_TEXT : sql`${bind.string(constantText(value.value))}`
    case 'text':
      return value.sql
    case 'bool':
      return sql`transform(${value.sql}, [1, 0], ['true', 'false'], NULL)`
    case 'number':
      return sql`toString(${value.sql})`
    case 'time':
      return isoText(value.sql)
    case 'member':
      throw onlyEq()
  }
}

/** What to say where something else is asked of a membership. */
export function onlyEq(): HeddleError {
  return errors.badRequest('This field can only be compared with a string by $eq.')
}

/** A number, or NULL. */
export function asNumber(value: Value): Sql {
  switch (value.kind) {
    case 'json':
    case 'text':
      return sql`toFloat64OrNull(${asText(value)})`
    case 'number':
      return value.sql
    case 'bool':
      return sql`toFloat64(${value.sql})`
    case 'time':
      return sql`(toUnixTimestamp64Micro(${value.sql}) / 1000000)`
    case 'member':
      throw onlyEq()
    case 'constant':
      return typeof value.value === 'number'
        ? sql`${bind.float(value.value)}`
        : sql`toFloat64OrNull(${asText(value)})`
  }
}

/** `true` and `1` are one boolean, `false` and `0` the other. */
export function asBool(value: Value): Sql {
  if (value.kind === 'bool') return value.sql
  if (value.kind === 'number') return sql`(${value.sql} != 0)`
  const text = asText(value)
  // Each operand once: what is made of conversions inside conversions would double with every one of them.
  return sql`transform(${text}, ['true', '1', 'false', '0'], [1, 1, 0, 0], NULL)`
}

export function asTime(value: Value): Sql {
  if (value.kind === 'time') return value.sql
  return sql`parseDateTime64BestEffortOrNull(${asText(value)}, 6, 'UTC')`
}

/** Whether there is anything: on JSON, something other than null at the path. */
export function exists(value: Value): Sql {
  if (value.kind === 'json') return existsAt(value)
  if (value.kind === 'constant') return value.value === null ? sql`0` : sql`1`
  if (value.kind === 'member') throw onlyEq()
  return value.unset ? sql`(NOT ${value.unset})` : sql`(${value.sql} IS NOT NULL)`
}

/** `$convert` */
export function convert(value: Value, to: Conversion): PlainValue {
  switch (to) {
    case 'string':
      return { kind: 'text', sql: asText(value) }
    case 'double':
      return { kind: 'number', sql: sql`toFloat64(${asNumber(value)})` }
    case 'int':
      return { kind: 'number', sql: asInt(value) }
    case 'bool':
      return { kind: 'bool', sql: asBool(value) }
    case 'exists':
      return { kind: 'bool', sql: exists(value) }
  }
}

/** Texts have to be whole numbers; numbers lose what is behind the point. */
function asInt(value: Value): Sql {
  if (value.kind === 'json' || value.kind === 'text') return sql`toInt64OrNull(${asText(value)})`
  if (value.kind === 'constant' && typeof value.value === 'string')
    return sql`toInt64OrNull(${asText(value)})`
  return sql`accurateCastOrNull(trunc(${asNumber(value)}), 'Int64')`
}

/** The text form of a constant: what the same value inside JSON would have. */
export function constantText(value: Constant): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * As a condition of its own: a boolean is itself, a number is whether it is not 0, a text whether it is something other
 * than `false` and `0`.
 */
export function truth(value: Value): Sql {
  if (value.kind === 'bool') return value.sql
  if (value.kind === 'number') return sql`${value.sql} != 0`
  if (value.kind === 'time') return sql`${value.sql} IS NOT NULL`
  return sql`${asText(value)} NOT IN ('', 'false', '0')`
}

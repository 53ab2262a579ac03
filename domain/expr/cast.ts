/** SQL that converts values between kinds; NULL if the conversion fails. */

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

/** The error for any other use of a membership field. */
export function onlyEq(): HeddleError {
  return errors.badRequest('This field can only be compared with a string by $eq.')
}

/** A number, or NULL. */
export function asNumber(value: Value): Sql {
  switch (value.kind) {
    case 'json':
      return value.number ?? sql`toFloat64OrNull(${asText(value)})`
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

/** `true` and `1` mean true, `false` and `0` mean false. */
export function asBool(value: Value): Sql {
  if (value.kind === 'bool') return value.sql
  if (value.kind === 'number') return sql`(${value.sql} != 0)`
  const text = asText(value)
  // Use each operand once: otherwise nested conversions double in size at every level.
  return sql`transform(${text}, ['true', '1', 'false', '0'], [1, 1, 0, 0], NULL)`
}

export function asTime(value: Value): Sql {
  if (value.kind === 'time') return value.sql
  return sql`parseDateTime64BestEffortOrNull(${asText(value)}, 6, 'UTC')`
}

/** True if a value exists: in JSON, something other than null at the path. */
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

/** Text must be an integer; numbers lose their fraction. */
function asInt(value: Value): Sql {
  if (value.kind === 'json' || value.kind === 'text') return sql`toInt64OrNull(${asText(value)})`
  if (value.kind === 'constant' && typeof value.value === 'string')
    return sql`toInt64OrNull(${asText(value)})`
  return sql`accurateCastOrNull(trunc(${asNumber(value)}), 'Int64')`
}

/** The text form of a constant, equal to that of the same value in JSON. */
export function constantText(value: Constant): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The value as a condition: a boolean as is, a number if it is not 0, a text unless it is `false` or `0`. */
export function truth(value: Value): Sql {
  if (value.kind === 'bool') return value.sql
  if (value.kind === 'number') return sql`${value.sql} != 0`
  if (value.kind === 'time') return sql`${value.sql} IS NOT NULL`
  return sql`${asText(value)} NOT IN ('', 'false', '0')`
}

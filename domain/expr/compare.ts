/**
 * SQL for the comparisons of `$expr`. A constant determines how the other side is read: a number reads JSON text as
 * numbers, a boolean as booleans. Comparing incompatible kinds gives NULL: neither the comparison nor its negation
 * matches.
 */

import { allOf, bind, instant, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { microsOf } from '../../platform/time/micros.js'
import { isIndexedText, leafHashOf, TRUNCATED } from '../calls/leaves.js'
import { joinEach } from './bound.js'
import { asBool, asNumber, asText, asTime, constantText, onlyEq, UNKNOWN } from './cast.js'
import type { Constant, JsonValue, PlainValue, Value } from './value.js'

export type Comparison = '$eq' | '$gt' | '$gte' | '$lt' | '$lte'

const SIGN: Record<Comparison, Sql> = {
  $eq: sql`=`,
  $gt: sql`>`,
  $gte: sql`>=`,
  $lt: sql`<`,
  $lte: sql`<=`,
}
/** With its sides changed. */
export const MIRRORED: Record<Comparison, Comparison> = {
  $eq: '$eq',
  $gt: '$lt',
  $gte: '$lte',
  $lt: '$gt',
  $lte: '$gte',
}

/**
 * Compares `left` with `right`.
 * @param loose NULL may become false, which allows cheaper conditions and indexes; not allowed below a `$not`
 */
export function compare(operator: Comparison, left: Value, right: Value, loose: boolean): Sql {
  if (left.kind === 'member' || right.kind === 'member') return membership(operator, left, right)
  if (right.kind === 'constant') {
    if (left.kind === 'constant') return constants(operator, left.value, right.value)
    return withConstant(operator, left, right.value, loose)
  }
  if (left.kind === 'constant') return withConstant(MIRRORED[operator], right, left.value, loose)
  return columns(operator, left, right)
}

function membership(operator: Comparison, left: Value, right: Value): Sql {
  const [value, other] = left.kind === 'member' ? [left, right] : [right, left]
  if (operator !== '$eq' || value.kind !== 'member' || other.kind !== 'constant') throw onlyEq()
  if (typeof other.value !== 'string') throw onlyEq()
  return value.has(other.value)
}

/** True if `holds` is true for any of the values of a multi-valued field. */
export function anyOf(each: Sql, holds: (one: JsonValue) => Sql): Sql {
  return sql`arrayExists(one -> ifNull(${holds({ kind: 'json', document: sql`one`, path: [], sound: true })}, 0), ${each})`
}

/** Compares two constants, at compile time. */
function constants(operator: Comparison, left: Constant, right: Constant): Sql {
  if (left === null || right === null)
    return operator === '$eq' ? (left === right ? sql`1` : sql`0`) : UNKNOWN
  const [a, b] = [left, right].map((one) => (typeof one === 'object' ? constantText(one) : one))
  if (typeof a === 'number' && typeof b === 'number') return holds(operator, a - b)
  if (typeof a === 'boolean' && typeof b === 'boolean') return holds(operator, Number(a) - Number(b))
  if (typeof a === 'string' && typeof b === 'string')
    return holds(operator, Buffer.compare(Buffer.from(a), Buffer.from(b)))
  return UNKNOWN
}

function holds(operator: Comparison, difference: number): Sql {
  const yes = {
    $eq: difference === 0,
    $gt: difference > 0,
    $gte: difference >= 0,
    $lt: difference < 0,
    $lte: difference <= 0,
  }[operator]
  return yes ? sql`1` : sql`0`
}

function withConstant(
  operator: Comparison,
  value: JsonValue | PlainValue,
  constant: Constant,
  loose: boolean,
): Sql {
  const sign = SIGN[operator]
  if (value.kind === 'json' && value.each) {
    const { each } = value
    if (constant === null) return operator === '$eq' ? sql`empty(${each})` : UNKNOWN
    return anyOf(each, (one) => withConstant(operator, one, constant, false))
  }
  if (constant === null) return operator === '$eq' && value.kind !== 'json' ? isNull(value) : UNKNOWN
  if (value.kind === 'time') return withTime(operator, value, constant)
  if (value.kind === 'json') {
    if (typeof constant === 'number') return sql`${asNumber(value)} ${sign} ${bind.float(constant)}`
    const exact =
      typeof constant === 'boolean'
        ? sql`${asBool(value)} ${sign} ${bind.bool(constant)}`
        : sql`${asText(value)} ${sign} ${bind.string(constantText(constant))}`
    return loose && operator === '$eq' ? allOf([leafTest(value, [constant]), exact]) : exact
  }
  if (typeof constant === 'number' && value.kind === 'number')
    return sql`${value.sql} ${sign} ${bind.float(constant)}`
  if (typeof constant === 'boolean' && value.kind === 'bool')
    return sql`${value.sql} ${sign} ${bind.bool(constant)}`
  if (typeof constant === 'string' && value.kind === 'text') {
    const direct = loose && operator === '$eq' && constant !== '' && value.column
    return sql`${direct || value.sql} ${sign} ${bind.string(value.form?.(constant) ?? constant)}`
  }
  return UNKNOWN
}

function isNull(value: PlainValue): Sql {
  return value.unset ?? sql`${value.sql} IS NULL`
}

/** Compares a time with a constant: unix seconds, or ISO 8601 text. */
function withTime(operator: Comparison, value: PlainValue, constant: Constant): Sql {
  return sql`${value.sql} ${SIGN[operator]} ${timeOf(constant)}`
}

function timeOf(constant: Constant): Sql {
  const micros =
    typeof constant === 'number' || typeof constant === 'string' ? storedTime(constant) : Number.NaN
  if (Number.isNaN(micros))
    throw errors.badRequest(
      `${JSON.stringify(constant).slice(0, 100)} is not a time; send unix seconds or ISO 8601 text.`,
    )
  return instant(micros)
}

/** µs since the epoch of a constant, no earlier or later than any stored time may be; NaN: it is no time. */
export function storedTime(constant: number | string): number {
  const micros = typeof constant === 'number' ? Math.round(constant * 1e6) : microsOf(constant)
  return Math.min(Math.max(micros, 0), LAST_TIME)
}

/** Later than any stored time. */
const LAST_TIME = 9e15

/** Compares two non-constants: numbers with numbers, times with times, anything else as text. */
function columns(operator: Comparison, left: JsonValue | PlainValue, right: JsonValue | PlainValue): Sql {
  const sign = SIGN[operator]
  const kinds = new Set([left.kind, right.kind])
  const both = (read: (value: Value) => Sql) => sql`${read(left)} ${sign} ${read(right)}`
  if (kinds.has('time')) return kinds.has('bool') ? UNKNOWN : both(kinds.has('number') ? asNumber : asTime)
  if (kinds.has('text') && kinds.size > 1 && !kinds.has('json')) return UNKNOWN
  if (kinds.has('number')) return kinds.has('bool') ? UNKNOWN : both(asNumber)
  if (kinds.has('bool')) return both(asBool)
  return both(asText)
}

/** True if `value` is one of `list`. */
export function isIn(value: Value, list: readonly Value[], loose: boolean): Sql {
  if (value.kind === 'json' && value.each) return anyOf(value.each, (one) => isIn(one, list, false))
  const constantsOnly = list.flatMap((one) => (one.kind === 'constant' ? [one.value] : []))
  if (
    value.kind === 'constant' ||
    value.kind === 'time' ||
    value.kind === 'member' ||
    constantsOnly.length < list.length
  )
    return any(list, (one) => compare('$eq', value, one, loose))
  const texts = constantsOnly.filter((one) => typeof one === 'string')
  const numbers = constantsOnly.filter((one) => typeof one === 'number')
  const rest = constantsOnly.filter((one) => typeof one !== 'string' && typeof one !== 'number')
  const pieces = rest.map((one) => compare('$eq', value, { kind: 'constant', value: one }, loose))
  if (texts.length > 0) pieces.push(textIn(value, texts, loose))
  if (numbers.length > 0)
    pieces.push(
      value.kind === 'json' || value.kind === 'number'
        ? sql`${asNumber(value)} IN ${bind.floats(numbers)}`
        : UNKNOWN,
    )
  return any(pieces, (piece) => piece)
}

function textIn(value: JsonValue | PlainValue, texts: readonly string[], loose: boolean): Sql {
  if (value.kind === 'json') {
    const exact = sql`${asText(value)} IN ${bind.strings(texts)}`
    return loose ? allOf([leafTest(value, texts), exact]) : exact
  }
  if (value.kind !== 'text') return UNKNOWN
  const direct = loose && !texts.includes('') && value.column
  const { form } = value
  return sql`${direct || value.sql} IN ${bind.strings(form ? texts.map(form) : texts)}`
}

function any<T>(list: readonly T[], make: (one: T) => Sql): Sql {
  return list.length === 0 ? sql`0` : sql`(${joinEach(list, make, sql` OR `)})`
}

/**
 * A cheap condition that rules out most rows without parsing JSON; empty if the index can't prove absence. It never
 * rules out a row with one of the texts at the path.
 */
export function leafTest(value: JsonValue, wanted: readonly Constant[]): Sql {
  const { leaves, unindexed } = value
  const texts = wanted.flatMap(textsOf)
  if (leaves === undefined || texts.length > LEAF_TEXTS || !texts.every(isIndexedText)) return sql``
  const hashes = texts.flatMap((text) => leaves.map((path) => leafHashOf(path, text)))
  const has = sql`hasAny(leaves, ${bind.hashes([...hashes, TRUNCATED])})`
  return unindexed ? sql`(${has} OR ${unindexed})` : has
}

/** The texts equal to a constant; '' for values that the index doesn't cover. */
function textsOf(constant: Constant): string[] {
  if (typeof constant === 'object') return ['']
  const text = constantText(constant)
  return typeof constant === 'boolean' ? [text, constant ? '1' : '0'] : [text]
}

/** With more texts the index saves nothing. */
const LEAF_TEXTS = 100

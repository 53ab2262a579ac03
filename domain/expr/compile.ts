/**
 * Compiles `$expr` (contract §2.2) to an SQL condition. Names, paths and values are bound, never inserted as text.
 * Pure; the caller defines the fields and their location.
 */

import type { Contains, Literal, Operand, Operation } from '../../contract/query-expr.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { bounded, joinEach } from './bound.js'
import { asText, convert, truth } from './cast.js'
import { anyOf, type Comparison, compare, isIn } from './compare.js'
import { sizeAt } from './json-text.js'
import type { Constant, Fields, Value } from './value.js'

/**
 * Compiles `expr` to a condition. NULL counts as false.
 * @throws 422 for an unknown field or an expression too large to plan, 400 for an empty `$and` or `$or` or an invalid
 *   time
 */
export function compileExpr(expr: Operation, fields: Fields): Sql {
  return condition(expr, fields, true)
}

/** @param loose false below a `$not`, where NULL and false differ */
function condition(expr: Operand, fields: Fields, loose: boolean): Sql {
  return bounded(conditionOf(expr, fields, loose))
}

function conditionOf(expr: Operand, fields: Fields, loose: boolean): Sql {
  if ('$and' in expr) return all('$and', expr.$and, sql` AND `, fields, loose)
  if ('$or' in expr) return all('$or', expr.$or, sql` OR `, fields, loose)
  if ('$not' in expr) return sql`NOT (${condition(expr.$not[0], fields, false)})`
  if ('$in' in expr) {
    const [value, list] = expr.$in
    return isIn(
      operand(value, fields),
      list.map((one) => operand(one, fields)),
      loose,
    )
  }
  if ('$contains' in expr) return contains(expr, fields)
  const comparison = comparisonOf(expr)
  if (!comparison) return truth(operand(expr, fields))
  const [operator, [left, right]] = comparison
  return compare(operator, operand(left, fields), operand(right, fields), loose)
}

function all(name: string, list: readonly Operand[], separator: Sql, fields: Fields, loose: boolean): Sql {
  if (list.length === 0) throw errors.badRequest(`${name} needs at least one operand.`)
  return sql`(${joinEach(list, (one) => condition(one, fields, loose), separator)})`
}

/** Returns `expr` as a comparison, if it is one. */
export function comparisonOf(expr: Operand): [Comparison, readonly [Operand, Operand]] | undefined {
  if ('$eq' in expr) return ['$eq', expr.$eq]
  if ('$gt' in expr) return ['$gt', expr.$gt]
  if ('$gte' in expr) return ['$gte', expr.$gte]
  if ('$lt' in expr) return ['$lt', expr.$lt]
  if ('$lte' in expr) return ['$lte', expr.$lte]
  return undefined
}

function contains({ $contains }: Contains, fields: Fields): Sql {
  const input = operand($contains.input, fields)
  const substr = operand($contains.substr, fields)
  const inside = $contains.case_insensitive ? sql`positionCaseInsensitiveUTF8` : sql`position`
  const within = (value: Value) => sql`${inside}(${asText(value)}, ${asText(inForm(substr, value))}) > 0`
  return input.kind === 'json' && input.each ? anyOf(input.each, within) : within(input)
}

/** Converts a constant to the text form of `value`. */
function inForm(constant: Value, value: Value): Value {
  if (value.kind !== 'text' || !value.form || constant.kind !== 'constant') return constant
  const { value: text } = constant
  return typeof text === 'string' ? { kind: 'constant', value: value.form(text) } : constant
}

/** Compiles an operand. @throws 422 for an unknown field */
export function operand(expr: Operand, fields: Fields): Value {
  if ('$literal' in expr) return { kind: 'constant', value: constantOf(expr) }
  if ('$getField' in expr) {
    const value = fields(expr.$getField)
    if (!value) throw errors.badField(expr.$getField.slice(0, 200))
    return value
  }
  if ('$convert' in expr) return convert(operand(expr.$convert.input, fields), expr.$convert.to)
  if ('$size' in expr) return { kind: 'number', sql: size(operand(expr.$size, fields)) }
  return { kind: 'bool', sql: sql`(${condition(expr, fields, false)})` }
}

function size(value: Value): Sql {
  if (value.kind === 'json') return sizeAt(value)
  if (value.kind === 'constant' && Array.isArray(value.value)) return sql`${bind.uint(value.value.length)}`
  return sql`lengthUTF8(${asText(value)})`
}

function constantOf({ $literal: value }: Literal): Constant {
  if (value === null || typeof value !== 'object') return value
  if (isList(value)) return value.map(constantOf)
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, constantOf(one)]))
}

function isList(value: object): value is readonly Literal[] {
  return Array.isArray(value)
}

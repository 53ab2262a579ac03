/**
 * Cheap conditions that follow from an expression, checked before any JSON is read: those of the index of leaves, words that
 * a column must have, and whether a column is empty that must have a value. Pure.
 */

import type { Operand } from '../../contract/query-expr.js'
import { haveWords, wordsIn } from '../../domain/calls/words.js'
import { joinEach } from '../../domain/expr/bound.js'
import { leafTest } from '../../domain/expr/compare.js'
import { comparisonOf, operand } from '../../domain/expr/compile.js'
import type { Constant, Fields, Value } from '../../domain/expr/value.js'
import { allOf, type Sql, sql } from '../../platform/clickhouse/sql.js'

/** Conditions that each hold for every call that matches `expr`. */
export function prefilterConditions(expr: Operand, fields: Fields): Sql[] {
  if ('$and' in expr) return expr.$and.flatMap((one) => prefilterConditions(one, fields))
  if ('$or' in expr) return ofAny(expr.$or, fields)
  if ('$in' in expr) {
    const [value, list] = expr.$in
    return ofEquality(
      operand(value, fields),
      list.map((one) => operand(one, fields)),
    )
  }
  if ('$contains' in expr) {
    const value = operand(expr.$contains.input, fields)
    const part = operand(expr.$contains.substr, fields)
    return [...words(value, part), ...presence(value, [part], true)]
  }
  if ('$convert' in expr && expr.$convert.to === 'exists')
    return present(operand(expr.$convert.input, fields))
  const comparison = comparisonOf(expr)
  if (!comparison) return []
  const [operator, [left, right]] = comparison
  const sides: [Value, Value] = [operand(left, fields), operand(right, fields)]
  const [value, other] = sides[0].kind === 'constant' ? [sides[1], sides[0]] : sides
  return operator === '$eq' ? ofEquality(value, [other]) : presence(value, [other], false)
}

/** Some of several must hold: so must what follows from one of them, if something follows from each. */
function ofAny(list: readonly Operand[], fields: Fields): Sql[] {
  const each = list.map((one) => prefilterConditions(one, fields))
  if (each.length === 0 || each.some((conditions) => conditions.length === 0)) return []
  return [sql`(${joinEach(each, (conditions) => sql`(${allOf(conditions)})`, sql` OR `)})`]
}

/** The column of a text that has another one has its words. */
function words(value: Value, part: Value): Sql[] {
  if (value.kind !== 'json' || value.each || value.column === undefined) return []
  if (part.kind !== 'constant' || typeof part.value !== 'string') return []
  const condition = haveWords([value.column], wordsIn(part.value))
  return condition.empty ? [] : [condition]
}

function ofEquality(value: Value, list: readonly Value[]): Sql[] {
  return [...leafConditions(value, list), ...presence(value, list, true)]
}

function leafConditions(value: Value, list: readonly Value[]): Sql[] {
  if (value.kind !== 'json' || value.each || list.length === 0) return []
  const wanted = constants(list)
  const usable = wanted?.every((one) => typeof one === 'string' || typeof one === 'boolean')
  if (!wanted || !usable) return []
  const test = leafTest(value, wanted)
  return test.empty ? [] : [test]
}

/** Nothing compares with these constants as if it were something: '' would, and so would null. */
function presence(value: Value, list: readonly Value[], texts: boolean): Sql[] {
  const tellsApart = (one: Constant) =>
    one !== null && one !== '' && (typeof one !== 'string' || texts || value.kind === 'text')
  return constants(list)?.every(tellsApart) ? present(value) : []
}

function present(value: Value): Sql[] {
  return (value.kind === 'json' || value.kind === 'text') && value.present ? [value.present] : []
}

/** The constants of `list`, or undefined if it has anything else. */
function constants(list: readonly Value[]): Constant[] | undefined {
  const values = list.flatMap((one) => (one.kind === 'constant' ? [one.value] : []))
  return values.length === list.length ? values : undefined
}

/**
 * The conditions of agents' requests: `$expr` over the fields of a span. A name that is no field is a custom attribute,
 * whose type follows from what it stands beside, so a text is not found among numbers. Pure.
 */
import type { Conversion, Operand, Operation, Pair } from '../../contract/query-expr.js'
import { comparisonOf, compileExpr } from '../../domain/expr/compile.js'
import type { Value } from '../../domain/expr/value.js'
import type { Sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { type AttributeType, attributeField, fieldName, queryField } from './fields.js'
import type { Window } from './identity.js'
import { inTracesNaming } from './named-spans.js'

/**
 * SQL of `expr`; NULL counts as false.
 * @param window undefined: uses only the spans' own facts
 * @throws 400 for an order without values, a list of several types, or attributes that nothing gives a type; 422 as
 *   `compileExpr`
 */
export function spanCondition(expr: Operation, window: Window | undefined): Sql {
  const attributes = new Map<string, Value>()
  return compileExpr(
    new Typing(attributes, window).of(expr) as Operation,
    (name) => attributes.get(name) ?? queryField(name, window),
  )
}

/** The window's spans that may match `query`: of the traces that name the conversation or agent that it asks for. */
export function narrowed(window: Window, query: { $expr: Operation } | null | undefined): Window {
  const asked = query ? equalities(query.$expr) : []
  // A conversation has fewer traces than an agent.
  for (const field of ['conversation_id', 'agent_name'] as const) {
    const texts = asked.find(([name]) => name === field)?.[1]
    if (texts) return inTracesNaming(window, field, texts)
  }
  return window
}

/** A field, and texts of which it has one wherever a condition holds. */
type Equality = readonly [field: string | undefined, texts: readonly string[]]

/** Those of `expr` and of conditions that must hold with others. */
function equalities(expr: Operand): Equality[] {
  if ('$and' in expr) return expr.$and.flatMap(equalities)
  if ('$in' in expr) return equality(expr.$in[0], expr.$in[1])
  if (!('$eq' in expr)) return []
  const [left, right] = expr.$eq
  return [...equality(left, [right]), ...equality(right, [left])]
}

function equality(field: Operand, values: readonly Operand[]): Equality[] {
  const texts = values.flatMap((value) =>
    '$literal' in value && typeof value.$literal === 'string' ? value.$literal : [],
  )
  // What has no name is of a trace that names none.
  const isNamed = texts.length === values.length && !texts.includes('')
  return '$getField' in field && isNamed ? [[fieldName(field.$getField), texts]] : []
}

const OF_CONVERSION: Record<Conversion, AttributeType> = {
  double: 'number',
  int: 'number',
  string: 'text',
  bool: 'bool',
  exists: 'any',
}

/** Gives the names of custom attributes in an expression types: each is replaced by a name of `attributes`. */
class Typing {
  constructor(
    private readonly attributes: Map<string, Value>,
    private readonly window: Window | undefined,
  ) {}

  /** `expr`, whose value is used as a condition. */
  of(expr: Operand): Operand {
    if ('$and' in expr) return { $and: expr.$and.map((one) => this.of(one)) }
    if ('$or' in expr) return { $or: expr.$or.map((one) => this.of(one)) }
    if ('$not' in expr) return { $not: [this.of(expr.$not[0])] }
    if ('$in' in expr) return this.isIn(expr.$in)
    if ('$contains' in expr) {
      const { input, substr } = expr.$contains
      return {
        $contains: { ...expr.$contains, input: this.as('text', input), substr: this.as('text', substr) },
      }
    }
    const comparison = comparisonOf(expr)
    if (comparison === undefined) return this.as('bool', expr)
    const [operator, pair] = comparison
    if (operator !== '$eq' && pair.some(isNull))
      throw errors.badRequest(`${operator} needs a value on both sides; null has no order.`)
    return { [operator]: this.compared(pair) } as Operand
  }

  private compared([left, right]: Pair): Pair {
    const type = typeOf(left) ?? typeOf(right)
    if (type === undefined)
      throw errors.badRequest(
        `Neither "${nameOf(left)}" nor "${nameOf(right)}" is a field of spans; name the type of an attribute: custom_attrs_string.${nameOf(left)}.`,
      )
    return [this.as(type, left), this.as(type, right)]
  }

  private isIn([value, list]: readonly [Operand, readonly Operand[]]): Operand {
    const types = new Set(list.map(typeOf))
    if (list.length === 0 || types.size > 1 || list.some(isNull))
      throw errors.badRequest('$in needs a list of values that are all of one type.')
    const type = typeOf(value) ?? [...types][0]
    if (type === undefined) throw errors.badRequest('$in needs a value or a list whose type is known.')
    return { $in: [this.as(type, value), list.map((one) => this.as(type, one))] }
  }

  /** `operand`; an attribute without a type gets this one. */
  private as(type: AttributeType, operand: Operand): Operand {
    if ('$literal' in operand) return operand
    if ('$convert' in operand) {
      const { input, to } = operand.$convert
      return { $convert: { to, input: this.as(OF_CONVERSION[to], input) } }
    }
    if ('$size' in operand) return { $size: this.as('text', operand.$size) }
    if (!('$getField' in operand)) return this.of(operand)
    const name = operand.$getField
    if (queryField(name, undefined) !== undefined) return operand
    const typed = `${type} ${name}`
    this.attributes.set(typed, attributeField(type, name, this.window))
    return { $getField: typed }
  }
}

function isNull(operand: Operand): boolean {
  return '$literal' in operand && operand.$literal === null
}

function nameOf(operand: Operand): string {
  return '$getField' in operand ? operand.$getField.slice(0, 100) : ''
}

/** The type of an operand's values; undefined for an attribute without one. */
function typeOf(operand: Operand): AttributeType | undefined {
  if ('$literal' in operand) {
    const { $literal: value } = operand
    if (typeof value === 'number') return 'number'
    if (typeof value === 'boolean') return 'bool'
    return value === null ? 'any' : 'text'
  }
  if ('$convert' in operand)
    return operand.$convert.to === 'exists' ? 'bool' : OF_CONVERSION[operand.$convert.to]
  if ('$size' in operand) return 'number'
  if (!('$getField' in operand)) return 'bool'
  const field = queryField(operand.$getField, undefined)
  if (field === undefined) return undefined
  return field.kind === 'number' || field.kind === 'bool' ? field.kind : 'text'
}

/** Prints an `$expr` in the query language: what `compile` reads back. Pure. */
import { type Expr, type Operator, type Plain, printTerm, quoted, search } from './language'

type Node = Record<string, unknown>

const COMPARED: Readonly<Record<string, Operator>> = { $eq: ':', $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' }
const NEGATED: Partial<Record<Operator, Operator>> = { ':': '!=', '~': '!~' }

/** @throws Error for what the language has no words for */
export function print(expr: Expr): string {
  return printed(expr as Node)
}

function printed(expr: Node): string {
  const [name, value] = operatorOf(expr)
  if (name === '$and') return (value as Node[]).map(inParentheses).join(' ')
  const sought = soughtIn(expr)
  if (sought !== undefined) return quoted(sought)
  if (name === '$or') return (value as Node[]).map(printed).join(' or ')
  if (name === '$not') {
    const [inner] = value as [Node]
    const present = presentIn(inner)
    if (present !== undefined) return `${present}!=*`
    const condition = conditionIn(inner)
    const negated = condition && NEGATED[condition.operator]
    return negated ? printTerm(condition.field, negated, condition.value) : `not (${printed(inner)})`
  }
  const present = presentIn(expr)
  if (present !== undefined) return `${present}:*`
  const condition = conditionIn(expr)
  if (condition) return printTerm(condition.field, condition.operator, condition.value)
  throw new Error(`The traces can't be filtered by ${JSON.stringify(expr).slice(0, 200)} here.`)
}

/** The text that is searched for everywhere. */
function soughtIn(expr: Node): string | undefined {
  const [first] = (expr.$or ?? []) as Node[]
  const text = first && conditionIn(first)?.value
  return typeof text === 'string' && JSON.stringify(search(text)) === JSON.stringify(expr) ? text : undefined
}

/** The field that must have a value. */
function presentIn(expr: Node): string | undefined {
  const [left, right] = (expr.$eq ?? []) as [Node?, Node?]
  const { input, to } = (left?.$convert ?? {}) as { input?: Node; to?: string }
  return to === 'exists' && right?.$literal === true && input ? fieldIn(input) : undefined
}

/** Objects that an SDK stored have fields that name their classes, too. */
const operatorOf = (expr: Node): [string, unknown] =>
  Object.entries(expr).find(([name]) => name.startsWith('$')) ?? ['', undefined]

/** Alternatives among conditions that must all hold. */
const inParentheses = (expr: Node): string => ('$or' in expr ? `(${printed(expr)})` : printed(expr))

function conditionIn(expr: Node): { field: string; operator: Operator; value: Plain } | undefined {
  const [name, value] = operatorOf(expr)
  if (name === '$contains') {
    const { input, substr } = value as { input: Node; substr: Node }
    const [field, text] = [fieldIn(input), literalIn(substr)]
    return field !== undefined && typeof text === 'string' ? { field, operator: '~', value: text } : undefined
  }
  const operator = COMPARED[name]
  if (operator === undefined) return undefined
  const [left, right] = value as [Node, Node]
  const [field, literal] = [fieldIn(left), literalIn(right)]
  return field === undefined || literal === undefined ? undefined : { field, operator, value: literal }
}

/** The field of an operand. That it is read as a number is what comparing with one says, too. */
function fieldIn(operand: Node): string | undefined {
  const { input, to } = (operand.$convert ?? {}) as { input?: Node; to?: string }
  const { $getField: field } = input && (to === 'double' || to === 'int') ? input : operand
  return typeof field === 'string' ? field : undefined
}

function literalIn({ $literal: value }: Node): Plain | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) || value === null
    ? (value as Plain)
    : undefined
}

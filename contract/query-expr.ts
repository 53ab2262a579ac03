/**
 * Schemas of the `$expr` language (contract §2.2), with the contract's names. Knows its syntax and limits; the meaning
 * of expressions and fields is compiled elsewhere.
 */
import { z } from 'zod'
import { isObject } from '../platform/json/object.js'
import { component } from './shared.js'

/** A constant, or a list or object of constants. */
export type Literal = {
  $literal: string | number | boolean | null | readonly Literal[] | { readonly [key: string]: Literal }
}
export type GetField = { $getField: string }
export type Conversion = 'double' | 'string' | 'int' | 'bool' | 'exists'
export type Convert = { $convert: { input: Operand; to: Conversion } }
export type Size = { $size: Operand }
export type Pair = readonly [Operand, Operand]
export type Contains = {
  $contains: { input: Operand; substr: Operand; case_insensitive?: boolean | null | undefined }
}
export type Operation =
  | { $and: readonly Operand[] }
  | { $or: readonly Operand[] }
  | { $not: readonly [Operand] }
  | { $eq: Pair }
  | { $gt: Pair }
  | { $lt: Pair }
  | { $gte: Pair }
  | { $lte: Pair }
  | { $in: readonly [Operand, readonly Operand[]] }
  | Contains
export type Operand = Literal | GetField | Convert | Size | Operation

/** Most operators and operands per expression. */
const NODE_LIMIT = 5000
/** Deepest nesting of operators. */
const DEPTH_LIMIT = 50

// These schemas describe the language in the OpenAPI document; `problem` checks it.
const operand: z.ZodType<Operand> = z
  .lazy(() => z.union([...operands, ...operations]))
  .meta({ id: 'Operand' })
const pair = z.tuple([operand, operand])

const LiteralOperation: z.ZodType<Literal> = z.lazy(() => literal)
const literal = component('LiteralOperation', {
  $literal: z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.record(z.string(), LiteralOperation),
    z.array(LiteralOperation),
    z.null(),
  ]),
})

const operands = [
  literal,
  component('GetFieldOperator', { $getField: z.string() }),
  component('ConvertOperation', {
    $convert: component('ConvertSpec', {
      input: operand,
      to: z.enum(['double', 'string', 'int', 'bool', 'exists']),
    }),
  }),
  component('SizeOperation', { $size: operand }),
] as const

const operations = [
  component('AndOperation', { $and: z.array(operand) }),
  component('OrOperation', { $or: z.array(operand) }),
  component('NotOperation', { $not: z.tuple([operand]) }),
  component('EqOperation', { $eq: pair }),
  component('GtOperation', { $gt: pair }),
  component('LtOperation', { $lt: pair }),
  component('GteOperation', { $gte: pair }),
  component('LteOperation', { $lte: pair }),
  component('InOperation', { $in: z.tuple([operand, z.array(operand)]) }),
  component('ContainsOperation', {
    $contains: component('ContainsSpec', {
      input: operand,
      substr: operand,
      case_insensitive: z.boolean().nullish(),
    }),
  }),
] as const

const namesOf = (schemas: readonly z.ZodObject[]) => schemas.flatMap(({ shape }) => Object.keys(shape))
const OPERATIONS = new Set(namesOf(operations))
const OPERATORS = new Set([...namesOf(operands), ...OPERATIONS])
const LITERAL = new Set(['$literal'])
const CONVERSIONS: ReadonlySet<unknown> = new Set<Conversion>(['double', 'string', 'int', 'bool', 'exists'])

/** The schema of `query`. One walk checks it: the recursive unions take a hundred times as long. */
export const Query = checkedBy(
  z.strictObject({ $expr: z.union(operations) }).meta({
    id: 'Query',
    description:
      'A number beside a value inside JSON compares by value: 9 is less than 9.5, and "10" is 10. There true equals 1 and "1", false equals 0 and "0".',
  }),
  (value) => {
    if (value === undefined) return { message: 'Field required', path: [], isMissing: true }
    if (!isObject(value)) return { message: 'Should be an object with $expr', path: [] }
    const other = Object.keys(value).find((key) => key !== '$expr')
    if (other !== undefined) return { message: `Unrecognized key: ${JSON.stringify(other)}`, path: [] }
    return new Walk(value.$expr).problem()
  },
)
export type Query = z.output<typeof Query>

/** A value still to be checked; its path is only spelled out for a problem. */
interface Node {
  value: unknown
  key: string | number
  parent: Node | undefined
  depth: number
  /** the operators that may be there */
  allowed: ReadonlySet<string>
}

/** One pass over an expression, without recursion. */
class Walk {
  private readonly waiting: Node[]

  constructor(root: unknown) {
    this.waiting = [{ value: root, key: '$expr', parent: undefined, depth: 1, allowed: OPERATIONS }]
  }

  /** The first problem that makes the expression invalid. */
  problem(): Problem | undefined {
    for (let checked = 1; this.waiting.length > 0; checked++) {
      const node = this.waiting.pop()!
      if (checked > NODE_LIMIT)
        return problemAt(node, `Should have at most ${NODE_LIMIT} operators and operands`)
      if (node.depth > DEPTH_LIMIT) return problemAt(node, `Should nest at most ${DEPTH_LIMIT} levels deep`)
      const found = this.check(node)
      if (found) return found
    }
    return undefined
  }

  private check(node: Node): Problem | undefined {
    const { value, allowed } = node
    if (value === undefined) return problemAt(node, 'Field required')
    if (!isObject(value)) return problemAt(node, 'Should be an object with one operator')
    const names = Object.keys(value).filter((name) => name.startsWith('$'))
    const [operator = ''] = names
    if (names.length !== 1 || !allowed.has(operator))
      return problemAt(node, `Should have exactly one operator, one of ${[...allowed].join(' ')}`)
    const argument = { ...node, value: value[operator], key: operator, parent: node }
    return argument.value === undefined ? problemAt(argument, 'Field required') : this.argument(argument)
  }

  /** Checks what an operator is applied to, as far as its operands. */
  private argument(node: Node): Problem | undefined {
    const { value, key } = node
    if (key === '$literal') {
      const isWrong = typeof value === 'number' && !Number.isFinite(value)
      return isWrong ? problemAt(node, 'Should be a finite number') : this.inside(node, LITERAL)
    }
    if (key === '$getField')
      return typeof value === 'string' ? undefined : problemAt(node, 'Should be a text')
    if (key === '$size') {
      this.push(value, key, node.parent, OPERATORS)
      return undefined
    }
    if (key === '$convert' || key === '$contains') return this.named(node)
    if (!Array.isArray(value)) return problemAt(node, 'Should be a list of operands')
    const length = key === '$and' || key === '$or' ? value.length : key === '$not' ? 1 : 2
    if (value.length !== length) return problemAt(node, `Should have ${length} operands`)
    if (key !== '$in') return this.inside(node, OPERATORS)
    this.push(value[0], 0, node, OPERATORS)
    const list: Node = { ...node, value: value[1], key: 1, parent: node }
    return Array.isArray(value[1])
      ? this.inside(list, OPERATORS)
      : problemAt(list, 'Should be a list of operands')
  }

  /** Checks an argument with names. */
  private named(node: Node): Problem | undefined {
    const { value, key } = node
    if (!isObject(value)) return problemAt(node, 'Should be an object')
    const { input, substr, to, case_insensitive: flag } = value
    this.push(input, 'input', node, OPERATORS)
    if (key === '$contains') {
      this.push(substr, 'substr', node, OPERATORS)
      if (typeof flag === 'boolean' || flag === null || flag === undefined) return undefined
      return problemAt({ ...node, key: 'case_insensitive', parent: node }, 'Should be true or false')
    }
    if (CONVERSIONS.has(to)) return undefined
    return problemAt({ ...node, key: 'to', parent: node }, `Should be one of ${[...CONVERSIONS].join(' ')}`)
  }

  /** Everything in a list or an object is to be checked; nothing is in other values. */
  private inside(node: Node, allowed: ReadonlySet<string>): undefined {
    const { value } = node
    if (Array.isArray(value)) for (const [i, one] of value.entries()) this.push(one, i, node, allowed)
    else if (isObject(value)) for (const key of Object.keys(value)) this.push(value[key], key, node, allowed)
  }

  private push(value: unknown, key: Node['key'], parent: Node | undefined, allowed: Node['allowed']): void {
    this.waiting.push({ value, key, parent, depth: (parent?.depth ?? 0) + 1, allowed })
  }
}

function problemAt(node: Node, message: string): Problem {
  const path: Node['key'][] = []
  for (let one: Node | undefined = node; one; one = one.parent) path.unshift(one.key)
  return { message, path, ...(node.value === undefined && { isMissing: true }) }
}

/** What makes a value invalid, and where. */
interface Problem {
  message: string
  path: (string | number)[]
  /** the value is absent */
  isMissing?: true
}

/**
 * Makes `schema` accept what `problem` finds nothing wrong with, as it is; the schema still describes it in the OpenAPI
 * document. Zod is slow for recursive alternatives. A copy of it (`meta`, `refine`) checks by itself again.
 * @returns `schema`
 */
function checkedBy<Schema extends z.ZodType>(
  schema: Schema,
  problem: (value: unknown) => Problem | undefined,
): Schema {
  schema._zod.run = (payload) => {
    const found = problem(payload.value)
    if (!found) return payload
    const { message, path, isMissing } = found
    const at = { path, inst: schema, continue: false }
    payload.issues.push(
      isMissing
        ? { ...at, code: 'invalid_type', expected: 'unknown', input: undefined, message }
        : { ...at, code: 'custom', input: payload.value, message },
    )
    return payload
  }
  return schema
}

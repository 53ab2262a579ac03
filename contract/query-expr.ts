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

/**
 * The schema of `query`. A check before the schema bounds size and depth; it also ensures that each operand has exactly
 * one operator, so the schema never fully tries two branches.
 */
export const Query = z.preprocess(
  (value, context) => {
    const found = isObject(value) && value.$expr !== undefined ? problem(value.$expr) : undefined
    if (found) context.addIssue({ code: 'custom', message: found.message, path: ['$expr', ...found.path] })
    return value
  },
  z.strictObject({ $expr: z.union(operations) }).meta({
    id: 'Query',
    description:
      'A number beside a value inside JSON compares by value: 9 is less than 9.5, and "10" is 10. There true equals 1 and "1", false equals 0 and "0".',
  }),
)
export type Query = z.output<typeof Query>

type Path = readonly (string | number)[]

/** A value still to be checked. */
interface Node {
  value: unknown
  path: Path
  depth: number
  /** inside a `$literal`, where any JSON is allowed */
  constant: boolean
}

/** The first problem that makes `root` invalid. Does not recurse. */
function problem(root: unknown): { message: string; path: Path } | undefined {
  const waiting: Node[] = [{ value: root, path: [], depth: 1, constant: false }]
  for (let checked = 1; waiting.length > 0; checked++) {
    const node = waiting.pop()!
    const message =
      checked > NODE_LIMIT
        ? `Should have at most ${NODE_LIMIT} operators and operands`
        : node.depth > DEPTH_LIMIT
          ? `Should nest at most ${DEPTH_LIMIT} levels deep`
          : undefined
    if (message !== undefined) return { message, path: node.path }
    const wrong = node.constant ? undefined : operatorProblem(node)
    if (wrong !== undefined) return { message: wrong, path: node.path }
    // One by one: a list may exceed the arguments that a call can take.
    for (const next of node.constant ? inside(node, true) : operandsOf(node)) waiting.push(next)
  }
  return undefined
}

function operatorProblem({ value, path }: Node): string | undefined {
  if (!isObject(value)) return 'Should be an object with one operator'
  const names = Object.keys(value).filter((name) => name.startsWith('$'))
  const allowed = path.length === 0 ? OPERATIONS : OPERATORS
  if (names.length === 1 && allowed.has(names[0]!)) return undefined
  return `Should have exactly one operator, one of ${[...allowed].join(' ')}`
}

/** The operands of an operator, as far as present; the schema reports missing ones. */
function operandsOf({ value, path, depth }: Node): Node[] {
  const operator = Object.keys(value as object).find((name) => name.startsWith('$'))!
  const argument = (value as Record<string, unknown>)[operator]
  const below = { value: argument, path: [...path, operator], depth: depth + 1, constant: false }
  if (operator === '$literal') return inside(below, true)
  if (operator === '$getField') return []
  if (operator === '$size') return argument === undefined ? [] : [below]
  const parts = operator === '$contains' || operator === '$convert' ? ['input', 'substr'] : undefined
  return inside(below, false).flatMap((node) => {
    if (parts && !parts.includes(String(node.path.at(-1)))) return []
    return operator === '$in' && Array.isArray(node.value) ? inside(node, false) : [node]
  })
}

/** The elements of a list or the values of an object; nothing for other values. */
function inside({ value, path, depth }: Node, constant: boolean): Node[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).map(([key, one]) => ({
    value: one,
    path: [...path, key],
    depth: constant ? depth + 1 : depth,
    constant,
  }))
}

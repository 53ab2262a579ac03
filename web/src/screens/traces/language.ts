/**
 * The query language of the traces table: `status:error latency>2s inputs.model:gpt-4o "timed out"`. Terms are joined by
 * and, `or` and `not` and parentheses work, a text alone is searched for. Compiles to `$expr`. Pure.
 */
import {
  FIELDS,
  fieldAt,
  fieldNamed,
  type ListedField,
  pathOf,
  ROOTS,
} from '../../../../domain/calls/listed-fields'
import type { Schemas } from '../../api/client'
import { ExactNumber } from '../../api/json'
import { nearest } from './nearest'

export type Expr = Schemas['Query']['$expr']
type Operand = Schemas['Operand']

/** What stands between a field and a value. */
export const OPERATORS = [':', '!=', '~', '!~', '>', '>=', '<', '<='] as const
export type Operator = (typeof OPERATORS)[number]

/** What each of them says. */
export const SAYS: Record<Operator, string> = {
  ':': 'is',
  '!=': 'is not',
  '~': 'contains',
  '!~': 'does not contain',
  '>': 'more than',
  '>=': 'at least',
  '<': 'less than',
  '<=': 'at most',
}

export class LanguageError extends Error {
  constructor(
    message: string,
    /** where in the text */
    readonly at: number,
    /** where what is wrong ends */
    readonly to = at + 1,
  ) {
    super(message)
  }
}

/** Where a text alone is searched for. */
const SEARCHED = ['inputs', 'output', 'exception', 'summary.weave.trace_name']
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 }
const WORD = /[^\s()":!=~<>]+/y
const OPERATOR = /\s*(!=|!~|>=|<=|[:=~<>])\s*/y
const VALUE = /[^\s()"]+/y
const SPACE = /\s*/y

/** The expression of a text; undefined if it is empty. @throws LanguageError */
export function compile(text: string): Expr | undefined {
  const reader = new Reader(text)
  if (reader.atEnd) return undefined
  const expr = alternatives(reader)
  if (!reader.atEnd) throw new LanguageError('This parenthesis was not opened.', reader.at)
  return expr
}

/** A part of a text that must hold besides its other parts. */
export interface Conjunct {
  text: string
  expr: Expr
}

/** The parts of a text that must all hold; one, if they are alternatives. @throws LanguageError */
export function conjunctsOf(text: string): Conjunct[] {
  const reader = new Reader(text)
  if (reader.atEnd) return []
  const parts = conjunction(reader)
  if (reader.atEnd) return parts.map(({ from, to, expr }) => ({ text: text.slice(from, to).trim(), expr }))
  return [{ text: `(${text.trim()})`, expr: compile(text)! }]
}

class Reader {
  at = 0

  constructor(readonly text: string) {
    this.take(SPACE)
  }

  get atEnd(): boolean {
    return this.at >= this.text.length
  }

  /** What matches here, and moves behind it and the spaces that follow. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (found === null) return undefined
    this.at = pattern.lastIndex
    if (pattern !== SPACE) this.take(SPACE)
    return found
  }

  /** A text in quotes, without them. */
  quoted(): string | undefined {
    if (this.text[this.at] !== '"') return undefined
    const from = this.at
    const found = this.take(/"((?:[^"\\]|\\.)*)"/sy)
    if (found === undefined) throw new LanguageError('This quotation mark is not closed.', from)
    return found[1]!.replaceAll(/\\(.)/gs, '$1')
  }
}

function alternatives(reader: Reader): Expr {
  const all = [allOf(conjunction(reader))]
  while (reader.take(/or(?=[\s()])/iy)) all.push(allOf(conjunction(reader)))
  return all.length === 1 ? all[0]! : { $or: all }
}

interface Part {
  from: number
  to: number
  expr: Expr
}

const allOf = (parts: readonly Part[]): Expr =>
  parts.length === 1 ? parts[0]!.expr : { $and: parts.map(({ expr }) => expr) }

/** At least one. */
function conjunction(reader: Reader): Part[] {
  const all: Part[] = []
  while (
    !reader.atEnd &&
    reader.text[reader.at] !== ')' &&
    !/^or[\s()]/i.test(reader.text.slice(reader.at, reader.at + 3))
  ) {
    if (all.length > 0) reader.take(/and(?=[\s()])/iy)
    if (reader.atEnd) break
    const from = reader.at
    const expr = negation(reader)
    all.push({ from, to: reader.at, expr })
  }
  if (all.length === 0) throw new LanguageError('A condition is missing here.', reader.at)
  return all
}

function negation(reader: Reader): Expr {
  if (reader.take(/not(?=[\s()])|-(?=[\w("])/iy)) return { $not: [negation(reader)] }
  const from = reader.at
  if (!reader.take(/\(/y)) return term(reader)
  const inside = alternatives(reader)
  if (!reader.take(/\)/y)) throw new LanguageError('This parenthesis is not closed.', from)
  return inside
}

function term(reader: Reader): Expr {
  const from = reader.at
  const text = reader.quoted()
  if (text !== undefined) return search(text)
  const word = takeAdjacent(reader, WORD)
  if (word === undefined) throw new LanguageError('Expected a field or a text.', from)
  const operator = reader.take(OPERATOR)?.[1]
  if (operator === undefined) {
    reader.take(SPACE)
    return search(word)
  }
  const field = fieldOf(word, from)
  const at = reader.at
  const value = readValue(reader, word)
  const problem = valueProblem(word, operator, value)
  if (problem !== undefined)
    throw new LanguageError(problem, at, reader.text.slice(0, reader.at).trimEnd().length)
  return condition(field, operator === '=' ? ':' : (operator as Operator), value)
}

const isLength = (word: string) => fieldNamed(word)?.type === 'length'

/** Why nothing could have this value, or why it would be misread. Fields by their full paths take any value. */
function valueProblem(word: string, operator: string, value: Value): string | undefined {
  const field = fieldNamed(word)
  if (!field || value === ANY || value === null || operator.endsWith('~')) return undefined
  if (field.type === 'length' && typeof value === 'number' && value !== 0)
    return `Say in which unit: ${word}>${value}s or ${word}>${value}ms.`
  if (field.type === 'length' && !(typeof value === 'number' || value instanceof Length))
    return `${field.title} is a length of time, such as 2s or 300ms.`
  if ((field.type === 'number' || field.type === 'money') && typeof value !== 'number')
    return `${field.title} is a number, such as ${field.type === 'money' ? '0.05' : '1000'}.`
  if (field.values && !field.values.includes(String(value))) return unknownValue(field, String(value))
  if (field.type === 'time' && Number.isNaN(Date.parse(String(value))))
    return 'This is no time; write it as 2026-01-31T12:00:00Z.'
  return undefined
}

function unknownValue({ names: [name], values = [], meant = {} }: ListedField, value: string): string {
  const lower = value.toLowerCase()
  const better = meant[lower] ?? nearest(lower, values)
  const all = values.join(', ')
  return better === undefined
    ? `There is no ${name} "${value}"; write ${all}.`
    : `There is no ${name} "${value}"; write ${name}:${better}. There are ${all}.`
}

/** Like `take`, but the spaces stay: they are the operator's to allow. */
function takeAdjacent(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.text)
  if (found === null) return undefined
  reader.at = pattern.lastIndex
  return found[0]
}

function fieldOf(word: string, at: number): string {
  const path = pathOf(word)
  if (path !== undefined) return path
  const to = at + word.length
  if (fieldNamed(word))
    throw new LanguageError(
      `"${word}" is only shown; filter by reaction, note or feedback.[type].payload.`,
      at,
      to,
    )
  const better = nearest(word, [...NAMES, ...ROOTS])
  const hint = better === undefined ? '' : ` Did you mean ${better}?`
  throw new LanguageError(
    `There is no field "${word}"; write inputs.${word} or attributes.${word}.${hint}`,
    at,
    to,
  )
}

const NAMES = FIELDS.flatMap(({ names, path }) => (path ? names : []))

/** A length of time that has a unit. */
class Length {
  constructor(readonly ms: number) {}
}

type Value = string | number | boolean | null | Length | ExactNumber | typeof ANY
const ANY = Symbol('anything')

function readValue(reader: Reader, word: string): Value {
  const quoted = reader.quoted()
  if (quoted !== undefined) return quoted
  const text = reader.take(VALUE)?.[0]
  if (text === undefined) throw new LanguageError('A value is missing here.', reader.at)
  if (/^[:=!~<>]/.test(text)) {
    const at = reader.text.slice(0, reader.at).trimEnd().length - text.length
    throw new LanguageError(
      `There is no such operator; write one of ${OPERATORS.join(' ')}.`,
      at - 1,
      at + text.length,
    )
  }
  if (text === '*') return ANY
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  const [, number = '', unit] = /^(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(ms|s|min|m|h)?$/.exec(text) ?? []
  if (number !== '' && unit === undefined)
    return isLong(number) && !fieldNamed(word) ? new ExactNumber(number) : Number(number)
  if (unit !== undefined && isLength(word)) return new Length(Number(number) * UNITS[unit]!)
  return text
}

/** JavaScript and the service would take it for its neighbours. */
const isLong = (number: string) => /^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number))

/** The service compares numbers as doubles. Whether a long one is the same, it tells by its digits: those are a text. */
function literalOf(operator: Operator, value: Exclude<Value, typeof ANY>): Plain {
  if (value instanceof Length) return value.ms
  if (!(value instanceof ExactNumber)) return value
  return operator === ':' || operator === '!=' ? value.text : Number(value)
}

function condition(field: string, operator: Operator, value: Value): Expr {
  const input: Operand = { $getField: field }
  if (value === ANY) {
    const exists: Expr = { $eq: [{ $convert: { input, to: 'exists' } }, { $literal: true }] }
    return operator === '!=' ? { $not: [exists] } : exists
  }
  const literal: Operand = { $literal: literalOf(operator, value) }
  const contains = (): Expr => ({
    $contains: { input, substr: { $literal: String(value) }, case_insensitive: true },
  })
  switch (operator) {
    case ':':
      return { $eq: [input, literal] }
    case '!=':
      return { $not: [{ $eq: [input, literal] }] }
    case '~':
      return contains()
    case '!~':
      return { $not: [contains()] }
    case '>':
      return { $gt: [input, literal] }
    case '>=':
      return { $gte: [input, literal] }
    case '<':
      return { $lt: [input, literal] }
    case '<=':
      return { $lte: [input, literal] }
  }
}

/** The texts alone that {@link SEARCHED} are searched for. */
export function search(text: string): Expr {
  const substr: Operand = { $literal: text }
  return {
    $or: SEARCHED.map((field) => ({
      $contains: { input: { $getField: field }, substr, case_insensitive: true },
    })),
  }
}

const PLAIN = /^[^\s()":!=~<>*-][^\s()"]*$/
/** What is read as something else than a text. */
const TYPED = /^(true|false|null|-?\d.*)$/

/** A value as text. @param isText it must be read back as a text, even if it looks like a number */
function printValue(value: string, isText: boolean): string {
  const isPlain = PLAIN.test(value) && !/^(and|or|not)$/i.test(value) && !(isText && TYPED.test(value))
  return isPlain ? value : quoted(value)
}

/** A text in quotation marks. */
export const quoted = (text: string): string => `"${text.replaceAll(/[\\"]/g, '\\$&')}"`

/** A condition as text: what {@link compile} reads back. @param isText not a number, even if it looks like one */
export const printCondition = (field: string, operator: Operator, value: string, isText = false): string =>
  `${field}${operator}${printValue(value, isText)}`

export type Plain = string | number | boolean | null

/** The same with the field's short name, where that means the same. @param path as in `$getField` */
export function printTerm(path: string, operator: Operator, value: Plain): string {
  const name = fieldAt(path)?.names[0]
  const short = name === undefined ? '' : printed(name, operator, value)
  const long = printed(path, operator, value)
  return isReadAs(short, condition(path, operator, value)) ? short : long
}

const printed = (name: string, operator: Operator, value: Plain): string =>
  typeof value === 'string'
    ? printCondition(name, operator, value, true)
    : `${name}${operator}${typeof value === 'number' && isLength(name) ? lengthText(value) : value}`

const lengthText = (ms: number) => (ms !== 0 && ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`)

function isReadAs(text: string, expr: Expr): boolean {
  try {
    return JSON.stringify(compile(text)) === JSON.stringify(expr)
  } catch {
    return false
  }
}

/**
 * The query language of the traces table: `status:error latency>2s inputs.model:gpt-4o "timed out"`. Terms are joined by
 * and, `or` and `not` and parentheses work, a text alone is searched for. Compiles to `$expr`. Pure.
 */
import type { Schemas } from '../../api/client'

export type Expr = Schemas['Query']['$expr']
type Operand = Schemas['Operand']

/** What stands between a field and a value. */
export const OPERATORS = [':', '!=', '~', '!~', '>', '>=', '<', '<='] as const
export type Operator = (typeof OPERATORS)[number]

export class LanguageError extends Error {
  constructor(
    message: string,
    /** where in the text */
    readonly at: number,
  ) {
    super(message)
  }
}

/** Short names of fields. */
export const ALIASES: Readonly<Record<string, string>> = {
  name: 'summary.weave.trace_name',
  status: 'summary.weave.status',
  latency: 'summary.weave.latency_ms',
  first_token: 'summary.weave.time_to_first_token_ms',
  error: 'exception',
  thread: 'thread_id',
  turn: 'turn_id',
  trace: 'trace_id',
  parent: 'parent_id',
  user: 'wb_user_id',
  started: 'started_at',
  ended: 'ended_at',
  env: 'environment',
  prompt: 'prompt_name',
}
/** Where and by what a call was made. */
export const LABELS = ['environment', 'release', 'version', 'prompt_name', 'prompt_version'] as const
const COLUMNS = [
  'id',
  'trace_id',
  'parent_id',
  'thread_id',
  'turn_id',
  'op_name',
  'display_name',
  'exception',
  ...LABELS,
]
const OTHERS = [
  'started_at',
  'ended_at',
  'wb_user_id',
  'wb_run_id',
  'inputs',
  'output',
  'attributes',
  'summary',
]
const ROOTS = ['inputs.', 'output.', 'attributes.', 'summary.', 'feedback.']
/** Where a text alone is searched for. */
const SEARCHED = ['inputs', 'output', 'exception', 'summary.weave.trace_name']
/** Fields whose values need a unit. */
const LENGTHS = new Set(['latency', 'first_token'])
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
  const all = [conjunction(reader)]
  while (reader.take(/or(?=[\s()])/iy)) all.push(conjunction(reader))
  return all.length === 1 ? all[0]! : { $or: all }
}

function conjunction(reader: Reader): Expr {
  const all: Expr[] = []
  while (
    !reader.atEnd &&
    reader.text[reader.at] !== ')' &&
    !/^or[\s()]/i.test(reader.text.slice(reader.at, reader.at + 3))
  ) {
    if (all.length > 0) reader.take(/and(?=[\s()])/iy)
    if (reader.atEnd) break
    all.push(negation(reader))
  }
  if (all.length === 0) throw new LanguageError('A condition is missing here.', reader.at)
  return all.length === 1 ? all[0]! : { $and: all }
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
  const problem = valueProblem(word, value)
  if (problem !== undefined) throw new LanguageError(problem, at)
  return condition(field, operator === '=' ? ':' : (operator as Operator), value)
}

const STATUSES = ['success', 'error', 'running', 'descendant_error']

/** Why nothing could have this value, or why it would be misread. Fields by their full paths take any value. */
function valueProblem(word: string, value: Value): string | undefined {
  if (value === ANY || value === null) return undefined
  if (LENGTHS.has(word) && typeof value === 'number' && value !== 0)
    return `Say in which unit: ${word}>${value}s or ${word}>${value}ms.`
  if (LENGTHS.has(word) && !(typeof value === 'number' || value instanceof Length))
    return `${word === 'latency' ? 'A latency' : 'The time to the first token'} is a length of time, such as 2s or 300ms.`
  if (word === 'status' && !STATUSES.includes(String(value)))
    return `There is no such status; write ${STATUSES.join(', ')}.`
  if ((word === 'started' || word === 'ended') && Number.isNaN(Date.parse(String(value))))
    return 'This is no time; write it as 2026-01-31T12:00:00Z.'
  return undefined
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
  const field = ALIASES[word] ?? word
  if (COLUMNS.includes(field) || OTHERS.includes(field) || ROOTS.some((root) => field.startsWith(root)))
    return field
  throw new LanguageError(`There is no field "${word}"; write inputs.${word} or attributes.${word}.`, at)
}

/** A length of time that has a unit. */
class Length {
  constructor(readonly ms: number) {}
}

type Value = string | number | boolean | null | Length | typeof ANY
const ANY = Symbol('anything')

function readValue(reader: Reader, word: string): Value {
  const quoted = reader.quoted()
  if (quoted !== undefined) return quoted
  const text = reader.take(VALUE)?.[0]
  if (text === undefined) throw new LanguageError('A value is missing here.', reader.at)
  if (text === '*') return ANY
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  const [, number = '', unit] = /^(-?\d+(?:\.\d+)?)(ms|s|min|m|h)?$/.exec(text) ?? []
  if (number !== '' && unit === undefined) return Number(number)
  if (unit !== undefined && LENGTHS.has(word)) return new Length(Number(number) * UNITS[unit]!)
  return text
}

function condition(field: string, operator: Operator, value: Value): Expr {
  const input: Operand = { $getField: field }
  if (value === ANY) {
    const exists: Expr = { $eq: [{ $convert: { input, to: 'exists' } }, { $literal: true }] }
    return operator === '!=' ? { $not: [exists] } : exists
  }
  const literal: Operand = { $literal: value instanceof Length ? value.ms : value }
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

function search(text: string): Expr {
  const substr: Operand = { $literal: text }
  return {
    $or: SEARCHED.map((field) => ({
      $contains: { input: { $getField: field }, substr, case_insensitive: true },
    })),
  }
}

/** A condition as text: what {@link compile} reads back. @param isText not a number, even if it looks like one */
export function printCondition(field: string, operator: Operator, value: string, isText = false): string {
  const isPlain = !isText && /^[^\s()":!=~<>*-][^\s()"]*$/.test(value) && !/^(and|or|not)$/i.test(value)
  return `${field}${operator}${isPlain ? value : `"${value.replaceAll(/[\\"]/g, '\\$&')}"`}`
}

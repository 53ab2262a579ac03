/** Columns of Langfuse's queries, and the conditions that their filters make of them. Pure. */
import type { LangfuseFilter } from '../../../contract/langfuse-filter.js'
import { bounded } from '../../../domain/expr/bound.js'
import { allOf, bind, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { errors } from '../../../platform/errors/catalog.js'

/** A column in SQL. Of a text that is not there, it is ''; of anything else, NULL. */
export interface Column {
  /** a content is a text too long to group rows by */
  type: 'text' | 'content' | 'number' | 'time' | 'bool' | 'list'
  sql: Sql
}

export interface Columns {
  /** by their names */
  columns: ReadonlyMap<string, Column>
  /** the texts of members of metadata, by their keys */
  metadata?: (key: string) => Sql
}

type Value = LangfuseFilter['value']

const texts = (value: Value): string[] =>
  Array.isArray(value) ? value : value == null ? [] : [String(value)]
const text = (make: (column: Sql, value: Sql) => Sql) => (column: Sql, value: Value) =>
  make(column, sql`${bind.string(String(value ?? ''))}`)
const number = (make: (column: Sql, value: Sql) => Sql) => (column: Sql, value: Value) =>
  make(column, sql`${bind.float(Number(value))}`)
const moment = (make: (column: Sql, value: Sql) => Sql) => (column: Sql, value: Value) =>
  make(column, sql`fromUnixTimestamp64Milli(${bind.int(Date.parse(String(value)))})`)

type Operators = Record<string, (column: Sql, value: Value) => Sql>

const compared = (kind: typeof number): Operators => ({
  '=': kind((a, b) => sql`${a} = ${b}`),
  '<': kind((a, b) => sql`${a} < ${b}`),
  '<=': kind((a, b) => sql`${a} <= ${b}`),
  '>': kind((a, b) => sql`${a} > ${b}`),
  '>=': kind((a, b) => sql`${a} >= ${b}`),
})
const unset: Operators = {
  'is null': (column) => sql`isNull(${column})`,
  'is not null': (column) => sql`isNotNull(${column})`,
}

/** Names of one operator: which a client says depends on the type that it gives to the filter. */
const of = (names: readonly string[], make: (column: Sql) => Sql): Operators =>
  Object.fromEntries(names.map((name) => [name, make]))

const ofText: Operators = {
  '=': text((a, b) => sql`${a} = ${b}`),
  '<>': text((a, b) => sql`${a} != ${b}`),
  contains: text((a, b) => sql`position(${a}, ${b}) > 0`),
  matches: text((a, b) => sql`position(${a}, ${b}) > 0`),
  'does not contain': text((a, b) => sql`position(${a}, ${b}) = 0`),
  'starts with': text((a, b) => sql`startsWith(${a}, ${b})`),
  'ends with': text((a, b) => sql`endsWith(${a}, ${b})`),
  'any of': (column, value) => sql`${column} IN ${bind.strings(texts(value))}`,
  'none of': (column, value) => sql`${column} NOT IN ${bind.strings(texts(value))}`,
  ...of(['is null', 'is not set'], (column) => sql`${column} = ''`),
  ...of(['is not null', 'is set', 'is not empty'], (column) => sql`${column} != ''`),
}

const OPERATORS: Record<Column['type'], Operators> = {
  text: ofText,
  content: { ...ofText, matches: text((a, b) => sql`positionCaseInsensitiveUTF8(${a}, ${b}) > 0`) },
  number: { ...compared(number), ...unset },
  time: { ...compared(moment), ...unset },
  bool: {
    '=': (column, value) => sql`${column} = ${bind.uint(value === true ? 1 : 0)}`,
    '<>': (column, value) => sql`${column} != ${bind.uint(value === true ? 1 : 0)}`,
  },
  list: {
    'any of': (column, value) => sql`hasAny(${column}, ${bind.strings(texts(value))})`,
    'none of': (column, value) => sql`NOT hasAny(${column}, ${bind.strings(texts(value))})`,
    'all of': (column, value) => sql`hasAll(${column}, ${bind.strings(texts(value))})`,
  },
}

const isFitting: Record<Column['type'], (value: Value) => boolean> = {
  text: (value) => typeof value === 'string' || Array.isArray(value),
  content: (value) => typeof value === 'string' || Array.isArray(value),
  list: (value) => typeof value === 'string' || Array.isArray(value),
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  time: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  bool: (value) => typeof value === 'boolean',
}

/** The condition of a filter. @throws 400 that names what it could be */
export function conditionOf({ columns, metadata }: Columns, filter: LangfuseFilter): Sql {
  const { column: name, operator, value, type, key } = filter
  const isNumber = type === 'numberObject'
  const member = name === 'metadata' && metadata && key ? metadata(key) : undefined
  const column: Column | undefined =
    member === undefined
      ? columns.get(name)
      : { type: isNumber ? 'number' : 'text', sql: isNumber ? sql`toFloat64OrNull(${member})` : member }
  if (column === undefined) {
    if (name === 'metadata' && metadata) throw errors.badRequest('A filter of metadata needs a key.')
    throw errors.badRequest(`There is no column "${name}" to filter by; ${choiceOf(columns.keys())}.`)
  }
  const operators = OPERATORS[column.type]
  const make = Object.hasOwn(operators, operator) ? operators[operator] : undefined
  if (make === undefined)
    throw errors.badRequest(`"${name}" has no operator "${operator}"; ${choiceOf(Object.keys(operators))}.`)
  if (!operator.startsWith('is ') && !isFitting[column.type](value))
    throw errors.badRequest(`The value that "${name}" is filtered by should be a ${column.type}.`)
  return sql`(${make(column.sql, value)})`
}

/** The conditions of filters. @throws 400, 422 if they are too many */
export function conditionsOf(columns: Columns, filters: readonly LangfuseFilter[] | null | undefined): Sql[] {
  const all = (filters ?? []).map((filter) => conditionOf(columns, filter))
  bounded(allOf(all))
  return all
}

/** The choices, as the end of a sentence. */
export const choiceOf = (names: Iterable<string>) => `use one of ${[...names].join(', ')}`

/** What an operand of `$expr` is once it is compiled: SQL of a known kind, or a constant. Knows no table. */
import type { Sql } from '../../platform/clickhouse/sql.js'

/** A constant of a request, `$literal` taken off at every level. */
export type Constant = string | number | boolean | null | Constant[] | { [key: string]: Constant }

/**
 * The value at a path inside a column of JSON text. To the language it is a string: its text, which a constant beside
 * it may cast.
 */
export interface JsonValue {
  kind: 'json'
  /** JSON text, or '' for nothing */
  document: Sql
  path: readonly string[]
  /** the engine's reader takes every number in it: it was made by that reader */
  sound?: boolean
  /** path by which the index of leaves knows it, where it is indexed */
  leaf?: string
  /**
   * Where there may be several values, JSON text of each (Array(String)): a comparison holds if it holds for any of them,
   * to equal null is to have none. Everything else is about the one at the path.
   */
  each?: Sql
  /** a cheap condition that holds wherever there is a value */
  present?: Sql
}

/** A column or expression whose SQL is NULL where there is nothing. */
export interface PlainValue {
  kind: 'text' | 'number' | 'bool' | 'time'
  sql: Sql
  /**
   * The same without the NULLs, for conditions that no unset value can meet: it reads cheaper, and indexes know it.
   * Absent: `sql` has no NULLs, or needs them.
   */
  column?: Sql
  /** holds where nothing is set, for columns in which that and an empty text are one value. Absent: where it is NULL */
  unset?: Sql
  /** the form in which a text has to be to be compared with it */
  form?: (text: string) => string
  /** a cheap condition that holds wherever it is not NULL */
  present?: Sql
}

/** Texts that something has any number of. All that can be asked is whether one is among them, by `$eq`. */
export interface Membership {
  kind: 'member'
  has: (text: string) => Sql
}

export type Value = JsonValue | PlainValue | Membership | { kind: 'constant'; value: Constant }

/** The field that a name stands for, or undefined if there is none. */
export type Fields = (name: string) => Value | undefined

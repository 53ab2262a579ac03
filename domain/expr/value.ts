/** A compiled operand of `$expr`: SQL of a known kind, or a constant. */
import type { Sql } from '../../platform/clickhouse/sql.js'

/** A constant in a request, with `$literal` removed at every level. */
export type Constant = string | number | boolean | null | Constant[] | { [key: string]: Constant }

/**
 * The value at a path in a JSON column. In the language it is a string, its text, which a constant next to it may cast.
 */
export interface JsonValue {
  kind: 'json'
  /** JSON text, or '' if absent */
  document: Sql
  path: readonly string[]
  /** the engine can parse every number in it, because it wrote the text itself */
  sound?: boolean
  /** the paths, in segments, under which the leaf index may have it, if it is indexed */
  leaves?: readonly (readonly string[])[]
  /** true for rows that the index may not have it of; absent: there are none */
  unindexed?: Sql
  /**
   * JSON texts (Array(String)) of a multi-valued field: a comparison holds if it holds for any of them; equality with
   * null means there are none. Everything else applies to the value at the path.
   */
  each?: Sql
  /** a cheap condition that is true wherever a value exists */
  present?: Sql
  /** the value as a number, NULL where it is none; absent: it is read from the text */
  number?: Sql
  /** the column with the JSON text as it was sent, if `document` is one */
  column?: Sql
}

/** A column or expression; its SQL is NULL if absent. */
export interface PlainValue {
  kind: 'text' | 'number' | 'bool' | 'time'
  sql: Sql
  /**
   * The same without NULLs, for conditions that an unset value never meets: cheaper to read, and usable by indexes.
   * Absent: `sql` has no NULLs, or needs them.
   */
  column?: Sql
  /** true where unset, for columns that don't distinguish unset from empty text. Absent: where `sql` is NULL */
  unset?: Sql
  /** converts a constant to the form of the stored text */
  form?: (text: string) => string
  /** a cheap condition that is true wherever it is not NULL */
  present?: Sql
}

/** A set of texts. It only supports membership tests, with `$eq`. */
export interface Membership {
  kind: 'member'
  has: (text: string) => Sql
}

export type Value = JsonValue | PlainValue | Membership | { kind: 'constant'; value: Constant }

/** The field with a name, or undefined if there is none. */
export type Fields = (name: string) => Value | undefined

/** What went wrong with a statement, for its author: of the engine's own words what is about the statement alone. */
import { ClickHouseError } from '@clickhouse/client'
import { errors } from '../../platform/errors/catalog.js'
import { HeddleError } from '../../platform/errors/error.js'
import { sqlErrors } from './errors.js'

/** Faults of the store, not of a statement. */
const OURS = new Set([
  'UNKNOWN_TABLE',
  'UNKNOWN_DATABASE',
  'UNKNOWN_SETTING',
  'LOGICAL_ERROR',
  'NOT_IMPLEMENTED',
  'AUTHENTICATION_FAILED',
])
/** Errors of texts, types and values, by words of their names. The rest are of servers and files, whose words may tell of others. */
const MAY_SAY =
  /^UNSUPPORTED_METHOD$|ARGUMENT|TYPE|CONVERT|PARSE|AGGREGAT|IDENTIFIER|COLUMN|JOIN|ALIAS|EXPRESSION|SYNTAX|SIZE|NUMBER|FUNCTION|DATE|TIME|OVERFLOW|DIVISION|BOUND|UNION|INTERSECT|SCALAR|SUBQUER|REGEXP|PARAMETER|LIMIT|QUERY|INTERPRET|CTE|WINDOW|PROJECTION|^ILLEGAL|^INCORRECT_(?:DATA|ELEMENT|INDEX)|_(?:INDEX|ENUM|TEXT|STRING)$|AFTER_EOF|READ_ALL_DATA|COLLATION|TOO_(?:DEEP|BIG)|TOGETHER|TIES|ORDER_BY|UNICODE/

/** Where the engine begins to repeat the statement, which has been written anew, or to tell of its own work. */
const REST =
  /(?::? in scope |: In scope |: while |: While |\. Maybe you meant|\(in query|[:.] In query|, while |\. Stack trace|: default expression|Expected one of)/i
/** The brackets at the end of such an error do not always hold its name. */
const SYNTAX = '62'
const LONGEST = 300

export interface Ran {
  /** as it was sent */
  text: string
  /** the columns of the views that it reads */
  columns: Readonly<Record<string, readonly string[]>>
  /** what no sentence may say */
  secret: string
}

/** The error for the author of a statement. @param position finds where the text itself can't be read */
export async function sqlFailure(
  error: unknown,
  ran: Ran,
  position: () => Promise<number | undefined>,
): Promise<unknown> {
  if (!(error instanceof HeddleError)) return error
  const { cause } = error.extra
  if (!(cause instanceof ClickHouseError)) return error
  const type = cause.type ?? ''
  // Of a function, as of the pairs in a text.
  if (error.code !== 'INTERNAL' && type !== 'LIMIT_EXCEEDED') return error
  if (type === 'TOO_MANY_ROWS_OR_BYTES') return errors.limitHit('rows or bytes')
  if (type === 'READONLY' || type === 'ACCESS_DENIED')
    return sqlErrors.invalid('it would do more than read the tables of the project', cause)
  if (cause.code === SYNTAX) {
    const at = await position()
    return at === undefined
      ? sqlErrors.invalid("it uses something that this language doesn't have; see docs/guides/sql.md", cause)
      : sqlErrors.syntax(ran.text, at, 'this is unexpected')
  }
  const unknown = /identifier [`']([^`'\\]+)/.exec(cause.message)?.[1]
  if (type === 'UNKNOWN_IDENTIFIER' && unknown !== undefined && isSayable(unknown, ran))
    return sqlErrors.unknownColumn(unknown, ran.columns)
  if (type === 'UNKNOWN_TABLE' && /identifier [`']with /.test(cause.message))
    return sqlErrors.invalid('a name is used where the WITH that gives it does not reach', cause)
  if (OURS.has(type) || !MAY_SAY.test(type)) return error
  const sentence = cause.message
    .split(REST)[0]!
    .replaceAll(/\s+/g, ' ')
    .replace(/[.:\s]+$/, '')
  return sqlErrors.invalid(
    isSayable(sentence, ran) ? sentence.slice(0, LONGEST) : `the engine says ${type}`,
    cause,
  )
}

/** Names of our own making mean nothing to the author. */
function isSayable(sentence: string, { secret }: Ran): boolean {
  return !sentence.includes(secret) && !/\bvalue_\d|__table|\/\*|weave-trace-internal/.test(sentence)
}

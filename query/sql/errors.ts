import { HeddleError } from '../../platform/errors/error.js'

/** Where in a statement something is, from 1. */
interface Place {
  line: number
  column: number
}

function placeOf(sql: string, at: number): Place {
  const before = sql.slice(0, at).split('\n')
  return { line: before.length, column: before.at(-1)!.length + 1 }
}

const short = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text)

/** The error of this code at a place, which its sentence and its body say. */
function at(
  code: string,
  sql: string,
  offset: number,
  why: string,
  more: Record<string, unknown> = {},
): HeddleError {
  const place = placeOf(sql, offset)
  return new HeddleError(code, 400, `Line ${place.line}, column ${place.column}: ${why}.`, {
    body: { ...place, ...more },
  })
}

export const sqlErrors = {
  syntax: (sql: string, offset: number, why: string) => at('SQL_SYNTAX', sql, offset, why),
  /** @param what the construct, as it was written */
  forbidden: (sql: string, offset: number, what: string, why: string) =>
    at('SQL_FORBIDDEN', sql, offset, `${short(what)} can't be used: ${why}`, { construct: short(what) }),
  unknownTable: (sql: string, offset: number, name: string, tables: readonly string[]) =>
    at(
      'SQL_UNKNOWN_TABLE',
      sql,
      offset,
      `there is no table "${short(name)}"; there are ${tables.join(', ')}`,
      {
        tables,
      },
    ),
  unknownColumn: (name: string, columns: Readonly<Record<string, readonly string[]>>) => {
    const known = Object.entries(columns).map(([table, names]) => `${table} has ${names.join(', ')}`)
    return new HeddleError(
      'SQL_UNKNOWN_COLUMN',
      400,
      `There is no column "${short(name)}"${known.length > 0 ? `; ${known.join('; ')}` : ''}.`,
      { body: { columns } },
    )
  },
  /** @param why the engine's sentence */
  invalid: (why: string, cause: unknown) =>
    new HeddleError('SQL_INVALID', 400, `The statement can't be run: ${why}.`, { cause }),
  badParam: (name: string, why: string) =>
    new HeddleError('SQL_PARAM', 400, `The parameter {${short(name)}} ${why}.`),
}

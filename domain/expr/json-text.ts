/**
 * SQL that reads values in JSON text. The text of a value is: a string unescaped, a number in decimal (5.0 → `5`),
 * `true`, `false`, an object or list minified, and '' for null and absent values.
 */
import { allOf, bind, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import type { JsonValue } from './value.js'

/** A value inside a document; see `JsonValue`. */
type JsonLocation = Pick<JsonValue, 'document' | 'path' | 'sound'>

/** The text of the value at `path`. An integer in a path is a list position, counted from 0. */
export function textAt({ document, path, sound }: JsonLocation): Sql {
  const from = readable(document, sound)
  const text = sql`JSONExtractString(${from}${args(path)})`
  const there = listsOnTheWay(from, path)
  return there.empty ? text : sql`if(${there}, ${text}, '')`
}

/** The value at `path` as JSON text; '' if absent. */
export function rawAt({ document, path, sound }: JsonLocation): Sql {
  const from = readable(document, sound)
  const raw = sql`JSONExtractRaw(${from}${args(path)})`
  const there = listsOnTheWay(from, path)
  return there.empty ? raw : sql`if(${there}, ${raw}, '')`
}

/** True if there is a non-null value at `path`. */
export function existsAt({ document, path, sound }: JsonLocation): Sql {
  const from = readable(document, sound)
  const present = sql`${document} != '' AND JSONType(${from}${args(path)}) != 'Null'`
  return sql`(${allOf([present, listsOnTheWay(from, path)])})`
}

/** The length of the list at `path`; for any other value, the length of its text in characters. */
export function sizeAt(location: JsonLocation): Sql {
  const { document, path, sound } = location
  const from = readable(document, sound)
  const there = listsOnTheWay(from, path)
  const isList = allOf([sql`JSONType(${from}${args(path)}) = 'Array'`, there])
  return sql`if(${isList}, JSONLength(${from}${args(path)}), lengthUTF8(${textAt(location)}))`
}

function args(path: readonly string[]): Sql {
  const parts = path.map((part) => sql`, ${isIndex(part) ? bind.int(Number(part) + 1) : bind.string(part)}`)
  return join(parts, sql``)
}

function isIndex(part: string): boolean {
  return /^\d{1,9}$/.test(part)
}

/** Most list positions in a path: each adds a condition as long as the path up to it. */
const MOST_POSITIONS = 16

/**
 * True if every position in `path` is within a list: objects have positions too, which must not match.
 * @throws 422 for too many positions
 */
function listsOnTheWay(from: Sql, path: readonly string[]): Sql {
  if (path.filter(isIndex).length > MOST_POSITIONS) throw errors.pathTooLong(MOST_POSITIONS)
  const lists = path.flatMap((part, i) =>
    isIndex(part) ? [sql`JSONType(${from}${args(path.slice(0, i))}) = 'Array'`] : [],
  )
  return allOf(lists)
}

/**
 * The engine's JSON parser rejects a whole document for one number beyond 64 bits, as Python writes them. Such a
 * document is read from a copy with those numbers as strings of the same digits. Only the few affected documents are
 * copied: `if` doesn't compute branches that no row takes.
 * @param sound no such number can be in it
 */
export function readable(document: Sql, sound = false): Sql {
  if (sound) return document
  return sql`if(${document} = '' OR isValidJSON(${document}), ${document}, ${mended(document)})`
}

/** The document with such numbers as strings; see {@link readable}. */
export function mended(document: Sql): Sql {
  const marked = sql`replaceRegexpAll(${document}, ${bind.string(STRING_OR_LARGE_NUMBER)}, ${bind.string('\\1\u0001\\2\u0001')})`
  return sql`replaceAll(replaceAll(${marked}, ${bind.string('\u0001\u0001')}, ''), ${bind.string('\u0001')}, '"')`
}

/** Minified JSON text with a space behind commas and colons, as Python writes it. */
export function spaced(raw: Sql): Sql {
  const marked = sql`replaceRegexpAll(${raw}, ${bind.string('("(?:[^"\\\\]|\\\\.)*")|([,:])')}, ${bind.string('\\1\u0001\\2\u0001')})`
  const around = sql`replaceAll(${marked}, ${bind.string('\u0001\u0001')}, '')`
  return sql`replaceRegexpAll(${around}, ${bind.string('\u0001([,:])\u0001')}, ${bind.string('\\1 ')})`
}

/** Strings are matched only to skip them. No stored JSON text contains a raw U+0001. */
const STRING_OR_LARGE_NUMBER =
  '("(?:[^"\\\\]|\\\\.)*")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})'

/**
 * SQL that looks into JSON text. A value's text is: a string as it reads, a number in decimal (5.0 → `5`), `true`,
 * `false`, an object or list minified, and '' for null and for what is not there. Knows no table.
 */
import { bind, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import type { JsonValue } from './value.js'

/** A value inside a document; see `JsonValue`. */
type JsonLocation = Pick<JsonValue, 'document' | 'path' | 'sound'>

/** The text of the value at `path`. A whole number in a path is a position in a list, counted from 0. */
export function textAt({ document, path, sound }: JsonLocation): Sql {
  const from = readable(document, sound)
  const text = sql`JSONExtractString(${from}${args(path)})`
  const there = listsOnTheWay(from, path)
  return there.empty ? text : sql`if(${there}, ${text}, '')`
}

/** The value at `path` as JSON text; '' for what is not there. */
export function rawAt({ document, path, sound }: JsonLocation): Sql {
  const from = readable(document, sound)
  const raw = sql`JSONExtractRaw(${from}${args(path)})`
  const there = listsOnTheWay(from, path)
  return there.empty ? raw : sql`if(${there}, ${raw}, '')`
}

/** True where a value other than null is at `path`. */
export function existsAt({ document, path, sound }: JsonLocation): Sql {
  const from = readable(document, sound)
  const present = sql`${document} != '' AND JSONType(${from}${args(path)}) != 'Null'`
  return sql`(${join([present, listsOnTheWay(from, path)], sql` AND `)})`
}

/** How many elements the list at `path` has; of anything else, how many characters its text has. */
export function sizeAt(location: JsonLocation): Sql {
  const { document, path, sound } = location
  const from = readable(document, sound)
  const there = listsOnTheWay(from, path)
  const isList = join([sql`JSONType(${from}${args(path)}) = 'Array'`, there], sql` AND `)
  return sql`if(${isList}, JSONLength(${from}${args(path)}), lengthUTF8(${textAt(location)}))`
}

function args(path: readonly string[]): Sql {
  const parts = path.map((part) => sql`, ${isIndex(part) ? bind.int(Number(part) + 1) : bind.string(part)}`)
  return join(parts, sql``)
}

function isIndex(part: string): boolean {
  return /^\d{1,9}$/.test(part)
}

/** Most positions of one path: each is looked at by a condition as long as the path to it. */
const MOST_POSITIONS = 16

/**
 * True where every position in `path` is one in a list: an object's members have positions too, which don't count.
 * @throws 422 for too many
 */
function listsOnTheWay(from: Sql, path: readonly string[]): Sql {
  if (path.filter(isIndex).length > MOST_POSITIONS) throw errors.pathTooLong(MOST_POSITIONS)
  const lists = path.flatMap((part, i) =>
    isIndex(part) ? [sql`JSONType(${from}${args(path.slice(0, i))}) = 'Array'`] : [],
  )
  return join(lists, sql` AND `)
}

/**
 * The engine's JSON reader gives up on a whole document for one number beyond 64 bits, as Python writes them. Such a
 * document is read from a copy in which those numbers are strings of the same digits. It is made for the few
 * documents that need it: branches of `if` that no row takes aren't computed.
 * @param sound there can be no such number in it
 */
export function readable(document: Sql, sound = false): Sql {
  if (sound) return document
  return sql`if(${document} = '' OR isValidJSON(${document}), ${document}, ${mended(document)})`
}

/** The document with such numbers as strings, which is read where it can't be itself; see {@link readable}. */
export function mended(document: Sql): Sql {
  const marked = sql`replaceRegexpAll(${document}, ${bind.string(STRING_OR_LARGE_NUMBER)}, ${bind.string('\\1\u0001\\2\u0001')})`
  return sql`replaceAll(replaceAll(${marked}, ${bind.string('\u0001\u0001')}, ''), ${bind.string('\u0001')}, '"')`
}

/** A string is matched to be passed over. No stored JSON text has a raw U+0001. */
const STRING_OR_LARGE_NUMBER =
  '("(?:[^"\\\\]|\\\\.)*")|(-?[0-9]{19,}(?:\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|-?[0-9]+(?:\\.[0-9]+)?[eE][-+]?[0-9]{3,})'

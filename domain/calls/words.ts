/**
 * Words that a text must have for another text to be in it, as conditions on columns of JSON text. They rule out nearly all
 * rows before any JSON is read, and they are what an index of words answers (`search-index.ts`). Pure.
 *
 * JSON may write any character as an escape. No program known to us does so for ASCII letters and digits, so these stand
 * in the column as they stand in the text.
 */
import { allOf, bind, join, type Sql, sql } from '../../platform/clickhouse/sql.js'

/** The index finds no shorter ones. */
const SHORTEST = 4
/** More would rule out little. */
const MOST = 3
/** The text of a number, which JSON may write in another way, has no other letter but those of "inf" and "nan". */
const NO_NUMBER = /[a-df-z]/

/** The longest words in a text, in lower case; none if it has no letters or only short words. */
export function wordsIn(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const long = words.filter((word) => word.length >= SHORTEST && NO_NUMBER.test(word))
  return [...new Set(long)].sort((a, b) => b.length - a.length).slice(0, MOST)
}

/** The condition that each of `words` is in one of the columns, in any case; empty if there are no words. */
export function haveWords(columns: readonly Sql[], words: readonly string[]): Sql {
  const has = (word: string) =>
    join(
      columns.map((column) => sql`lower(${column}) LIKE ${bind.string(`%${word}%`)}`),
      sql` OR `,
    )
  return allOf(words.map((word) => sql`(${has(word)})`))
}

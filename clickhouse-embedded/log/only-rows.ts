/**
 * What a statement says about the rows that it reads: `t /* only column = {name:String} *\/` behind a table's name, or
 * `{name:Array(String)}` for rows with one of several values, or `t /* only in parts *\/` for those that the log no longer
 * holds. To a ClickHouse server that is a comment. Pure.
 */
import { isWordAt } from './words.js'

const comment =
  /^\s*\/\*\s*only\s+(\w+)\s*=\s*\{\s*(\w+)\s*:\s*(?:String|(Array\(\s*String\s*\)))\s*\}\s*\*\//
const inParts = /^\s*\/\*\s*only in parts\s*\*\//

/** A parameter that holds a value of the read key, or a list of them. */
export type KeyParameter = { name: string; isList: boolean }

/**
 * The parameters that hold the values of `column` which rows of `table` must have to matter to a statement; none where no
 * row of the log does; undefined where any may.
 */
export function onlyRows(sql: string, table: string, column: string | undefined): KeyParameter[] | undefined {
  const name = table.slice(table.lastIndexOf('.') + 1)
  const parameters = new Map<string, KeyParameter>()
  for (let at = sql.indexOf(name); at >= 0; at = sql.indexOf(name, at + 1)) {
    if (!isWordAt(sql, at, name)) continue
    const behind = sql.slice(at + name.length, at + name.length + 200)
    if (inParts.test(behind)) continue
    const said = comment.exec(behind)
    if (column === undefined || said?.[1] !== column) return undefined
    parameters.set(said[2]!, { name: said[2]!, isList: said[3] !== undefined })
  }
  return [...parameters.values()]
}

/** Other ways to write a list are left to the engine: statements that use them wait for all rows. */
const plainList = /^\['[^']*'(?:,'[^']*')*\]$/

/** The values of the read key in `bound`; undefined where one is missing, or is not written as it is. */
export function keysIn(
  parameters: readonly KeyParameter[],
  bound: readonly (readonly [name: string, value: string])[],
): string[] | undefined {
  const keys: string[] = []
  for (const { name, isList } of parameters) {
    const text = bound.find(([own]) => own === name)?.[1]
    if (text === undefined || text.includes('\\')) return undefined
    if (!isList) keys.push(text)
    else if (plainList.test(text)) keys.push(...text.slice(2, -2).split("','"))
    else return undefined
  }
  return keys
}

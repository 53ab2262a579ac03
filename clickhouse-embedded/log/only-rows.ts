/**
 * What a statement says about the rows that it reads: `t /* only column = {name:String} *\/` behind a table's name. To a
 * ClickHouse server that is a comment. Pure.
 */
import { isWordAt } from './words.js'

const comment = /^\s*\/\*\s*only\s+(\w+)\s*=\s*\{\s*(\w+)\s*:\s*String\s*\}\s*\*\//

/**
 * Names of the parameters that hold the values of `column` which rows of `table` must have to matter to a statement;
 * undefined where any row may matter.
 */
export function onlyRows(sql: string, table: string, column: string | undefined): string[] | undefined {
  const name = table.slice(table.lastIndexOf('.') + 1)
  const parameters = new Set<string>()
  for (let at = sql.indexOf(name); at >= 0; at = sql.indexOf(name, at + 1)) {
    if (!isWordAt(sql, at, name)) continue
    const said = comment.exec(sql.slice(at + name.length, at + name.length + 200))
    if (column === undefined || said?.[1] !== column) return undefined
    parameters.add(said[2]!)
  }
  return [...parameters]
}

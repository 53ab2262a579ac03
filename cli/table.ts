/** Tables as text. */
import { printable } from './printable.js'

/** Columns as wide as their widest cell. @param texts the header first; all of one length */
export function table(texts: readonly (readonly string[])[]): string {
  const rows = texts.map((row) => row.map(printable))
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd()
  return `${rows.map(line).join('\n')}\n`
}

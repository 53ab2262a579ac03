/** Rows from the text of a file: JSON lines, a JSON list, or CSV with names in its first line. Pure. */
import { ExactNumber, parseJson } from '../api/json'
import { own, type Row } from './row'

/** @throws Error that says where the text is wrong */
export function rowsOf(text: string): Row[] {
  const begin = text.replace(/^\ufeff/, '').trimStart()
  if (begin.startsWith('[')) return checked(json(begin, 'The list'))
  if (begin.startsWith('{')) {
    const lines = begin.split('\n')
    return checked(lines.flatMap((line, i) => (line.trim() === '' ? [] : [json(line, `Line ${i + 1}`)])))
  }
  return csvRows(begin)
}

function json(text: string, where: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new Error(`${where} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function checked(values: unknown): Row[] {
  for (const [i, value] of (values as unknown[]).entries())
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new Error(`Row ${i + 1} is not a JSON object.`)
  return values as Row[]
}

function csvRows(text: string): Row[] {
  const [names = [], ...lines] = csvLines(text)
  if (names.length === 0 || names.includes(''))
    throw new Error('The first line of a CSV must name every column.')
  return lines.map((cells, i) => {
    if (cells.length !== names.length)
      throw new Error(`Row ${i + 1} has ${cells.length} cells; the first line names ${names.length} columns.`)
    const row: Row = {}
    for (const [j, name] of names.entries()) put(row, name, cellValue(cells[j]!))
    return row
  })
}

/** RFC 4180, with any line ends; empty lines are none. */
function csvLines(text: string): string[][] {
  const lines: string[][] = []
  let cells: string[] = []
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n|\r|$)/y
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex
    const found = cell.exec(text)
    if (found === null)
      throw new Error(`A quote is not closed, or stands within a cell, in line ${lines.length + 1}.`)
    const [, content = '', end] = found
    cells.push(content.startsWith('"') ? content.slice(1, -1).replaceAll('""', '"') : content)
    if (end === ',' && cell.lastIndex < text.length) continue
    if (end === ',') cells.push('')
    if (cells.length > 1 || content !== '') lines.push(cells)
    cells = []
    if (cell.lastIndex === at) break
  }
  return lines
}

/** Numbers, truth values and JSON are what they say; everything else is a text. */
function cellValue(cell: string): unknown {
  if (!/^(-?\d|true$|false$|null$|[[{])/.test(cell)) return cell
  try {
    const value = parseJson(cell)
    // A number that would be written otherwise stays a text.
    return (typeof value === 'number' && String(value) !== cell) || value instanceof ExactNumber
      ? cell
      : value
  } catch {
    return cell
  }
}

/** `answer.sum` is a field of `answer`, as files of the export have it. */
function put(row: Row, name: string, value: unknown): void {
  const parts = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$/.test(name) ? name.split('.') : [name]
  let into = row
  for (const part of parts.slice(0, -1)) {
    const next = Object.hasOwn(into, part) ? into[part] : undefined
    if (typeof next === 'object' && next !== null) into = next as Row
    else into = own(into, part, {}) as Row
  }
  own(into, parts.at(-1)!, value)
}

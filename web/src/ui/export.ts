/** Rows as files that other programs read. Pure, but for the downloads. */
import { isInside, jsonText } from '../api/json'

/** Fields of an object that stands in a row become columns of their own: `inputs.question`. */
export function flatten(value: unknown, path = '', into: Record<string, unknown> = {}): typeof into {
  const entries = isInside(value) && !Array.isArray(value) ? Object.entries(value) : []
  if (entries.length === 0) {
    if (path !== '') into[path] = value
    return into
  }
  for (const [key, inner] of entries) flatten(inner, path === '' ? key : `${path}.${key}`, into)
  return into
}

export function jsonLines(rows: readonly unknown[]): string {
  return rows.map((row) => `${jsonText(row)}\n`).join('')
}

/** RFC 4180, with a column for each field that any row has. */
export const csv = (rows: readonly unknown[]): string => new CsvTable().add(rows).parts().join('')

/** The same from rows that come one after the other: columns are added as they are found. */
export class CsvTable {
  private readonly columns: string[] = []
  private readonly known = new Set<string>()
  /** without their ends, and of how many columns they are */
  private readonly batches: { lines: string[]; width: number }[] = []

  add(rows: readonly unknown[]): this {
    const flat = rows.map((row) => flatten(row))
    for (const row of flat)
      for (const name of Object.keys(row)) {
        if (this.known.has(name)) continue
        this.known.add(name)
        this.columns.push(name)
      }
    const lines = flat.map((row) => this.columns.map((column) => cell(row[column])).join(','))
    this.batches.push({ lines, width: this.columns.length })
    return this
  }

  /** The file's text in parts, with the line of names first. */
  parts(): string[] {
    const { columns } = this
    const body = this.batches.map(({ lines, width }) => {
      // Earlier lines lack the columns that were found later.
      const end = `${','.repeat(columns.length - width)}\r\n`
      return lines.map((line) => line + end).join('')
    })
    return [`${columns.map(cell).join(',')}\r\n`, ...body]
  }
}

function cell(value: unknown): string {
  const text =
    value === undefined || value === null ? '' : typeof value === 'object' ? jsonText(value) : String(value)
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Saves a text as a file of the user. */
export const download = (name: string, text: string): void => downloadBlob(name, new Blob([text]))

export function downloadBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** Rows as files that other programs read. Pure, but for the downloads. */

/** Fields of an object that stands in a row become columns of their own: `inputs.question`. */
export function flatten(value: unknown, path = '', into: Record<string, unknown> = {}): typeof into {
  const isInside = typeof value === 'object' && value !== null && !Array.isArray(value)
  const entries = isInside ? Object.entries(value) : []
  if (entries.length === 0) {
    if (path !== '') into[path] = value
    return into
  }
  for (const [key, inner] of entries) flatten(inner, path === '' ? key : `${path}.${key}`, into)
  return into
}

export function jsonLines(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

/** RFC 4180, with a column for each field that any row has. */
export function csv(rows: readonly unknown[]): string {
  const flat = rows.map((row) => flatten(row))
  const columns = [...new Set(flat.flatMap((row) => Object.keys(row)))]
  const lines = [columns.map(cell), ...flat.map((row) => columns.map((column) => cell(row[column])))]
  return lines.map((line) => `${line.join(',')}\r\n`).join('')
}

function cell(value: unknown): string {
  const text =
    value === undefined || value === null
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)
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

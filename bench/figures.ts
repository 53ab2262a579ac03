/** Figures: from samples, and as tables of Markdown. Pure. */

/** A row of a table by column. */
export type Row = Readonly<Record<string, number | string>>

/** The results of a part of a run: paragraphs and tables, in the order of its page. */
export type Figures = readonly (string | readonly Row[])[]

/** The value below which the share `p` (0 to 1) of `values` lies; NaN for none. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? Number.NaN
}

/** The columns of request durations. */
export function spread(ms: readonly number[]): { 'ms p50': number; 'ms p99': number } {
  return { 'ms p50': percentile(ms, 0.5), 'ms p99': percentile(ms, 0.99) }
}

/** A number with at most three significant digits and separated thousands. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(3)))
}

/** A budget, marked if `value` misses it; undefined: there is none. */
export function budget(sign: '≤' | '≥', limit: number | undefined, value: number): string {
  if (limit === undefined) return '–'
  const isKept = sign === '≤' ? value <= limit : value >= limit
  return `${sign} ${short(limit)}${isKept ? '' : ' ✗'}`
}

/** A count, marked if it differs from the expected one. */
export function same(count: number, expected: number): number | string {
  return count === expected ? count : `${short(count)} ✗`
}

/** The figures as Markdown. */
export function markdown(figures: Figures): string {
  return figures.map((one) => (typeof one === 'string' ? one : table(one))).join('\n\n')
}

/** A table whose columns are those of its first row. */
export function table(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const cell = (value: number | string = '–') => (typeof value === 'number' ? short(value) : value)
  const cells = rows.map((row) => line(columns.map((column) => cell(row[column]))))
  return [line(columns), line(columns.map(() => '---')), ...cells].join('\n')
}

/** Figures from samples, and how they are written. Pure. */

/** The value below which the share `p` (0 to 1) of sorted values lies; NaN for none. */
export function percentile(sorted: readonly number[], p: number): number {
  if (sorted.length === 0) return Number.NaN
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))]!
}

/** A number with three significant digits at most, thousands apart. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(3)))
}

/** `p50 / p99` of sorted values. */
export function spread(sorted: readonly number[]): string {
  return `${short(percentile(sorted, 0.5))} / ${short(percentile(sorted, 0.99))}`
}

/** Bytes as MB. */
export function megabytes(bytes: number): string {
  return short(bytes / 1e6)
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Series of values over time: what a chart draws of them. Pure. */

export interface Series {
  label: string
  /** null: nothing is known at that time */
  values: readonly (number | null)[]
  /** a failure, in its colour */
  isBad?: boolean
  /** a threshold, dashed: what is beyond it is bad, or a warning */
  limit?: 'bad' | 'warning'
}

/** Each series on top of those before it, so that the last one is the sum of all. */
export function stacked(series: readonly Series[]): number[][] {
  let below: number[] = []
  return series.map(({ values }) => {
    below = values.map((value, i) => (below[i] ?? 0) + (value ?? 0))
    return below
  })
}

const sumOf = ({ values }: Series): number => values.reduce<number>((sum, value) => sum + (value ?? 0), 0)

/** The largest by sum; those left over are one series. */
export function largest(series: readonly Series[], most: number): Series[] {
  const inOrder = series.toSorted((a, b) => sumOf(b) - sumOf(a))
  if (inOrder.length <= most) return inOrder
  const rest = inOrder.slice(most - 1)
  const others = { label: `${rest.length} others`, values: stacked(rest).at(-1)! }
  return [...inOrder.slice(0, most - 1), others]
}

/** What stands in the legend: the value at a time, else the sum of what adds up, else the last one known. */
export function legendValue({ values }: Series, at: number | undefined, addsUp: boolean): number | null {
  if (at !== undefined) return values[at] ?? null
  return addsUp
    ? values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
    : (values.findLast((value) => value !== null) ?? null)
}

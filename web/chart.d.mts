/** Types of chart.mjs, which browsers run as it stands. */

export interface JobPoints {
  label: string
  /** of which it is a job; jobs of one model may be joined */
  model: string
  points: readonly { step: number; metrics: Readonly<Record<string, number>> }[]
}

/** Which of these metrics to show: the well-known ones, in their order. */
export function usualMetrics(jobs: readonly JobPoints[]): string[]

/** Jobs of one model as one line, one after the other. @param jobs of a model in their order */
export function joined(jobs: readonly JobPoints[]): JobPoints[]

/** Round numbers that span the range, about `count` of them. */
export function ticks(from: number, to: number, count: number): number[]

/** A number as short as an axis needs it. */
export function short(value: number): string

/** A whole drawing as SVG: a key of the jobs, and a chart for each metric. @param smooth 0 to 0.99 */
export function drawing(jobs: readonly JobPoints[], names?: readonly string[], smooth?: number): string

/** The metrics of jobs as lines of charts. Pure. */
import { type JobPoints, joined, seriesOf, usualMetrics } from '../../../curves'
import type { Job, Step } from '../../api/training'
import type { Series } from '../../ui/series'

/** Jobs as lines. @param jobs of a model in their order @param isJoined one line for each model */
export function linesOf(
  jobs: readonly Job[],
  steps: ReadonlyMap<string, readonly Step[]>,
  isJoined: boolean,
): JobPoints[] {
  const lines = jobs.map(({ id, model_id, model_name, entity, project }) => ({
    label: isJoined ? `${entity}/${project}/${model_name}` : model_name,
    model: model_id,
    points: steps.get(id) ?? [],
  }))
  const all = isJoined ? joined(lines) : lines
  const seen = new Map<string, number>()
  return all.map((line) => {
    const times = (seen.get(line.label) ?? 0) + 1
    seen.set(line.label, times)
    return times === 1 ? line : { ...line, label: `${line.label} (${times})` }
  })
}

/** The metrics that are drawn: those that matter, then, if all are asked for, the others. */
export function metricNames(lines: readonly JobPoints[], isAll: boolean): string[] {
  const usual = usualMetrics(lines)
  if (!isAll) return usual
  const every = new Set(lines.flatMap(({ points }) => points.flatMap(({ metrics }) => Object.keys(metrics))))
  return [...usual, ...[...every].filter((name) => !usual.includes(name)).sort()]
}

/** One metric over the steps of all lines; a line has no value at steps that are not its own. */
export function chartOf(
  lines: readonly JobPoints[],
  name: string,
  smooth: number,
): { steps: number[]; series: Series[] } {
  const drawn = seriesOf(lines, name, smooth)
  const steps = [...new Set(drawn.flatMap(({ points }) => points.map(([step]) => step)))].sort(
    (a, b) => a - b,
  )
  const series = lines.map(({ label }) => {
    const values = new Map(drawn.find((one) => one.label === label)?.points)
    return { label, values: steps.map((step) => values.get(step) ?? null) }
  })
  return { steps, series }
}

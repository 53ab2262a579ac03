/** `heddle curves`: plots the metrics of training jobs as text. The web pages draw the same series. */
import {
  type JobPoints,
  joined,
  type Series,
  seriesOf,
  short,
  titleOf,
  usualMetrics,
} from '../../web/curves.js'
import { CommandError } from '../command.js'
import { readJson, type Target } from '../http-client.js'
import { items, type Job, jobPath } from './training-client.js'

const HEIGHT = 11
/** The vertical axis: its labels and a line. */
const LABEL = 9
/** What marks a line's points; one line alone has dots. */
const MARKS = 'abcdefghijklmnopqrstuvwxyz'
const CONTROL = /\p{Cc}/gu

/** The plots of these jobs as text. @param width characters of a line @throws CommandError for a wrong `--smooth`, and for jobs without steps */
export async function curves(
  to: Target,
  ids: readonly string[],
  { metrics, smooth, byModel }: { metrics?: string; smooth: string; byModel?: boolean },
  width = process.stdout.columns ?? 80,
): Promise<string> {
  const share = Number(smooth)
  if (!(share >= 0 && share < 1)) throw new CommandError('--smooth must be a number from 0 to 0.99', 2)
  const jobs = byModel ? await linesOf(to, ids) : await Promise.all(ids.map((id) => pointsOf(to, id)))
  const names = metrics?.split(',').map((name) => name.trim()) ?? usualMetrics(jobs)
  if (names.length === 0) throw new CommandError('these jobs have no steps yet')
  return names.map((name) => plot(name, seriesOf(jobs, name, share), width)).join('\n')
}

/** One metric: title, chart, first and last step, and the lines' labels. */
export function plot(name: string, series: readonly Series[], width: number): string {
  const all = series.flatMap(({ points }) => points)
  if (all.length === 0) return `${titleOf(name)}: no values yet\n`
  const first = least(all.map(([step]) => step))
  const last = -least(all.map(([step]) => -step))
  const columns = Math.max(1, Math.min(width - LABEL - 2, last - first + 1))
  const lines = series.map(({ points }) => resampled(points, first, last, columns))
  const shown = lines.flat().filter((value) => !Number.isNaN(value))
  const low = least(shown)
  const high = -least(shown.map((value) => -value))

  const rows = Array.from({ length: HEIGHT }, () => Array<string>(columns).fill(' '))
  for (const [i, line] of lines.entries())
    for (const [column, value] of line.entries()) {
      if (Number.isNaN(value)) continue
      const row = high === low ? (HEIGHT - 1) / 2 : Math.round(((high - value) / (high - low)) * (HEIGHT - 1))
      rows[row]![column] = series.length === 1 ? '•' : MARKS[i % MARKS.length]!
    }
  const labels = new Map(
    high === low
      ? [[(HEIGHT - 1) / 2, high]]
      : [0, (HEIGHT - 1) / 2, HEIGHT - 1].map((row) => [row, high - ((high - low) * row) / (HEIGHT - 1)]),
  )
  const chart = rows.map((cells, row) => {
    const label = labels.get(row)
    const text = label === undefined ? '' : short(label)
    return `${text.padStart(LABEL)} ${label === undefined ? '│' : '┤'}${cells.join('')}`.trimEnd()
  })
  const axis = `${''.padStart(LABEL + 2)}steps ${short(first)} to ${short(last)}`
  const key = series.map(({ label }, i) => {
    const mark = series.length === 1 ? '•' : MARKS[i % MARKS.length]
    return `${mark!.padStart(LABEL)}  ${label.replace(CONTROL, '')}`
  })
  return `${[titleOf(name), ...chart, axis, ...key].join('\n')}\n`
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
}

/** The mean of the values that fall on each column, NaN where none does. */
function resampled(points: Series['points'], first: number, last: number, columns: number): number[] {
  const means = Array<number>(columns).fill(Number.NaN)
  const counts = new Uint32Array(columns)
  for (const [step, value] of points) {
    const column = last === first ? 0 : Math.round(((step - first) / (last - first)) * (columns - 1))
    counts[column]! += 1
    const mean = counts[column] === 1 ? 0 : means[column]!
    means[column] = mean + (value - mean) / counts[column]!
  }
  return means
}

async function pointsOf(to: Target, id: string): Promise<JobPoints> {
  const [job, { data }] = await Promise.all([
    readJson<Job>(to, jobPath(id)),
    readJson<{ data: JobPoints['points'] }>(to, jobPath(id, '/metrics')),
  ])
  return { label: `${job.model_name} · ${job.kind} · ${job.id}`, model: job.model_id, points: data }
}

/** One line per model, from all of its jobs. */
async function linesOf(to: Target, ids: readonly string[]): Promise<JobPoints[]> {
  const named = await Promise.all(ids.map((id) => readJson<Job>(to, jobPath(id))))
  const models = new Map(named.map((job) => [job.model_id, `${job.entity}/${job.project}/${job.model_name}`]))
  const jobs: JobPoints[] = []
  for (const [model, label] of models) {
    const path = `/v1/preview/training-jobs?order=asc&model_id=${encodeURIComponent(model)}`
    for await (const { id } of items<Job>(to, path)) jobs.push({ ...(await pointsOf(to, id)), label })
  }
  return joined(jobs)
}

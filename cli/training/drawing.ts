/** Lines over steps as SVG: what `heddle curves` writes. Pure text building: knows nothing of documents, requests or files. */
import {
  colourOf,
  type JobPoints,
  type Point,
  type Series,
  seriesOf,
  short,
  titleOf,
  usualMetrics,
} from '../../web/curves.js'

const FACE = 'Inter, "Helvetica Neue", Arial, "DejaVu Sans", sans-serif'
const MARGIN = { top: 30, right: 14, bottom: 30, left: 58 }

/** Round numbers that span the range, about `count` of them. */
export function ticks(from: number, to: number, count: number): number[] {
  if (from === to) return [from]
  const rough = (to - from) / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough * 0.75) ?? power * 10
  const first = Math.ceil(from / step - 1e-9)
  const last = Math.floor(to / step + 1e-9)
  return Array.from({ length: Math.min(last - first + 1, 50) }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  )
}

/** Where values lie on a drawing: functions from step and value to pixels. */
function scalesOf(series: readonly Series[], width: number, height: number) {
  const all = series.flatMap(({ points }) => points)
  const [left, right] = extent(all.map(([step]) => step))
  let [low, high] = extent(all.map(([, value]) => value))
  const room = high === low ? Math.abs(high) * 0.1 || 1 : (high - low) * 0.06
  // A quantity that is never negative keeps its foot on the ground.
  low = low >= 0 && low - room < 0 ? 0 : low - room
  high += room
  const inner = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom }
  return {
    left,
    right,
    low,
    high,
    x: (step: number) =>
      MARGIN.left + (right === left ? inner.width / 2 : ((step - left) / (right - left)) * inner.width),
    y: (value: number) => MARGIN.top + inner.height - ((value - low) / (high - low)) * inner.height,
  }
}

function extent(values: readonly number[]): [number, number] {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return low > high ? [0, 1] : [low, high]
}

/** One metric as an SVG group of this size; colours that are no line's come from `currentColor`. */
function chart(title: string, series: readonly Series[], width: number, height: number): string {
  const scales = scalesOf(series, width, height)
  const { x, y, left, right, low, high } = scales
  const foot = height - MARGIN.bottom
  const parts = [text(MARGIN.left, 18, title, 'font-size="13" font-weight="600"')]
  for (const value of ticks(low, high, 4)) {
    const at = round(y(value))
    parts.push(line(MARGIN.left, at, width - MARGIN.right, at, 'opacity="0.13"'))
    parts.push(text(MARGIN.left - 7, at + 4, short(value), 'text-anchor="end" opacity="0.65"'))
  }
  for (const step of ticks(left, right, Math.max(2, Math.floor(width / 90)))) {
    if (!Number.isInteger(step)) continue
    parts.push(text(round(x(step)), foot + 16, short(step), 'text-anchor="middle" opacity="0.65"'))
  }
  parts.push(line(MARGIN.left, foot, width - MARGIN.right, foot, 'opacity="0.35"'))
  for (const { points, colour } of series) parts.push(curve(thinned(points, width), x, y, colour))
  if (series.length === 0)
    parts.push(text(width / 2, height / 2, 'nothing yet', 'text-anchor="middle" opacity="0.5"'))
  return parts.join('')
}

type Scale = (value: number) => number

function curve(points: readonly Point[], x: Scale, y: Scale, colour: string): string {
  if (points.length === 1) {
    const [step, value] = points[0]!
    return `<circle cx="${round(x(step))}" cy="${round(y(value))}" r="2.5" fill="${colour}"/>`
  }
  const path = points.map(([step, value]) => `${round(x(step))},${round(y(value))}`).join(' ')
  return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="1.6" stroke-linejoin="round"/>`
}

/** No more points than pixels show; of those that fall together the lowest and the highest stay. */
function thinned(points: readonly Point[], width: number): readonly Point[] {
  const bucket = Math.ceil(points.length / width)
  if (bucket <= 2) return points
  const kept: Point[] = []
  for (let at = 0; at < points.length; at += bucket) {
    const some = points.slice(at, at + bucket)
    const low = some.reduce((a, b) => (b[1] < a[1] ? b : a))
    const high = some.reduce((a, b) => (b[1] > a[1] ? b : a))
    if (low === high) kept.push(low)
    else kept.push(...(low[0] < high[0] ? [low, high] : [high, low]))
  }
  return kept
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function line(x1: number, y1: number, x2: number, y2: number, more: string): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="currentColor" ${more}/>`
}

function text(x: number, y: number, content: string, more: string): string {
  return `<text x="${x}" y="${y}" fill="currentColor" ${more}>${escaped(content)}</text>`
}

/** Text that can stand in markup, whatever is in it. */
function escaped(content: string): string {
  return content.replace(/[^\P{Cc}\t\n\r]/gu, '').replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
}

const CELL = { width: 430, height: 230 }
const KEY_LINE = 20

/**
 * A whole drawing: a key of the jobs, and a chart for each metric, two beside each other.
 * @param names metrics; default: the usual ones @param smooth 0 to 0.99
 */
export function drawing(
  jobs: readonly JobPoints[],
  names: readonly string[] = usualMetrics(jobs),
  smooth = 0,
): string {
  const columns = names.length > 1 ? 2 : 1
  const head = 14 + KEY_LINE * jobs.length
  const width = columns * CELL.width
  const height = head + Math.max(1, Math.ceil(names.length / columns)) * CELL.height
  const key = jobs.map(({ label }, i) => {
    const at = 20 + i * KEY_LINE
    const colour = colourOf(i)
    return `<rect x="${MARGIN.left}" y="${at - 9}" width="16" height="4" rx="2" fill="${colour}"/>${text(MARGIN.left + 24, at - 3, label, '')}`
  })
  const charts = names.map((name, i) => {
    const at = `translate(${(i % columns) * CELL.width} ${head + Math.floor(i / columns) * CELL.height})`
    return `<g transform="${at}">${chart(titleOf(name), seriesOf(jobs, name, smooth), CELL.width, CELL.height)}</g>`
  })
  const face = `font-family='${FACE}' font-size="11" color="#1b1e27"`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ${face}><rect width="100%" height="100%" fill="#ffffff"/>${key.join('')}${charts.join('')}</svg>\n`
}

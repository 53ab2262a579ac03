/**
 * Lines over steps as SVG: what the page of training jobs shows and what `heddle curves` writes are drawn here, by the
 * same code in the browser and in Node.js. Pure text building: knows nothing of documents, requests or files.
 */

/** Told apart also by those who see red and green as one (Okabe and Ito's order, without yellow). */
export const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00', '#555555']

const FACE = 'Inter, "Helvetica Neue", Arial, "DejaVu Sans", sans-serif'
export const MARGIN = { top: 30, right: 14, bottom: 30, left: 58 }

/** Names of metrics as heads, those that matter first; everything else is shown under its own name. */
const TITLES = new Map([
  ['loss', 'Loss'],
  ['policy_loss', 'Policy loss'],
  ['reward', 'Reward'],
  ['reward_std_dev', 'Reward, standard deviation'],
  ['kl_policy_ref', 'KL to the reference'],
  ['kl_div', 'KL'],
  ['entropy', 'Entropy'],
  ['grad_norm', 'Gradient norm'],
  ['learning_rate', 'Learning rate'],
  ['tokens_per_second', 'Tokens/s'],
  ['performance/mfu', 'Model FLOPs utilisation'],
  ['performance/memory_bytes', 'Memory, bytes'],
])

/** A larger one has no place on an axis. */
const LARGEST = 1e300

/** Those shown where nothing else is asked for. */
const USUAL = 10

export function titleOf(name) {
  return TITLES.get(name) ?? name
}

/** Which of these metrics to show: the well-known ones, in their order. @param jobs [{points: [{step, metrics}]}] */
export function usualMetrics(jobs) {
  const there = new Set(jobs.flatMap(({ points }) => points.flatMap(({ metrics }) => Object.keys(metrics))))
  return [...TITLES.keys()].slice(0, USUAL).filter((name) => there.has(name))
}

/**
 * Jobs of one model as one line: each goes on at the step where the one before it ended. Reinforcement learning makes many
 * jobs of few steps. @param jobs [{model, label, points}], of a model in their order; the first one's label names the line
 */
export function joined(jobs) {
  const lines = new Map()
  for (const { model, label, points } of jobs) {
    const line = lines.get(model) ?? { label, model, points: [] }
    lines.set(model, line)
    const from = line.points.at(-1)?.step ?? 0
    line.points.push(...points.map((point) => ({ ...point, step: from + point.step })))
  }
  return [...lines.values()]
}

/** A metric of each job as lines. @param smooth 0 to 0.99: the share of what came before in each value */
export function seriesOf(jobs, name, smooth = 0) {
  return jobs
    .map(({ label, points }, i) => ({
      label,
      colour: COLOURS[i % COLOURS.length],
      points: smoothed(
        points
          .filter(({ metrics }) => Math.abs(metrics[name]) < LARGEST)
          .map(({ step, metrics }) => [step, metrics[name]]),
        smooth,
      ),
    }))
    .filter(({ points }) => points.length > 0)
}

/** Exponential moving average, without the pull of its start towards zero. */
function smoothed(points, smooth) {
  if (!(smooth > 0)) return points
  let sum = 0
  let weight = 0
  return points.map(([step, value]) => {
    sum = smooth * sum + (1 - smooth) * value
    weight = smooth * weight + (1 - smooth)
    return [step, sum / weight]
  })
}

/** Round numbers that span the range, about `count` of them. */
export function ticks(from, to, count) {
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

/** A number as short as an axis needs it. */
export function short(value) {
  const size = Math.abs(value)
  if (size === 0) return '0'
  if (size >= 1e15 || size < 1e-3) return Number(value.toPrecision(3)).toExponential()
  for (const [unit, name] of [
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e4, 'k'],
  ])
    if (size >= unit) return `${trim(value / (name === 'k' ? 1e3 : unit))}${name}`
  return trim(value)
}

function trim(value) {
  return String(Number(value.toPrecision(4)))
}

/** Where values lie on a drawing: functions from step and value to pixels. */
export function scalesOf(series, width, height) {
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
    x: (step) =>
      MARGIN.left + (right === left ? inner.width / 2 : ((step - left) / (right - left)) * inner.width),
    y: (value) => MARGIN.top + inner.height - ((value - low) / (high - low)) * inner.height,
  }
}

function extent(values) {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return low > high ? [0, 1] : [low, high]
}

/**
 * One metric as an SVG group of this size; colours that are no line's come from `currentColor`.
 * @param series as seriesOf gives them
 */
export function chart(title, series, width, height) {
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

function curve(points, x, y, colour) {
  if (points.length === 1) {
    const [[step, value]] = points
    return `<circle cx="${round(x(step))}" cy="${round(y(value))}" r="2.5" fill="${colour}"/>`
  }
  const path = points.map(([step, value]) => `${round(x(step))},${round(y(value))}`).join(' ')
  return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="1.6" stroke-linejoin="round"/>`
}

/** No more points than pixels show; of those that fall together the lowest and the highest stay. */
function thinned(points, width) {
  const bucket = Math.ceil(points.length / width)
  if (bucket <= 2) return points
  const kept = []
  for (let at = 0; at < points.length; at += bucket) {
    const some = points.slice(at, at + bucket)
    const low = some.reduce((a, b) => (b[1] < a[1] ? b : a))
    const high = some.reduce((a, b) => (b[1] > a[1] ? b : a))
    if (low === high) kept.push(low)
    else kept.push(...(low[0] < high[0] ? [low, high] : [high, low]))
  }
  return kept
}

function round(value) {
  return Math.round(value * 10) / 10
}

function line(x1, y1, x2, y2, more) {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="currentColor" ${more}/>`
}

function text(x, y, content, more) {
  return `<text x="${x}" y="${y}" fill="currentColor" ${more}>${escaped(content)}</text>`
}

/** Text that can stand in markup, whatever is in it. */
export function escaped(content) {
  return String(content)
    .replace(/[^\P{Cc}\t\n\r]/gu, '')
    .replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
}

const CELL = { width: 430, height: 230 }
const KEY_LINE = 20

/**
 * A whole drawing: a key of the jobs, and a chart for each metric, two beside each other.
 * @param jobs [{label, points: [{step, metrics}]}] @param names metrics; default: the usual ones
 */
export function drawing(jobs, names = usualMetrics(jobs), smooth = 0) {
  const columns = names.length > 1 ? 2 : 1
  const head = 14 + KEY_LINE * jobs.length
  const width = columns * CELL.width
  const height = head + Math.max(1, Math.ceil(names.length / columns)) * CELL.height
  const key = jobs.map(({ label }, i) => {
    const at = 20 + i * KEY_LINE
    const colour = COLOURS[i % COLOURS.length]
    return `<rect x="${MARGIN.left}" y="${at - 9}" width="16" height="4" rx="2" fill="${colour}"/>${text(MARGIN.left + 24, at - 3, label, '')}`
  })
  const charts = names.map((name, i) => {
    const at = `translate(${(i % columns) * CELL.width} ${head + Math.floor(i / columns) * CELL.height})`
    return `<g transform="${at}">${chart(titleOf(name), seriesOf(jobs, name, smooth), CELL.width, CELL.height)}</g>`
  })
  const face = `font-family='${FACE}' font-size="11" color="#1b1e27"`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ${face}><rect width="100%" height="100%" fill="#ffffff"/>${key.join('')}${charts.join('')}</svg>\n`
}

/**
 * The page of training jobs: which are shown, their points as they come, charts that follow the pointer. Talks to the
 * two reads beside it and to nothing else; draws by chart.mjs. Whatever comes from there goes in as text.
 */
import { COLOURS, chart, joined, scalesOf, seriesOf, short, titleOf, usualMetrics } from './chart.mjs'

const POLL_MS = 1500
const PAGE = 50
const HEIGHT = 230
const KEY = 'heddle.key'
const $ = (id) => document.getElementById(id)

/** id → what the list says of it */
const jobs = new Map()
/** id → step → metrics, of the jobs that are shown */
const points = new Map()
let shown = location.hash.slice(1).split(',').filter(Boolean)
let oldest = ''

async function get(path) {
  const answer = await fetch(path, { headers: { authorization: `Bearer ${$('key').value}` } })
  if (answer.ok) return answer.json()
  const told = await answer.json().catch(() => ({}))
  throw new Error(told.error?.message ?? told.reason ?? `${answer.status}`)
}

async function readJobs(after = '') {
  const page = await get(`/training/jobs?limit=${PAGE}${after && `&after=${encodeURIComponent(after)}`}`)
  for (const job of page.data) jobs.set(job.id, job)
  if (after !== '' || oldest === '') {
    oldest = page.last_id
    $('more').hidden = !page.has_more
  }
  if (shown.length === 0 && page.data.length > 0) {
    shown = [page.data[0].id]
    // A client that samples and trains in turns makes a job for each turn.
    $('joined').checked = page.data[0].kind === 'rl'
  }
}

/** Only steps that are not there yet; asking again for one does no harm. */
async function readPoints(id) {
  const known = points.get(id) ?? new Map()
  points.set(id, known)
  const after = Math.max(0, ...known.keys())
  const { data } = await get(`/training/jobs/${encodeURIComponent(id)}/metrics?after=${after}`)
  for (const { step, metrics } of data) known.set(step, metrics)
}

/** Whose points are drawn: jobs that were chosen, or all that are listed of their models; the oldest of a model first. */
function wanted() {
  if (!$('joined').checked) return shown
  const models = new Set(shown.map((id) => jobs.get(id)?.model_id))
  // Ids are in the order in which jobs came.
  const ofModel = (model) => [...jobs.keys()].filter((id) => jobs.get(id).model_id === model).sort()
  return [...models].flatMap(ofModel)
}

const isOver = (id) => ['completed', 'failed', 'cancelled'].includes(jobs.get(id)?.status)

async function refresh() {
  if ($('key').value === '') {
    $('status').textContent = 'Enter the API key that Heddle printed at its first start.'
    return
  }
  try {
    const wasOver = new Set([...points.keys()].filter(isOver))
    await readJobs()
    await Promise.all(
      wanted()
        .filter((id) => !wasOver.has(id))
        .map(readPoints),
    )
    $('status').textContent = jobs.size === 0 ? 'No jobs yet. Start one with: heddle train' : ''
    $('status').className = 'note'
  } catch (error) {
    $('status').textContent = String(error.message)
    $('status').className = 'note bad'
  }
  draw()
}

function draw() {
  drawList()
  drawCharts()
}

function element(name, attributes, ...children) {
  const node = Object.assign(document.createElement(name), attributes)
  node.append(...children)
  return node
}

function drawList() {
  const newest = [...jobs.values()].sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
  const rows = newest.map((job) => {
    const at = place(job)
    const box = element('input', {
      type: 'checkbox',
      checked: shown.includes(job.id),
      onchange: () => choose(job.id, box.checked),
    })
    const swatch = element('span', { className: 'swatch' })
    if (at >= 0) swatch.style.background = COLOURS[at % COLOURS.length]
    const steps = job.steps_total === null ? '' : ` ${job.steps_done}/${job.steps_total}`
    const state = element('span', { className: 'state' }, `${job.status}${steps}`)
    const when = job.created_at.slice(5, 16).replace('T', ' ')
    const about = element(
      'span',
      { className: 'note', title: job.error_message ?? job.id },
      `${job.kind} · `,
      state,
      ` · ${when}`,
    )
    const name = `${job.entity}/${job.project}/${job.model_name}`
    return element('label', { className: `job ${job.status}` }, box, swatch, element('span', {}, name, about))
  })
  // What is under the pointer or has the focus is not taken away for nothing.
  const text = rows.map((row) => row.textContent).join('\n') + shown + $('joined').checked
  if ($('jobs').dataset.text === text) return
  $('jobs').dataset.text = text
  $('jobs').replaceChildren(...rows)
}

/** Which line is the job's; −1: none. */
function place({ id, model_id: model }) {
  if (!$('joined').checked) return shown.indexOf(id)
  return [...new Set(shown.map((one) => jobs.get(one)?.model_id))].indexOf(model)
}

function choose(id, on) {
  shown = on ? [...shown, id] : shown.filter((one) => one !== id)
  history.replaceState(null, '', shown.length > 0 ? `#${shown.join(',')}` : location.pathname)
  refresh()
}

function drawn() {
  const lines = wanted().map((id) => ({
    label: jobs.get(id)?.model_name ?? id,
    model: jobs.get(id)?.model_id ?? id,
    points: [...(points.get(id) ?? [])]
      .map(([step, metrics]) => ({ step, metrics }))
      .sort((a, b) => a.step - b.step),
  }))
  return $('joined').checked ? joined(lines) : lines
}

function drawCharts() {
  const data = drawn()
  const every = () => [
    ...new Set(data.flatMap((job) => job.points.flatMap(({ metrics }) => Object.keys(metrics)))),
  ]
  const usual = usualMetrics(data)
  const names = $('all').checked
    ? [
        ...usual,
        ...every()
          .filter((name) => !usual.includes(name))
          .sort(),
      ]
    : usual
  $('hint').hidden = names.length > 0
  const there = new Map([...$('charts').children].map((node) => [node.dataset.name, node]))
  $('charts').replaceChildren(...names.map((name) => there.get(name) ?? frame(name)))
  for (const node of $('charts').children) drawChart(node, data)
}

function frame(name) {
  const node = element('div', { className: 'chart' }, element('div', {}), element('output', { hidden: true }))
  node.dataset.name = name
  node.addEventListener('pointermove', (event) => point(node, event))
  node.addEventListener('pointerleave', () => {
    node.lastChild.hidden = true
    node.querySelector('.cursor')?.remove()
  })
  return node
}

function drawChart(node, data) {
  const width = Math.max(280, Math.round(node.clientWidth))
  const series = seriesOf(data, node.dataset.name, Number($('smooth').value))
  node.series = series
  node.width = width
  const inside = chart(titleOf(node.dataset.name), series, width, HEIGHT)
  if (node.inside === inside) return
  node.inside = inside
  node.firstChild.innerHTML = `<svg viewBox="0 0 ${width} ${HEIGHT}" height="${HEIGHT}" role="img">${inside}</svg>`
}

/** Shows the values of the step under the pointer. */
function point(node, event) {
  const { series, width } = node
  if (series.length === 0) return
  const box = node.getBoundingClientRect()
  const { x } = scalesOf(series, width, HEIGHT)
  const at = ((event.clientX - box.left) / box.width) * width
  const nearest = (all) => all.reduce((a, b) => (Math.abs(x(b[0]) - at) < Math.abs(x(a[0]) - at) ? b : a))
  const step = nearest(series.map((one) => nearest(one.points)))[0]
  const lines = series.flatMap(({ label, points: all }) => {
    const found = all.find(([one]) => one === step)
    return found ? [`${series.length > 1 ? `${label}  ` : ''}${short(found[1])}`] : []
  })
  node.lastChild.textContent = `step ${step}\n${lines.join('\n')}`
  node.lastChild.hidden = false
  const svg = node.querySelector('svg')
  svg.querySelector('.cursor')?.remove()
  const cursor = document.createElementNS('http://www.w3.org/2000/svg', 'line')
  for (const [name, value] of Object.entries({
    x1: x(step),
    x2: x(step),
    y1: 30,
    y2: HEIGHT - 30,
    stroke: 'currentColor',
    opacity: 0.3,
    class: 'cursor',
  }))
    cursor.setAttribute(name, value)
  svg.append(cursor)
}

$('key').value = sessionStorage.getItem(KEY) ?? ''
$('key').addEventListener('change', () => {
  sessionStorage.setItem(KEY, $('key').value)
  refresh()
})
$('smooth').addEventListener('input', drawCharts)
$('joined').addEventListener('change', refresh)
$('all').addEventListener('change', drawCharts)
$('more').addEventListener('click', () => readJobs(oldest).then(draw, () => undefined))
window.addEventListener('resize', drawCharts)
async function live() {
  if (!document.hidden) await refresh()
  setTimeout(live, POLL_MS)
}
live()

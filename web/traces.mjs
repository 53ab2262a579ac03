/*
 * The calls of a project: its traces, the newest first; one as a tree with times; a call's content. It is where SDKs
 * point to (/{entity}/{project}/weave, …/r/call/{id}, …/weave/objects/{name}/versions/{digest}). Asks by the public
 * interface alone; whatever comes goes in as text.
 */
const PAGE = 50
const POLL_MS = 3000
const MOST_CALLS = 1000
const MOST_TEXT = 50000
const KEY = 'heddle.key'
const $ = (id) => document.getElementById(id)
const el = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes))
    if (name === 'onclick') node.addEventListener('click', value)
    // An attribute would be refused: the page's policy allows no style within it.
    else if (name === 'style') Object.assign(node.style, value)
    else if (value !== undefined) node.setAttribute(name, value)
  node.append(...children)
  return node
}
const [entity, name, kind, ...rest] = location.pathname.slice(1).split('/').map(decodeURIComponent)
const project = `${entity}/${name}`
const home = location.pathname.split('/').slice(0, 3).join('/')
let traces = []
let chosen

async function ask(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${$('key').value}`, 'content-type': 'application/json' },
    body: JSON.stringify({ project_id: project, ...body }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(JSON.parse(text).reason ?? answer.status)
  return text
}
const lines = (text) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
const SHOWN = [
  'id',
  'trace_id',
  'parent_id',
  'op_name',
  'display_name',
  'started_at',
  'ended_at',
  'exception',
]

/** An op's ref holds its name; other names stand as they are. */
const titleOf = ({ display_name: title, op_name: op }) =>
  title ?? decodeURIComponent(/\/op\/([^:]+):/.exec(op)?.[1] ?? op)
const millis = ({ started_at: from, ended_at: to }) =>
  Date.parse(to ?? new Date().toISOString()) - Date.parse(from)
const took = (call) => (call.ended_at ? `${millis(call).toLocaleString()} ms` : 'running')

async function readTraces(offset) {
  const query = { filter: { trace_roots_only: true }, sort_by: [{ field: 'started_at', direction: 'desc' }] }
  const found = lines(await ask('/calls/stream_query', { ...query, columns: SHOWN, limit: PAGE, offset }))
  const known = new Set(found.map(({ id }) => id))
  traces = [...found, ...traces.filter(({ id }) => !known.has(id))].sort(
    (a, b) => Date.parse(b.started_at) - Date.parse(a.started_at),
  )
  if (offset > 0 || traces.length <= PAGE) $('more').hidden = found.length < PAGE
  drawTraces()
}

function drawTraces() {
  $('traces').replaceChildren(
    ...traces.map((call) => {
      const classes = [call.trace_id === chosen?.trace_id && 'chosen', call.exception && 'failed']
        .filter(Boolean)
        .join(' ')
      return el(
        'a',
        {
          href: `${home}/r/call/${encodeURIComponent(call.id)}`,
          class: classes,
          onclick: (event) => {
            event.preventDefault()
            tell(() => open(call))
          },
        },
        el('span', { class: 'path' }, titleOf(call)),
        el('span', { class: 'note' }, took(call)),
        el('span', { class: 'note' }, new Date(call.started_at).toLocaleString()),
      )
    }),
  )
}

async function open({ id, trace_id }) {
  const calls = lines(
    await ask('/calls/stream_query', {
      filter: { trace_ids: [trace_id] },
      columns: SHOWN,
      limit: MOST_CALLS,
    }),
  )
  history.replaceState(null, '', `${home}/r/call/${encodeURIComponent(id)}`)
  await choose(calls, calls.find((call) => call.id === id) ?? { id, trace_id })
  drawTraces()
}

function below(calls, parent, depth) {
  return calls
    .filter((call) =>
      parent === undefined ? !calls.some(({ id }) => id === call.parent_id) : call.parent_id === parent.id,
    )
    .sort((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at))
    .flatMap((call) => [{ call, depth }, ...below(calls, call, depth + 1)])
}

async function choose(calls, call) {
  chosen = call
  const first = Math.min(...calls.map(({ started_at: at }) => Date.parse(at)))
  const whole = Math.max(1, ...calls.map((one) => Date.parse(one.started_at) + millis(one) - first))
  $('calls').replaceChildren(
    ...below(calls, undefined, 0).map(({ call: one, depth }) => {
      const bar = el('i', {
        style: {
          left: `${(100 * (Date.parse(one.started_at) - first)) / whole}%`,
          width: `${(100 * millis(one)) / whole}%`,
        },
      })
      const classes = ['call', one.id === call.id && 'chosen', one.exception && 'failed']
        .filter(Boolean)
        .join(' ')
      return el(
        'button',
        { type: 'button', class: classes, onclick: () => tell(() => choose(calls, one)) },
        el('span', { class: 'name', style: { paddingLeft: `${18 * depth}px` } }, titleOf(one)),
        el('span', { class: 'note' }, took(one)),
        el('span', { class: 'bar' }, bar),
      )
    }),
  )
  if (calls.length === MOST_CALLS)
    $('calls').append(el('p', { class: 'note' }, `the first ${MOST_CALLS} calls of the trace`))
  const { call: content } = JSON.parse(await ask('/call/read', { id: call.id }))
  if (content === null) throw new Error('Call not found.')
  sheet({ ...content })
}

function sheet(content) {
  const parts = ['exception', 'inputs', 'output', 'summary', 'attributes', 'val'].filter(
    (part) => content[part] != null,
  )
  $('sheet').replaceChildren(
    ...parts.flatMap((part) => {
      const value = content[part]
      const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
      return [el('h3', {}, part), el('pre', {}, text.slice(0, MOST_TEXT))]
    }),
    el(
      'p',
      { class: 'note' },
      [content.op_name, content.id, content.object_id, content.digest].filter(Boolean).join(' · '),
    ),
  )
}

/** Does it, and says why where it fails. */
async function tell(work) {
  if ($('key').value === '') return say('Enter the API key that Heddle printed at its first start.')
  try {
    say('')
    await work()
  } catch (error) {
    say(error.message, 'note bad')
  }
}

function say(text, classes = 'note') {
  $('status').textContent = text
  $('status').className = classes
}

async function start() {
  await readTraces(0)
  if (traces.length === 0) say('No calls yet.')
  if (kind === 'r') {
    const { call } = JSON.parse(await ask('/call/read', { id: rest[1] }))
    if (call === null) throw new Error('Call not found.')
    await open(call)
  }
  if (rest[0] === 'objects')
    sheet(JSON.parse(await ask('/obj/read', { object_id: rest[1], digest: rest[3] })).obj)
}

$('project').textContent = project
document.title = `Heddle · ${project}`
$('key').value = sessionStorage.getItem(KEY) ?? ''
$('key').addEventListener('change', () => {
  sessionStorage.setItem(KEY, $('key').value)
  traces = []
  tell(start)
})
$('more').addEventListener('click', () => tell(() => readTraces(traces.length)))
setInterval(() => {
  if (!document.hidden && $('key').value !== '' && $('status').className === 'note')
    void readTraces(0).catch(() => undefined)
}, POLL_MS)
tell(start)

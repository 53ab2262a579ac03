// Makes the data folder of a release, for test/e2e/upgrade.test.ts: starts the built server of a checkout over an empty
// folder, writes a little of everything by the public interface, asks for it again, and packs the folder together with
// what was answered. Run once for each release (docs/releasing.md):
//
//   node scripts/data-folder.mjs <checkout with dist/> test/e2e/data-folders/<version or commit>.tar.gz
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  createWriteStream,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'

const [checkout, archive] = process.argv.slice(2)
if (!archive) throw new Error('usage: node scripts/data-folder.mjs <checkout> <archive>')
const main = resolve(checkout, 'dist/cli/main.js')
const project = 'acme/kept'
const dataDir = mkdtempSync(join(tmpdir(), 'heddle-data-folder-'))
const [port, metrics] = await Promise.all([freePort(), freePort()])
const url = `http://127.0.0.1:${port}`
const env = {
  ...process.env,
  HEDDLE_PORT: String(port),
  HEDDLE_METRICS_PORT: String(metrics),
  HEDDLE_DATA_DIR: dataDir,
  HEDDLE_CHAT: 'false',
  HEDDLE_DEV_API_KEY: `hk_${'0'.repeat(43)}`,
  // A file beside the tables, too.
  HEDDLE_FILE_INLINE: '1KiB',
}
const server = spawn(process.execPath, [main, 'up'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
try {
  await ready()
  const key = await newKey()
  const files = await fill(key)
  const asked = await answers(key, files)
  server.kill('SIGTERM')
  await once(server, 'exit')
  await packed({ key, asked })
  console.log(`${archive}: ${statSync(archive).size} bytes, ${asked.length} answers`)
} finally {
  server.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  await once(probe, 'close')
  return port
}

async function ready() {
  const until = Date.now() + 60_000
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${metrics}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    if (Date.now() > until || server.exitCode !== null) throw new Error('the server did not get ready')
    await new Promise((next) => setTimeout(next, 100))
  }
}

/** A stored key, not the development key, which every start creates anew. */
async function newKey() {
  const args = [main, 'keys', 'create', '--user', 'keeper', '--grant', 'acme:write']
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  return /hk_[\w-]+/.exec(stdout)[0]
}

function send(key, path, body) {
  const form = body instanceof FormData
  return fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...(!form && { 'content-type': 'application/json' }) },
    body: form ? body : JSON.stringify(body),
  })
}

async function fill(key) {
  const write = async (path, body) => {
    const answer = await send(key, path, body)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }
  const at = (second) => new Date(Date.UTC(2026, 0, 2, 3, 4, second)).toISOString()
  const id = (number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
  const call = (number, more = {}) => ({
    ...{ project_id: project, id: id(number), trace_id: id(900), op_name: `op_${number % 3}` },
    ...{
      started_at: at(number),
      ended_at: at(number + 1),
      attributes: { number },
      inputs: { text: `t ${number}`, wide: 1.0 },
    },
    ...{
      output: { n: [number, null, 'ü'] },
      summary: { usage: { small: { prompt_tokens: number, completion_tokens: 2 } } },
    },
    ...more,
  })
  const batch = [
    call(1),
    call(2, { parent_id: id(1) }),
    call(3, { exception: 'ValueError: no', thread_id: 'one', turn_id: id(3) }),
  ]
  await write(`/v2/${project}/calls/complete`, { batch: [...batch, call(4), call(5), call(6)] })
  const { ended_at, output, summary, ...start } = call(7)
  await write('/call/start', { start })
  await write('/call/end', {
    end: { project_id: project, id: start.id, started_at: start.started_at, ended_at, output, summary },
  })
  await write('/call/start', { start: { ...start, id: id(8) } })
  await write('/call/update', { project_id: project, call_id: id(4), display_name: 'renamed' })
  await write('/calls/delete', { project_id: project, call_ids: [id(5)] })
  const span = {
    ...{ traceId: '0123456789abcdef0123456789abcdef', spanId: '0123456789abcdef', name: 'a span', kind: 1 },
    ...{ startTimeUnixNano: '1767323045000000000', endTimeUnixNano: '1767323046000000000' },
    attributes: [{ key: 'input.value', value: { stringValue: 'spun' } }],
    events: [{ timeUnixNano: '1767323045500000000', name: 'half' }],
  }
  const resource = {
    attributes: [
      { key: 'wandb.entity', value: { stringValue: 'acme' } },
      { key: 'wandb.project', value: { stringValue: 'kept' } },
    ],
  }
  await write('/otel/v1/traces', { resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] })
  for (const val of [{ a: 1 }, { a: 2.5, b: ['x'] }])
    await write('/obj/create', { obj: { project_id: project, object_id: 'thing', val } })
  const { digest } = await write('/table/create', {
    table: { project_id: project, rows: [{ q: 1 }, { q: 'two' }] },
  })
  await write('/obj/create', {
    obj: {
      project_id: project,
      object_id: 'rows',
      val: { _type: 'Dataset', rows: `weave:///${project}/table/${digest}` },
    },
  })
  const files = []
  for (const content of ['small', 'large '.repeat(1000)]) {
    const form = new FormData()
    form.append('project_id', project)
    form.append('file', new Blob([content]), 'file')
    files.push((await write('/file/create', form)).digest)
  }
  const weave_ref = `weave:///${project}/call/${id(1)}`
  await write('/feedback/create', {
    project_id: project,
    weave_ref,
    feedback_type: 'wandb.reaction.1',
    payload: { emoji: '👍' },
  })
  await write('/feedback/create', {
    project_id: project,
    weave_ref,
    feedback_type: 'score',
    payload: { value: 0.25 },
  })
  await write('/cost/create', {
    project_id: project,
    costs: { small: { prompt_token_cost: 0.001, completion_token_cost: 0.002 } },
  })
  return files
}

/** Requests, and this release's answers. */
async function answers(key, files) {
  const id = (number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
  const questions = [
    [
      '/calls/stream_query',
      {
        project_id: project,
        sort_by: [
          { field: 'started_at', direction: 'asc' },
          { field: 'id', direction: 'asc' },
        ],
      },
    ],
    [
      '/calls/stream_query',
      {
        project_id: project,
        limit: 100,
        include_costs: true,
        include_feedback: true,
        sort_by: [{ field: 'id', direction: 'asc' }],
      },
    ],
    [
      '/calls/stream_query',
      { project_id: project, query: { $expr: { $eq: [{ $getField: 'inputs.text' }, { $literal: 't 2' }] } } },
    ],
    ['/calls/query_stats', { project_id: project }],
    ...[1, 4, 7, 8].map((number) => ['/call/read', { project_id: project, id: id(number) }]),
    [
      '/objs/query',
      {
        project_id: project,
        sort_by: [
          { field: 'object_id', direction: 'asc' },
          { field: 'version_index', direction: 'asc' },
        ],
      },
    ],
    ['/feedback/query', { project_id: project, sort_by: [{ field: 'created_at', direction: 'asc' }] }],
    ['/cost/query', { project_id: project }],
    ['/threads/stream_query', { project_id: project }],
  ]
  const asked = []
  const ask = async (path, body) => {
    const answer = await send(key, path, body)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
    asked.push({
      path,
      body,
      lines: text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    })
    return asked.at(-1).lines
  }
  for (const [path, body] of questions) await ask(path, body)
  const [{ objs }] = asked.find(({ path }) => path === '/objs/query').lines
  for (const { object_id, digest } of objs) await ask('/obj/read', { project_id: project, object_id, digest })
  const rows = objs.find(({ object_id }) => object_id === 'rows').val.rows
  await ask('/table/query', { project_id: project, digest: rows.split('/').at(-1) })
  for (const digest of files) {
    const answer = await send(key, '/file/content', { project_id: project, digest })
    asked.push({ path: '/file/content', body: { project_id: project, digest }, text: await answer.text() })
  }
  return asked
}

/** The target of a link in the folder, valid wherever the folder is. */
function linkWithin(path) {
  const to = readlinkSync(path)
  return isAbsolute(to) ? relative(dirname(path), to) : to
}

/** The folder, and what was answered. */
async function packed(answered) {
  const tar = pack()
  const written = pipeline(tar, createGzip({ level: 9 }), createWriteStream(archive))
  tar.entry({ name: 'answers.json' }, JSON.stringify(answered))
  // Every start writes this one anew, with addresses of its machine.
  rmSync(join(dataDir, 'clickhouse/engine.xml'))
  for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name)
    const name = `data/${path.slice(dataDir.length + 1)}`
    if (entry.isDirectory()) tar.entry({ name, type: 'directory' })
    else if (entry.isSymbolicLink()) tar.entry({ name, type: 'symlink', linkname: linkWithin(path) })
    else if (entry.isFile()) tar.entry({ name }, readFileSync(path))
  }
  tar.finalize()
  await written
}

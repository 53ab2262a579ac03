/**
 * Masking and erasure. Every route that stores something is sent a text to be masked in each of its strings, and nothing
 * of it is in any column of the store then, but in those that `domain/masking/columns.ts` says hold names and ids. New
 * routes, tables and columns are in this without being named.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COLUMNS } from '../../domain/masking/columns.js'
import { groupBy } from '../../platform/batch/group-by.js'
import { SECRETS } from '../conformance/table/alerts.js'
import { nameOf, type Operation, type Sent, send, type World } from '../conformance/table/operation.js'
import { beyondContract, table } from '../conformance/table/table.js'
import { jsonLines } from '../support/api.js'
import { main } from '../support/endpoint.js'
import { freshProject, hex } from '../support/ids.js'
import { finished } from '../support/program.js'
import { RedisProcess } from '../support/redis.js'
import { root } from '../support/root.js'
import { Server } from '../support/server.js'

const MARK = 'zqmark7'
/** Nobody else writes such a text; as an address it is found by a detector. */
const ADDRESS = `${MARK}@leak.example.com`
const LABEL = '[ZQLABEL]'
const RULES = [{ name: 'mail', detector: 'email', label: 'ZQLABEL' }]

let redis: RedisProcess
let server: Server
beforeAll(async () => {
  redis = await RedisProcess.start()
  server = await Server.start({ env: { REDIS_URL: redis.url, ...SECRETS } })
})
afterAll(async () => {
  await server?.dispose()
  await redis?.stop()
})

/** Asks the engine itself: routes may leave out what they don't show. */
async function rows<Row = Record<string, string>>(query: string): Promise<Row[]> {
  const { url, username, password } = JSON.parse(readFileSync(join(server.dataDir, 'engine.json'), 'utf8'))
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const body = `${query} FORMAT JSONEachRow`
  const answer = await fetch(url, { method: 'POST', body, headers: { authorization } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return jsonLines(text) as Row[]
}

/** The columns in which a text stands, as table.column. */
async function columnsWith(text: string): Promise<Set<string>> {
  const columns = await rows<{ table: string; name: string }>(
    "SELECT table, name FROM system.columns WHERE database = currentDatabase() AND type LIKE '%String%'",
  )
  const byTable = groupBy(columns, ({ table: name }) => name)
  const found = new Set<string>()
  for (const [name, all] of byTable) {
    const counts = all.map(
      (one) => `countIf(position(toString(${one.name}), '${text}') > 0) AS ${one.name}_n`,
    )
    const [counted = {}] = await rows<Record<string, number>>(`SELECT ${counts.join(', ')} FROM ${name}`)
    for (const one of all) if (Number(counted[`${one.name}_n`]) > 0) found.add(`${name}.${one.name}`)
  }
  return found
}

const kept = new Set(
  Object.entries(COLUMNS).flatMap(([name, columns]) => columns.kept.map((column) => `${name}.${column}`)),
)

/** Where strings stand in a value. */
function* placesOf(value: unknown, path: (string | number)[] = []): Generator<(string | number)[]> {
  if (typeof value === 'string') yield path
  else if (Array.isArray(value)) for (const [i, one] of value.entries()) yield* placesOf(one, [...path, i])
  else if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) yield* placesOf(one, [...path, key])
}

function marked(value: unknown, places: readonly (readonly (string | number)[])[]): unknown {
  const copy = structuredClone(value)
  for (const path of places) {
    let at = copy as Record<string | number, unknown>
    for (const part of path.slice(0, -1)) at = at[part] as typeof at
    const last = path.at(-1)!
    at[last] = `${String(at[last])} ${ADDRESS}`
  }
  return copy
}

/** Sends an operation with the text in each of its strings: in all at once, and if that is refused, in each alone. */
async function sendMarked(row: Operation): Promise<void> {
  const world: World = { api: server.api, project: freshProject(), secret: `secret-${hex(6)}` }
  const { valid } = await row.make(world)
  const { body } = valid
  if (typeof body !== 'object' || body instanceof Uint8Array) return
  const places = [...placesOf(body)]
  const texts = places.filter((path) => path.at(-1) !== 'project_id')
  const tried = async (some: (string | number)[][]) => {
    const sent: Sent = { ...valid, body: marked(body, some) as object }
    return (await send(world.api, row, world.project, sent)).status
  }
  if ((await tried(texts)) < 400) return
  for (const one of texts) await tried([one])
}

describe('nothing to be masked is stored', () => {
  it('by any route that writes, in any column but those of names and ids', async () => {
    await server.api.ok('/masking/save', { scope: '*', rules: RULES })
    const writing = [...table, ...beyondContract].filter(
      ({ right, path }) => right !== 'public' && !/^\/(?:masking|audit)\//.test(path),
    )
    const waiting = [...writing]
    const worker = async () => {
      for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
        const name = nameOf(row)
        await sendMarked(row).catch((error: unknown) => {
          throw new Error(`${name}: ${String(error)}`)
        })
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    await others()

    const found = await columnsWith(MARK)
    expect([...found].filter((column) => !kept.has(column))).toEqual([])
    expect([...(await columnsWith(LABEL))]).toEqual(expect.arrayContaining(MASKED))
    expect(filesWith(MARK)).toEqual([])
  })
})

/** Bodies that are no JSON objects, or of routes beyond the table. */
async function others(): Promise<void> {
  const { api } = server
  const project = freshProject()
  const headers = { project_id: project }
  const attributes = [{ key: 'note', value: { stringValue: ADDRESS } }]
  const log = { traceId: hex(16), spanId: hex(8), body: { stringValue: ADDRESS }, attributes }
  const logs = { resourceLogs: [{ resource: { attributes }, scopeLogs: [{ logRecords: [log] }] }] }
  await api.send('POST', '/v1/logs', logs, headers)
  await upload(project, `${ADDRESS}.csv`, `name,mail\nann,${ADDRESS}\n`)
  const times = { started_at: '2026-01-01T00:00:00Z', ended_at: '2026-01-01T00:00:01Z' }
  const call = {
    ...times,
    project_id: project,
    id: hex(16),
    trace_id: hex(16),
    op_name: 'op',
    exception: ADDRESS,
  }
  const whole = { ...call, inputs: {}, attributes: {}, output: null, summary: {} }
  await api.ok(`/v2/${project}/calls/complete`, { batch: [whole] })
  const span = {
    traceId: hex(16),
    spanId: hex(8),
    name: ADDRESS,
    startTimeUnixNano: '1770000000000000000',
    attributes,
  }
  const ended = { ...span, endTimeUnixNano: '1770000001000000000', status: { code: 2, message: ADDRESS } }
  const spans = { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ spans: [ended] }] }] }
  expect((await api.send('POST', '/otel/v1/traces', spans, headers)).status).toBe(200)
}

/** Columns in which these requests must leave the label, or they have proved nothing. */
const MASKED = [
  ...['annotation_queues.name', 'annotation_queues.description', 'calls.inputs', 'calls.output'],
  ...['calls.attributes', 'calls.summary', 'calls.exception', 'calls.otel_span', 'calls_open.inputs'],
  ...['calls_open.display_name', 'dataset_items.members', 'feedback.payload', 'files.name', 'files.content'],
  ...['media.upload_error', 'objects.val', 'table_rows.val'],
]

/** Files of the data folder outside the engine's in which a text stands. */
function filesWith(text: string): string[] {
  const { stdout } = spawnSync('grep', ['-rl', text, join(server.dataDir, 'artifacts')], { encoding: 'utf8' })
  return stdout.split('\n').filter(Boolean)
}

const cli = async (...args: string[]) => {
  const { code, stdout, stderr } = await finished(process.execPath, [main, ...args], server.env, 120, root)
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  return stdout
}

interface Report {
  erased: { table: string; rows: number; how: string }[]
  left: { where: string }[]
}

/** What a user has in a project: a trace whose root alone names them, a running call, feedback, a copied row. */
async function filled(project: string, user: string): Promise<string[]> {
  const { api } = server
  const attributes = { user_id: user }
  const text = `${user} says ${user}-word`
  const base = { project_id: project, inputs: { text }, op_name: 'op' }
  const trace = hex(16)
  const [root_, child, open] = [hex(16), hex(16), hex(16)]
  const times = { started_at: '2026-01-01T00:00:00Z', ended_at: '2026-01-01T00:00:01Z', summary: {} }
  const whole = (id: string, more: object) => ({ ...base, ...times, id, trace_id: trace, ...more })
  await api.ok(`/v2/${project}/calls/complete`, {
    batch: [whole(root_, { attributes, output: text }), whole(child, { attributes: {}, parent_id: root_ })],
  })
  const started = { ...base, id: open, trace_id: hex(16), started_at: times.started_at, attributes }
  await api.ok('/call/start', { start: started })
  const weave_ref = `weave:///${project}/call/${child}`
  const note = { project_id: project, weave_ref, feedback_type: 'note.1', payload: { note: text } }
  await api.ok('/feedback/create', note)
  return [root_, child, open]
}

describe('erasure', () => {
  it('of a user takes what is theirs, says what it takes, and leaves everybody else alone', async () => {
    const project = freshProject()
    await filled(project, 'zqann')
    const bobs = await filled(project, 'zqbob')
    const others = await filled(freshProject(), 'zqcarl')
    const dry = JSON.parse(await cli('erase', '--project', project, '--user', 'zqann', '--json')) as Report
    expect(dry.erased).toEqual([
      { table: 'feedback', rows: 1, how: 'deleted' },
      { table: 'calls', rows: 2, how: 'deleted' },
      { table: 'calls_open', rows: 1, how: 'deleted' },
    ])
    expect((await columnsWith('zqann')).size).toBeGreaterThan(0)

    const done = await cli('erase', '--project', project, '--user', 'zqann', '--yes', '--json')
    expect((JSON.parse(done) as Report).erased).toEqual(dry.erased)
    expect(await columnsWith('zqann')).toEqual(new Set())
    const ids = await rows<{ id: string }>('SELECT id FROM calls UNION ALL SELECT id FROM calls_open')
    expect(ids.map(({ id }) => id)).toEqual(expect.arrayContaining([...bobs, ...others]))
    expect(await rows("SELECT id FROM feedback WHERE position(payload, 'zqbob') > 0")).toHaveLength(1)
    expect(await cli('erase', '--project', project, '--user', 'zqann', '--yes')).toMatch(/Nothing was found/)
    const audited = await server.api.ok('/audit/query', { scope: project, category: 'deletion' })
    expect(JSON.stringify(audited)).not.toMatch(/zqann/)
    expect(audited.entries).toMatchObject([{ action: 'erase' }, { action: 'erase', target: { by: 'user' } }])
  })

  it('of a pattern masks it in every text, which stays what it was otherwise', async () => {
    const [project, other] = [freshProject(), freshProject()]
    const ids = await filled(project, 'zqdora')
    await filled(other, 'zqdora')
    const csv = 'zqdora,1\n'.repeat(10)
    await server.api.ok('/obj/create', {
      obj: { project_id: project, object_id: 'o', val: { a: 'zqdora', n: 1.0 } },
    })
    await server.api.ok('/table/create', { table: { project_id: project, rows: [{ a: 'a zqdora' }] } })
    await upload(project, 'zqdora.csv', csv)
    const erased = await cli('erase', '--project', project, '--pattern', 'zqdora(-word)?', '--yes')
    expect(erased).toMatch(/calls +2 +masked/)
    const left = await rows<{ project_id: string; n: number }>(
      ['calls', 'calls_open', 'feedback', 'objects', 'table_rows']
        .map(
          (name) => `SELECT project_id, toUInt32(count()) AS n FROM ${name}
          WHERE position(toString(tuple(*)), 'zqdora') > 0 GROUP BY project_id`,
        )
        .join(' UNION ALL '),
    )
    expect(new Set(left.map((one) => one.project_id)).size).toBe(1)
    const shown = await server.api.calls(project)
    expect(shown.filter(({ id }) => ids.includes(String(id)))).toHaveLength(3)
    expect(shown[0]).toMatchObject({ inputs: { text: '[ERASED] says [ERASED]' } })
    expect(await server.api.ok('/feedback/query', { project_id: project })).toMatchObject({
      result: [{ payload: { note: '[ERASED] says [ERASED]' } }],
    })
  })
})

async function upload(project: string, name: string, text: string): Promise<void> {
  const form = new FormData()
  form.append('project_id', project)
  form.append('file', new Blob([text]), name)
  const headers = { authorization: `Bearer ${server.key}` }
  const answer = await fetch(`${server.url}/file/create`, { method: 'POST', body: form, headers })
  expect(answer.status).toBe(200)
}

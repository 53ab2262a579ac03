/**
 * Masking. Every route that stores something is sent a text to be masked in each of its strings, and nothing
 * of it is in any column of the store then, but in those that `domain/masking/columns.ts` says hold names and ids. New
 * routes, tables and columns are in this without being named.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COLUMNS } from '../../domain/masking/columns.js'
import { SECRETS } from '../conformance/table/alerts.js'
import { nameOf, type Operation, type Sent, send, type World } from '../conformance/table/operation.js'
import { beyondContract, table } from '../conformance/table/table.js'
import { freshProject, hex } from '../support/ids.js'
import { RedisProcess } from '../support/redis.js'
import { Server } from '../support/server.js'
import { columnsWith, uploadText } from '../support/stored-texts.js'

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
}, 120_000)
afterAll(async () => {
  await server?.dispose()
  await redis?.stop()
})

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

    const found = await columnsWith(server, MARK)
    expect([...found].filter((column) => !kept.has(column))).toEqual([])
    expect([...(await columnsWith(server, LABEL))]).toEqual(expect.arrayContaining(MASKED))
    expect(filesWith(MARK)).toEqual([])
  }, 300_000)
})

it('what is masked is found by the digest of what was sent, as clients compute it', async () => {
  const { api } = server
  const project_id = freshProject()
  const val = { a: ADDRESS, ref: `weave:///${project_id}/object/${MARK}:abc`, n: 1 }
  const create = (more = {}) => api.ok('/obj/create', { obj: { project_id, object_id: 'o', val, ...more } })
  const { digest } = await create()
  expect(await create({ expected_digest: digest })).toMatchObject({ digest })
  const read = await api.ok('/obj/read', { project_id, object_id: 'o', digest: String(digest) })
  expect(read.obj).toMatchObject({ digest, version_index: 0, val: { ...val, a: LABEL } })
  const rows = [{ a: ADDRESS }, { a: 'b' }]
  const table = await api.ok('/table/create', { table: { project_id, rows } })
  const again = { project_id, row_digests: table.row_digests! }
  expect(await api.ok('/table/create_from_digests', again)).toMatchObject({ digest: table.digest })
  expect(await api.ok('/table/query', { project_id, digest: table.digest! })).toMatchObject({
    rows: [{ val: { a: LABEL } }, { val: { a: 'b' } }],
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
  await uploadText(server, project, `${ADDRESS}.csv`, `name,mail\nann,${ADDRESS}\n`)
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
  const scope = { name: ADDRESS, version: ADDRESS }
  const spans = { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope, spans: [ended] }] }] }
  for (const door of ['/otel/v1/traces', '/agents/otel/v1/traces'])
    expect((await api.send('POST', door, spans, headers)).status).toBe(200)
  const timestamp = '2026-01-01T00:00:00Z'
  const body = {
    id: hex(16),
    name: ADDRESS,
    input: { q: ADDRESS },
    output: ADDRESS,
    metadata: { m: ADDRESS },
  }
  const batch = ['trace-create', 'generation-create', 'event-create'].map((type) => ({
    ...{ id: hex(8), type, timestamp },
    body: { ...body, traceId: hex(16), statusMessage: ADDRESS, startTime: timestamp, timestamp },
  }))
  const authorization = `Basic ${Buffer.from(`${project}:${server.key}`).toString('base64')}`
  const sent = await api.send('POST', '/api/public/ingestion', { batch }, { authorization })
  expect(JSON.parse(sent.text)).toMatchObject({ successes: batch.map(({ id }) => ({ id })), errors: [] })
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

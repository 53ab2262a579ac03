/**
 * A backup is taken from a server that runs and restored into an empty one: every table is the same to the last row,
 * updates and deletes by patches included, and files that lie with the artifacts are there.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { complete, halves, v2 } from '../support/calls.js'
import { heddle } from '../support/command.js'
import { hex } from '../support/ids.js'
import { exportRequest, inProject } from '../support/otlp.js'
import { Server } from '../support/server.js'

const project = 'acme/kept'
const folder = mkdtempSync(join(tmpdir(), 'heddle-backup-'))
const env = { HEDDLE_FILE_INLINE: '1KiB' }
let server: Server

beforeAll(async () => {
  server = await Server.start({ env })
})
afterAll(async () => {
  await server?.dispose()
  rmSync(folder, { recursive: true, force: true })
})

/** What a process writes about itself; each start and each backup adds to the audit log. */
const ABOUT_PROCESSES = ['health', 'migration_lock', 'audit']

/** A hash of the rows of each table, as a query sees them. */
async function contents(of: Server): Promise<Record<string, string>> {
  const { url, username, password } = JSON.parse(readFileSync(join(of.dataDir, 'engine.json'), 'utf8'))
  const ask = async (query: string) => {
    const headers = { 'x-clickhouse-user': username, 'x-clickhouse-key': password }
    const answer = await fetch(url, { method: 'POST', body: query, headers })
    expect([answer.status, query]).toEqual([200, query])
    return (await answer.text()).trim()
  }
  const tables = (
    await ask('SELECT name FROM system.tables WHERE database = currentDatabase() ORDER BY name')
  )
    .split('\n')
    .filter((name) => !ABOUT_PROCESSES.includes(name))
  const hashes: Record<string, string> = {}
  for (const table of tables)
    hashes[table] = await ask(`SELECT count(), sum(cityHash64(*)), sum(sipHash64(*)) FROM ${table}`)
  return hashes
}

async function fill(): Promise<void> {
  const { api } = server
  const spans = Array.from({ length: 300 }, (_, n) => ({
    traceId: hex(16),
    spanId: hex(8),
    attributes: { 'input.value': `text ${n} ${hex(200)}` },
  }))
  const body = exportRequest({ attributes: inProject(project), spans })
  expect((await api.post('/otel/v1/traces', body, { 'content-type': 'application/x-protobuf' })).status).toBe(
    200,
  )
  const batch = Array.from({ length: 60 }, (_, n) => complete(project, { inputs: { n } }))
  await api.ok(v2(project, 'calls/complete'), { batch })
  await api.ok('/call/start', { start: halves(complete(project)).start })
  for (const { id } of batch.slice(0, 5))
    await api.ok('/call/update', { project_id: project, call_id: id, display_name: `renamed ${id}` })
  await api.ok('/calls/delete', { project_id: project, call_ids: batch.slice(5, 20).map(({ id }) => id) })
  const obj = { project_id: project, object_id: 'thing', val: { a: 1 } }
  const { digest } = await api.ok('/obj/create', { obj })
  const weave_ref = `weave:///${project}/object/thing:${digest}`
  await api.ok('/feedback/create', { project_id: project, weave_ref, feedback_type: 'note', payload: {} })
}

async function putFile(content: Buffer): Promise<string> {
  const form = new FormData()
  form.append('project_id', project)
  form.append('file', new Blob([content]), 'large.bin')
  const answer = await fetch(`${server.url}/file/create`, {
    method: 'POST',
    body: form,
    headers: server.api.authorization,
  })
  return String(((await answer.json()) as { digest: string }).digest)
}

it('everything that lasts is there again', async () => {
  await fill()
  const large = Buffer.from(hex(4000))
  const digest = await putFile(large)
  expect(readdirSync(join(server.dataDir, 'artifacts')).length).toBeGreaterThan(0)
  const before = await contents(server)
  const { heads } = await server.api.ok('/audit/verify', {})
  expect(Object.keys(before).length).toBeGreaterThan(20)
  await server.cli('backup', join(folder, 'first'))
  expect(await contents(server)).toEqual(before)

  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-restored-'))
  await heddle(['restore', join(folder, 'first')], { env: { HEDDLE_DATA_DIR: dataDir, ...env } })
  const restored = await Server.start({ dataDir, env })
  try {
    expect(await contents(restored)).toEqual(before)
    expect(await restored.api.count(project)).toBe(300 + 45 + 1)
    expect(await restored.api.ok('/audit/verify', { heads: heads! })).toMatchObject({ problem_count: 0 })
    const read = await restored.api.post('/file/content', { project_id: project, digest })
    expect(createHash('sha256').update(read.bytes).digest('hex')).toBe(
      createHash('sha256').update(large).digest('hex'),
    )
    await expect(restored.cli('restore', join(folder, 'first'))).rejects.toThrow('restore into an empty one')
  } finally {
    await restored.dispose()
  }
})

it('a second one on top of it holds what is new, and says what it needs', async () => {
  await server.api.ok(v2(project, 'calls/complete'), { batch: [complete(project)] })
  const before = await contents(server)
  await server.cli('backup', join(folder, 'second'), '--base', join(folder, 'first'))
  const manifest = JSON.parse(readFileSync(join(folder, 'second', 'heddle-backup.json'), 'utf8'))
  expect(manifest.base).toBe(join(folder, 'first'))
  await expect(server.cli('backup', join(folder, 'second'))).rejects.toThrow('holds a backup')
  // Both are elsewhere by now, beside each other as before; and then the base alone is.
  const elsewhere = join(folder, 'elsewhere')
  mkdirSync(elsewhere)
  for (const name of ['first', 'second']) renameSync(join(folder, name), join(elsewhere, name))
  const apart = join(folder, 'apart')
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-restored-'))
  await heddle(['restore', join(elsewhere, 'second')], { env: { HEDDLE_DATA_DIR: dataDir } })
  renameSync(join(elsewhere, 'first'), apart)
  const other = { env: { HEDDLE_DATA_DIR: mkdtempSync(join(tmpdir(), 'heddle-restored-')) } }
  await expect(heddle(['restore', join(elsewhere, 'second')], other)).rejects.toThrow(
    'say where it is with --base',
  )
  expect(await heddle(['restore', join(elsewhere, 'second'), '--base', apart], other)).toBe('')
  const none = { env: { HEDDLE_DATA_DIR: join(folder, 'none') } }
  await expect(heddle(['restore', join(folder, 'nowhere')], none)).rejects.toThrow('nowhere')
  expect(existsSync(none.env.HEDDLE_DATA_DIR)).toBe(false)
  rmSync(other.env.HEDDLE_DATA_DIR, { recursive: true })
  const restored = await Server.start({ dataDir, env })
  try {
    expect(await contents(restored)).toEqual(before)
  } finally {
    await restored.dispose()
  }
})

it('into what a broken-off one has left says what to do, and goes on once that is deleted', async () => {
  const place = join(folder, 'broken off')
  await server.cli('backup', place)
  // Written last: without it, it is as if the command had been killed before.
  rmSync(join(place, 'heddle-backup.json'))
  await expect(server.cli('backup', place)).rejects.toThrow(
    /broken off is not empty; delete what an interrupted backup left/,
  )
  rmSync(place, { recursive: true })
  await server.cli('backup', place)
  expect(readdirSync(place)).toContain('heddle-backup.json')
})

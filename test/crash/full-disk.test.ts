/**
 * A disk that is full: reads go on and say what they lack, writes fail at once, probes and metrics tell it, and all is well
 * again when there is room.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { complete, v2 } from '../support/calls.js'
import { freshProject } from '../support/ids.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'

const MIB = 2 ** 20
const DISK = 400 * MIB
const PIECE = Buffer.alloc(4096)
const LACKS = 'x-heddle-lacks-since'

const folder = mkdtempSync(join(tmpdir(), 'heddle-full-'))
const can = succeeds('mount', '-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', folder)
const skipped = can ? '' : ' (skipped: this user may not mount a file system)'

let server: Server
beforeAll(async () => {
  if (can) server = await Server.start({ dataDir: join(folder, 'data') })
})
afterAll(async () => {
  makeRoom()
  await server?.dispose()
  if (can) execFileSync('umount', ['-l', folder])
  rmdirSync(folder)
})

function succeeds(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const hog = join(folder, 'hog')
const makeRoom = () => rmSync(hog, { force: true })
afterEach(makeRoom)

/** Another program takes all but `bytes` of the disk. */
function leave(bytes: number): void {
  const { bavail, bsize } = statfsSync(folder)
  // The last of it piece by piece: the server writes meanwhile.
  const rest = bytes === 0 ? 16 * MIB : bytes
  execFileSync('fallocate', ['-l', String(bavail * bsize - rest), hog])
  if (bytes > 0) return
  const file = openSync(hog, 'a')
  try {
    for (;;) writeSync(file, PIECE)
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  }
  closeSync(file)
}

const write = (project: string, call = complete(project)) =>
  server.api.post(v2(project, 'calls/complete'), { batch: [call] })
const list = (project: string) => server.api.post('/calls/stream_query', { project_id: project })
const idsIn = (text: string) => text.split('\n').flatMap((line) => (line ? [JSON.parse(line).id] : []))
const probe = async (path: string) => {
  const answer = await fetch(`${server.metricsUrl}${path}`)
  return [answer.status, ((await answer.json()) as { status: string }).status]
}

const FULL = [503, 'STORE_FULL']

/** Writes of every kind, all of which are refused. */
async function expectNoWrites(project: string, id: unknown): Promise<void> {
  const bodies: Record<string, object> = {
    [v2(project, 'calls/complete')]: { batch: [complete(project)] },
    '/call/update': { project_id: project, call_id: id, display_name: 'new' },
    '/obj/create': { obj: { project_id: project, object_id: 'o', val: { at: Math.random() } } },
    '/project/ttl_settings/update': { project_id: project, retention_days: 7 },
    '/table/create': { table: { project_id: project, rows: [{ at: Math.random() }] } },
  }
  for (const [path, body] of Object.entries(bodies)) {
    const { status, text, headers } = await server.api.post(path, body)
    expect([path, status, JSON.parse(text).code]).toEqual([path, ...FULL])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  }
}

it.skipIf(!can)(`refuses writes while it can still serve everything${skipped}`, async () => {
  const project = freshProject()
  const [kept, gone] = [complete(project), complete(project)]
  await server.api.ok(v2(project, 'calls/complete'), { batch: [kept, gone] })
  leave(DISK / 32)
  // What the server knows of the disk may be a moment old.
  await until('writes to be refused', async () => (await write(freshProject())).status === 503)
  await expectNoWrites(project, kept.id)
  expect(await server.api.count(project)).toBe(2)
  expect(await probe('/readyz')).toEqual([200, 'reads only'])
  expect(await probe('/readyz/writes')).toEqual([503, 'not ready'])
  await until('the metric to say so', async () => (await server.metric('heddle_store_full')) === 1, 30, 1000)
  expect(await server.cli('doctor').catch((error: { stdout: string }) => error.stdout)).toMatch(
    /data folder .*writes are refused/,
  )
  // What is left is enough to delete, and to start.
  await server.api.ok('/calls/delete', { project_id: project, call_ids: [gone.id] })
  const { entries } = await server.api.ok('/audit/query', { scope: project })
  expect(entries).toMatchObject([{ action: 'calls_delete', outcome: 'ok', target: { call_ids: [gone.id] } }])
  await server.stop()
  const { dataDir, ports } = server
  server = await Server.start({ dataDir, ports })
  const answer = await list(project)
  expect([answer.status, idsIn(answer.text), answer.headers[LACKS]]).toEqual([200, [kept.id], undefined])
  makeRoom()
  await server.api.ok(v2(project, 'calls/complete'), { batch: [complete(project)] })
  await until('writes to be ready', async () => (await probe('/readyz/writes'))[0] === 200, 40)
})

it.skipIf(!can)(`serves what it can, and says from when on it lacks calls${skipped}`, async () => {
  const [project, quiet] = [freshProject(), freshProject()]
  const first = complete(project)
  for (const one of [project, quiet])
    await server.api.ok(v2(one, 'calls/complete'), { batch: [one === project ? first : complete(one)] })
  expect([await server.api.count(project), await server.api.count(quiet)]).toEqual([1, 1])
  const stored = [first.id]
  let [before, late, answer] = [Date.now(), first, await list(project)]
  // The disk has to be full before the log has brought the call into the table.
  for (let tries = 0; tries < 20 && idsIn(answer.text).includes(late.id); tries++) {
    if (late !== first) stored.push(late.id)
    makeRoom()
    late = complete(project)
    // Other rows that the full disk has kept in the log come first.
    await until('room to be seen', async () => {
      before = Date.now()
      return (await write(project, late)).status === 200
    })
    leave(0)
    answer = await list(project)
  }
  expect([answer.status, idsIn(answer.text)]).toEqual([200, stored])
  const since = Date.parse(String(answer.headers[LACKS]))
  expect(since).toBeGreaterThanOrEqual(before - 1)
  expect(since).toBeLessThanOrEqual(Date.now())
  expect((await server.api.post('/calls/query_stats', { project_id: project })).headers).toHaveProperty(LACKS)
  expect((await list(quiet)).headers[LACKS]).toBeUndefined()
  await expectNoWrites(project, first.id)
  makeRoom()
  await until('all calls to be served', async () => {
    const { headers, text } = await list(project)
    return headers[LACKS] === undefined && idsIn(text).length === stored.length + 1
  })
  await server.api.ok('/call/update', { project_id: project, call_id: late.id, display_name: 'new' })
})

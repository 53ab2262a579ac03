/** Exported files, read by DuckDB and Polars: after exports that were killed, and as a server writes them by itself. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { complete, v2 } from '../support/calls.js'
import { main } from '../support/command.js'
import { freshProject, uuid7 } from '../support/ids.js'
import { runPython } from '../support/program.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'

const folder = mkdtempSync(join(tmpdir(), 'heddle-files-'))
const [files, scheduled] = [join(folder, 'files'), join(folder, 'scheduled')]
let server: Server
beforeAll(async () => {
  server = await Server.start()
})
afterAll(async () => {
  await server.dispose()
  rmSync(folder, { recursive: true, force: true })
})

const read = (project: string, place: string) =>
  runPython(server, 'parquet_read', { FILES: place, PROJECT: project }, 120, '.venv/parquet')

const written = (place: string) =>
  existsSync(place)
    ? readdirSync(place, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.parquet'))
    : []

const exported = () =>
  promisify(execFile)(process.execPath, [main, 'export-files', files], { env: server.env })

/** Ends an export by SIGKILL once so many files are there. */
async function killed(count: number): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [main, 'export-files', files], {
    env: server.env,
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  await until(`${count} files`, () => child.exitCode !== null || written(files).length >= count)
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
}

it('hold each call once, whatever is killed, comes late or changes', { timeout: 240_000 }, async () => {
  const project = freshProject()
  const HOURS = 120
  const hour = (n: number) => new Date(Date.UTC(2026, 5, 1) + n * 3_600_000)
  const call = (n: number) => ({
    ...{ id: uuid7(), inputs: { n }, display_name: 'first' },
    started_at: hour(n % HOURS).toISOString(),
    ended_at: new Date(hour(n % HOURS).getTime() + 250).toISOString(),
  })
  const send = async (calls: Record<string, unknown>[]) => {
    for (let i = 0; i < calls.length; i += 1000)
      await server.api.ok(v2(project, 'calls/complete'), {
        batch: calls.slice(i, i + 1000).map((one) => complete(project, one)),
      })
  }
  const calls = Array.from({ length: 3_000 }, (_, n) => call(n))
  await send(calls)
  await killed(3)
  await killed(30)
  // One comes for an hour that is written, one is renamed, one is deleted.
  await send([call(3_000)])
  const [renamed, gone] = calls.map(({ id }) => id)
  await server.api.ok('/call/update', { project_id: project, call_id: renamed, display_name: 'second' })
  await server.api.ok('/calls/delete', { project_id: project, call_ids: [gone] })
  await exported()
  const expected = {
    ...{ calls: 3_000, ids: 3_000, first: Date.UTC(2026, 5, 1), latency: 250 },
    total: (3_000 * 3_001) / 2 - 1,
    byName: { first: 2_999, second: 1 },
  }
  expect(await read(project, files)).toEqual(expected)
  expect(written(files)).toHaveLength(HOURS)
  expect((await exported()).stdout).toMatch(/^0 files with 0 rows written, 0 removed/)

  // A server does the same by itself.
  await server.stop()
  server = await Server.start({
    dataDir: server.dataDir,
    env: { HEDDLE_EXPORT_TO: scheduled, HEDDLE_EXPORT_BY: 'day' },
  })
  await until('its manifest', () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).some((name) =>
      /^scheduled\/calls\/.*manifest\.json$/.test(name),
    ),
  )
  expect(await read(project, scheduled)).toEqual(expected)
  expect(written(scheduled)).toHaveLength(HOURS / 24)
})

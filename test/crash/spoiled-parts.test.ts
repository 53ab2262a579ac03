/**
 * Files of the store that are spoiled: what cannot be read is named, to callers, in the log, as a number and by the
 * doctor, and there is a way out.
 */
import { closeSync, openSync, readdirSync, readFileSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { complete, v2 } from '../support/calls.js'
import { freshProject, hex } from '../support/ids.js'
import { Server } from '../support/server.js'
import { until } from '../support/until.js'

let server: Server
beforeAll(async () => {
  server = await Server.start()
})
afterAll(() => server?.dispose())

/** Folders of parts that hold whole calls. */
function partsOfCalls(): string[] {
  const store = join(server.dataDir, 'clickhouse/store')
  return readdirSync(store, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('/data.bin') && !path.includes('detached'))
    .map((path) => join(store, path.slice(0, -'/data.bin'.length)))
    .filter((part) => readFileSync(join(part, 'columns.txt'), 'utf8').includes('`otel_shape`'))
    .filter((part) => statSync(join(part, 'data.bin')).size > 50_000)
}

/** Writes calls and stops the server. */
async function filled(): Promise<string> {
  const project = freshProject()
  const batch = Array.from({ length: 200 }, (_, n) => complete(project, { inputs: { n, text: hex(400) } }))
  await server.api.ok(v2(project, 'calls/complete'), { batch })
  await server.stop()
  return project
}

const doctor = (...args: string[]) =>
  server.cli('doctor', ...args).catch((error: { stdout: string }) => error.stdout)

it('a part that is spoiled is named, found, and can be set aside', async () => {
  const project = await filled()
  const parts = partsOfCalls()
  expect(parts).toHaveLength(1)
  const file = openSync(join(parts[0]!, 'data.bin'), 'r+')
  writeSync(file, Buffer.alloc(64, 7), 0, 64, Math.floor(statSync(join(parts[0]!, 'data.bin')).size / 2))
  closeSync(file)
  const { dataDir, ports } = server
  server = await Server.start({ dataDir, ports })
  const name = /[^/]*$/.exec(parts[0]!)![0]
  const answer = await server.api.post('/calls/stream_query', { project_id: project })
  expect([answer.status, answer.text]).toEqual([500, expect.stringContaining(`calls: ${name}`)])
  await until('the log to say so', () => server.output.includes(`calls: ${name}`), 10)
  expect(await doctor()).not.toContain('heddle set-aside')
  expect(await doctor('--check-parts')).toContain(`heddle set-aside calls ${name}`)
  await server.cli('set-aside', 'calls', name)
  expect(await server.api.calls(project)).toEqual([])
  expect(await doctor('--check-parts')).toMatch(/ok +checksums/)
})

it('a part that the store sets aside at its start is told', async () => {
  await filled()
  const [part] = partsOfCalls()
  for (const file of ['checksums.txt', 'columns.txt', 'data.bin']) truncateSync(join(part!, file), 0)
  const { dataDir, ports } = server
  server = await Server.start({ dataDir, ports })
  expect(server.output).toMatch(/broken-on-start.*set aside unreadable parts/)
  expect(await server.metric('heddle_store_broken_parts')).toBe(1)
  expect(await doctor()).toMatch(/warn +parts +the rows of unreadable parts are missing.*broken-on-start/)
})

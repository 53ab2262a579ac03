/** A call that a user renamed keeps its name when its sender sends it again, whatever the engine has merged by then. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { until } from '../../test/support/until.js'
import { misnamed } from '../merge/unreconciled.js'
import { anEnd, aStart, newProject, TestService } from '../testing/service.js'

let engine: TestEngine
let store: Store
let service: TestService
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('rename')
  service = await TestService.start(store)
})
afterAll(async () => {
  await service?.stop()
  await engine?.stop()
})

type Request = readonly [path: string, body: object]
/** How a call is sent, and its id. */
type Sending = (project: string) => { id: string; requests: readonly Request[] }

const NANOS = BigInt(Date.now()) * 1_000_000n
const SPAN = {
  ...{ traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', name: 'chat' },
  ...{ startTimeUnixNano: String(NANOS), endTimeUnixNano: String(NANOS + 9000n) },
}
const RECORD = {
  ...{ traceId: SPAN.traceId, spanId: SPAN.spanId, timeUnixNano: String(NANOS) },
  ...{
    eventName: 'gen_ai.choice',
    body: { kvlistValue: { values: [{ key: 'content', value: { stringValue: 'hi' } }] } },
  },
}
const span: Request = ['/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans: [SPAN] }] }] }]
const log: Request = ['/v1/logs', { resourceLogs: [{ scopeLogs: [{ logRecords: [RECORD] }] }] }]

const sendings: [string, Sending][] = [
  ['a span', () => ({ id: SPAN.spanId, requests: [span] })],
  ['a span and its logs', () => ({ id: SPAN.spanId, requests: [span, log] })],
  [
    'a whole call',
    (project) => {
      const start = aStart(project)
      const call = { ...start, ...anEnd(project, start.id) }
      return { id: start.id, requests: [[`/v2/${project}/calls/complete`, { batch: [call] }]] }
    },
  ],
  [
    'a running call',
    (project) => {
      const start = aStart(project)
      return { id: start.id, requests: [['/call/start', { start }]] }
    },
  ],
]

async function send(project: string, requests: readonly Request[]): Promise<void> {
  for (const [path, body] of requests)
    expect(await service.post(path, body, { project_id: project })).toMatchObject({ status: 200 })
}

/** A span's id is not known before the span is: it is only unique within its trace. */
it.each(sendings.filter(([, sending]) => sending('').id !== SPAN.spanId))(
  '%s that was renamed before it was sent',
  async (_, sending) => {
    const project = newProject()
    const { id, requests } = sending(project)
    await send(project, [['/call/update', { project_id: project, call_id: id, display_name: 'mine' }]])
    await send(project, requests)
    expect(await names(project)).toEqual(['mine'])
  },
)

it('a call that another process stores, or that is stored after a restart', async () => {
  const [apart, restarted] = [newProject(), newProject()]
  const starts = [aStart(apart), aStart(restarted)]
  const rename = ({ project_id, id }: (typeof starts)[number]) =>
    send(project_id, [['/call/update', { project_id, call_id: id, display_name: 'mine' }]])
  const other = await TestService.start(store)
  for (const start of starts) await rename(start)
  const after = await TestService.start(store)
  try {
    const complete = async (at: TestService, start: (typeof starts)[number]) => {
      const call = { ...start, ...anEnd(start.project_id, start.id) }
      const answer = await at.post(`/v2/${start.project_id}/calls/complete`, { batch: [call] })
      expect(answer.status).toBe(200)
    }
    await complete(other, starts[0]!)
    await complete(after, starts[1]!)
    expect(await names(restarted)).toEqual(['mine'])
    await until('the other process to look', async () => (await names(apart))[0] === 'mine')
    expect(await misnamed(store, sql`1`)).toEqual([])
  } finally {
    await Promise.all([other.stop(), after.stop()])
  }
}, 60_000)

async function names(project: string): Promise<string[]> {
  const where = sql`project_id = ${bind.string(projectIdOf(project))}`
  const rows = await store.rows<{ name: string }>(sql`
    SELECT display_name AS name FROM calls WHERE ${where}
    UNION ALL SELECT display_name FROM calls_open WHERE ${where} AND kind = 'start'`)
  return rows.map(({ name }) => name)
}

it.each(sendings)('%s', async (_, sending) => {
  const project = newProject()
  const { id, requests } = sending(project)
  const rename = (name: string) =>
    send(project, [['/call/update', { project_id: project, call_id: id, display_name: name }]])
  await send(project, requests)
  await rename('first')
  await rename('mine')
  await send(project, requests)
  expect([...new Set(await names(project))]).toEqual(['mine'])
  // As if the engine had merged both before anybody looked.
  for (const table of ['calls', 'calls_open'] as const)
    await store.run(sql`DELETE FROM ${store.mutable(table)}
      WHERE project_id = ${bind.string(projectIdOf(project))} AND ${table === 'calls' ? sql`1` : sql`kind = 'start'`}`)
  await send(project, requests)
  expect([...new Set(await names(project))]).toEqual(['mine'])
  await rename('')
  await send(project, requests)
  expect([...new Set(await names(project))]).toEqual([''])
})

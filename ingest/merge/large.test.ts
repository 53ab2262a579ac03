/** The second step of writes that are as large as they may be: no statement grows with what callers send. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Store } from '../../platform/clickhouse/store.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { anEnd, aStart, newProject, TestService } from '../testing/service.js'

let engine: TestEngine
let store: Store
let service: TestService
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('large')
  service = await TestService.start(store)
})
afterAll(async () => {
  await service?.stop()
  await engine?.stop()
})

it('joins the halves of thousands of calls that end in one request', async () => {
  const project = newProject()
  const starts = Array.from({ length: 3000 }, () => aStart(project))
  const batches = [
    starts.map((start) => ({ mode: 'start', req: { start } })),
    starts.map(({ id }) => ({ mode: 'end', req: { end: anEnd(project, id) } })),
  ]
  for (const batch of batches)
    expect(await service.post('/call/upsert_batch', { batch })).toMatchObject({ status: 200 })
  expect(await service.whole(project)).toHaveLength(starts.length)
  expect(await service.halves(project)).toEqual([])
})

it.each([
  ['long', 'x'],
  ['wide', 'é'],
  ['quoted', "'"],
])('replaces and deletes calls whose ids are as long as they may be, and %s', async (_, letter) => {
  const project = newProject()
  const ids = Array.from({ length: 900 }, (_, n) => letter.repeat(124) + String(n).padStart(4, '0'))
  const batch = ids.map((id) => ({
    ...aStart(project, { trace_id: letter.repeat(128) }),
    ...anEnd(project, id),
  }))
  for (const output of ['first', 'second']) {
    const answer = await service.post(`/v2/${project}/calls/complete`, {
      batch: batch.map((call) => ({ ...call, output })),
    })
    expect(answer).toMatchObject({ status: 200 })
  }
  const stored = await service.whole(project)
  expect(stored.map(({ output }) => output)).toEqual(ids.map(() => '"second"'))
  const answer = await service.post('/calls/delete', { project_id: project, call_ids: ids })
  expect(answer).toMatchObject({ status: 200 })
  expect(await service.whole(project)).toEqual([])
})

it('deletes a call with thousands below it', async () => {
  const project = newProject()
  const root = aStart(project)
  const below = Array.from({ length: 7000 }, () =>
    aStart(project, { trace_id: root.trace_id, parent_id: root.id }),
  )
  const batch = [root, ...below].map((start) => ({ ...start, ...anEnd(project, start.id) }))
  for (const half of [batch.slice(0, 3500), batch.slice(3500)])
    expect(await service.post(`/v2/${project}/calls/complete`, { batch: half })).toMatchObject({
      status: 200,
    })
  const answer = await service.post('/calls/delete', { project_id: project, call_ids: [root.id] })
  expect(answer).toMatchObject({ status: 200 })
  expect(await service.whole(project)).toEqual([])
})

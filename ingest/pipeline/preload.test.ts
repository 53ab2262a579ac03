/** What a process knows of the calls that were there before it started. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Store } from '../../platform/clickhouse/store.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { VersionClock } from '../../platform/time/versions.js'
import { aStart, newProject, TestService } from '../testing/service.js'
import { preload } from './preload.js'
import { RecentIds } from './recent-ids.js'

let engine: TestEngine
let store: Store
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('preload')
})
afterAll(() => engine?.stop())

/** Calls whose ids say nothing of when they were made, each sent by itself. */
async function send(
  service: TestService,
  project: string,
  ids: readonly string[],
  op: string,
): Promise<void> {
  for (const id of ids) {
    const ended = { ended_at: '2020-01-01T00:00:01Z', output: null, summary: {} }
    const call = { ...aStart(project, { id, op_name: op, started_at: '2020-01-01T00:00:00Z' }), ...ended }
    const answer = await service.post(`/v2/${project}/calls/complete`, { batch: [call] })
    expect(answer.status).toBe(200)
  }
}

const IDS = ['a', 'b', 'c']

it.each([
  ['a process that writes alone', true],
  ['a process beside others', false],
])('%s replaces calls that were there before it', async (_, alone) => {
  const project = newProject()
  const before = await TestService.start(store, { alone })
  await send(before, project, IDS, 'first')
  await before.stop()

  const service = await TestService.start(store, { alone })
  try {
    await send(service, project, ['d', 'e', 'f'], 'new')
    await send(service, project, IDS, 'again')
    const stored = (await service.whole(project)).map(({ id, op_name }) => `${id} ${op_name}`)
    expect(stored).toEqual(['a again', 'b again', 'c again', 'd new', 'e new', 'f new'])
  } finally {
    await service.stop()
  }
})

it('all ids of a small store are known to a process that writes alone, and those of the last minutes to others', async () => {
  const known = async (alone: boolean, capacity: number) => {
    const recent = new RecentIds(capacity)
    const { all } = await preload(store, recent, new VersionClock(), alone)
    return { all, ever: recent.since === Number.NEGATIVE_INFINITY }
  }
  expect(await known(true, 1000)).toEqual({ all: true, ever: true })
  expect(await known(false, 1000)).toEqual({ all: false, ever: false })
})

it('a process that has room for fewer ids than are stored looks for all', async () => {
  const project = newProject()
  const before = await TestService.start(store, { alone: true })
  const many = Array.from({ length: 30 }, (_, i) => `id-${i}`)
  await send(before, project, many, 'first')
  await before.stop()

  const service = await TestService.start(store, { alone: true, recentIds: 1 })
  try {
    await send(service, project, many.slice(0, 3), 'again')
    const stored = (await service.whole(project)).map(({ op_name }) => op_name)
    expect(stored.filter((name) => name === 'again')).toHaveLength(3)
    expect(stored).toHaveLength(30)
  } finally {
    await service.stop()
  }
})

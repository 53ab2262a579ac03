/** Clients whose clocks are ahead: what they send again, long after it was stored, is there once all the same. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { uuid7 } from '../../platform/ids/uuid7.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { newProject, TestService } from '../testing/service.js'
import { RecentIds } from './recent-ids.js'

const MINUTE = 60_000
let engine: TestEngine
let store: Store
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('ahead')
})
afterAll(() => engine?.stop())

describe('a call of a clock that is ahead', () => {
  it.each([
    ['of a time to come', 60],
    ['of a time that has come meanwhile', -1],
  ])('%s, stored long ago and sent again after a start', async (_, minutes) => {
    const project = newProject()
    const at = Date.now() + minutes * MINUTE
    const id = uuid7(at)
    const started = new Date(at).toISOString()
    await store.insertRows('calls', [
      {
        project_id: projectIdOf(project),
        id,
        trace_id: id,
        op_name: 'op',
        started_at: started,
        ended_at: started,
        ver: (Date.now() - 20 * MINUTE) * 1000,
      },
    ])
    const service = await TestService.start(store)
    try {
      const batch = [
        {
          ...{
            project_id: project,
            id,
            trace_id: id,
            op_name: 'again',
            started_at: started,
            ended_at: started,
          },
          ...{ attributes: {}, inputs: {}, output: null, summary: {} },
        },
      ]
      expect((await service.post(`/v2/${project}/calls/complete`, { batch })).status).toBe(200)
      expect((await service.whole(project)).map(({ op_name }) => op_name)).toEqual(['again'])
    } finally {
      await service.stop()
    }
  })

  it('stays known until its time has come, however many ids come', () => {
    let now = 1000
    const recent = new RecentIds(16, () => now)
    let added = 0
    const turn = () => {
      const { since } = recent
      now += 1000
      while (recent.since === since) recent.add(Math.imul(++added, 0x9e3779b1) >>> 0, added)
    }
    recent.add(7, 12345678)
    recent.keepUntil(5500, 7, 12345678)
    for (let i = 0; i < 4; i++) turn()
    expect(recent.add(7, 12345678)).toBe(true)
    for (let i = 0; i < 5; i++) turn()
    expect(recent.add(7, 12345678)).toBe(false)
  })
})

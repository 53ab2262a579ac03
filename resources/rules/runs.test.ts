import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Store } from '../../platform/clickhouse/store.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { type ActionRun, keepRuns, runsOf } from './runs.js'

let engine: TestEngine
let store: Store
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('runs')
})
afterAll(() => engine?.stop())

const run = (matchId: string, position: number, matchedAt: number): ActionRun => ({
  ...{
    projectId: 'p',
    rule: 'r',
    id: `${matchId}-${position}`,
    matchId,
    ref: '',
    position,
    matchedAt,
    chain: [],
  },
  ...{
    subject: { type: 'call', id: 'c', name: 'op', detail: null, trace_id: null },
    action: { type: 'add_to_queue', queue: 'q' },
  },
  ...{ state: 'done', attempts: 1, nextAt: 0, result: '', made: '', problem: '' },
})

it('the newest match comes first, and its actions in their order, whenever each was stored', async () => {
  const at = Date.now() * 1000
  await keepRuns(store, [
    run('b', 0, at),
    run('b', 1, at + 1),
    run('a', 0, at - 1),
    run('c', 1, at + 3),
    run('c', 0, at + 2),
  ])
  const found = await runsOf(store, { projectId: 'p', rule: 'r', state: undefined, limit: 2 })
  expect(found.map((actions) => actions.map(({ id }) => id))).toEqual([
    ['c-0', 'c-1'],
    ['b-0', 'b-1'],
  ])
})

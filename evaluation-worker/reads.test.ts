/** A call that is replaced at this moment is read once, by its newest row. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { announce } from '../domain/calls/unsettled.js'
import type { Sql } from '../platform/clickhouse/sql.js'
import type { Store } from '../platform/clickhouse/store.js'
import { sharedTestEngine, type TestEngine } from '../platform/testing/engine.js'
import { callsBelow, callsById, rootCall, sourceTrials, trialOutputs } from './reads.js'

let engine: TestEngine
let store: Store
const [project, id, ver] = ['reads', 'trial', 200]
const op = 'Evaluation.predict_and_score'
const row = (output: string, started_at: string, ver: number) => ({
  ...{ project_id: project, id, trace_id: 'trace', parent_id: 'run', op_name: op },
  ...{ started_at, ended_at: '2026-01-02 00:00:00', inputs: '{"q":1}', output, ver },
})
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('reads')
  await announce(store, [{ projectId: project, id, ver, kind: 'whole' }])
  await store.insertRows(
    'calls (project_id, id, trace_id, parent_id, op_name, started_at, ended_at, inputs, output, ver)',
    [row('"old"', '2026-01-01 00:00:00', 100), row('"new"', '2026-01-01 00:00:01', ver)],
  )
})
afterAll(() => engine?.stop())

it.each<[string, Sql, object]>([
  ['what the trials of a run gave', trialOutputs(project, 'run', op), { output: '"new"' }],
  ['its trials', sourceTrials(project, 'run'), { id }],
  ['a call by its id', callsById(project, [id]), { output: '"new"', inputs: '{"q":1}' }],
  ['a call without its inputs', callsById(project, [id], { inputs: false }), { output: '"new"', inputs: '' }],
  ['the calls below another', callsBelow(project, ['run']), { output: '"new"' }],
  ['the root of a run', rootCall(project, id), { ver, open: 0 }],
])('%s', async (_, statement, expected) => {
  expect(await store.rows(statement)).toEqual([expect.objectContaining(expected)])
})

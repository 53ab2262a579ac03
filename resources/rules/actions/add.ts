/** Adds the calls of matches to datasets and annotation queues, many at once. */
import type { Store } from '../../../platform/clickhouse/store.js'
import { Items } from '../../annotation/items.js'
import { Queues } from '../../annotation/queues.js'
import { addRows } from '../../datasets/add-rows.js'
import { type CallRow, callRows } from '../../evaluation/call-row.js'
import type { EvaluationParts } from '../../evaluation/parts.js'
import { refOf } from '../../evaluation/publish.js'
import { made } from '../match.js'
import { rowOf } from '../row.js'
import type { ActionRun } from '../runs.js'
import type { Done, Perform } from './action.js'

const GONE: Done = { problem: 'The call was deleted.' }

export function addToDataset(parts: EvaluationParts): Perform<'add_to_dataset'> {
  return async ({ dataset, columns }, runs, { requester, projectId, before }) => {
    const calls = await callsOf(parts.store, projectId, runs)
    const there = runs.flatMap(({ subject }) => calls.get(subject.id) ?? [])
    if (there.length === 0) return runs.map(() => GONE)
    const { project, principal } = requester
    const rows = there.map((call) => ({
      ...{ text: rowOf(call, columns), call: { id: call.id, traceId: call.trace_id } },
    }))
    const { digest } = await addRows(
      parts,
      {
        ...{ project, dataset, userId: principal.userId },
        before: (next) => before(made.version(dataset, next)),
      },
      rows,
    )
    const result = refOf(project, 'object', dataset, digest)
    return runs.map(({ subject }) => (calls.has(subject.id) ? { result } : GONE))
  }
}

export function addToQueue(parts: EvaluationParts): Perform<'add_to_queue'> {
  const { store, leases, limits, register } = parts
  const queues = new Queues(store, leases, limits)
  const items = new Items(store, leases, limits)
  const named = (project: string, projectId: string, name: string, userId: string) =>
    leases.hold(`annotation-queue-named/${projectId}/${name}`, async () => {
      const known = await queues.named(project, name)
      if (known !== undefined) return known
      await register.note([project])
      return queues.create(project, userId, { name, description: '', scorer_refs: [] })
    })

  return async ({ queue }, runs, { requester: { project, principal }, projectId }) => {
    const calls = await callsOf(store, projectId, runs)
    const { userId } = principal
    const queueId = await named(project, projectId, queue, userId)
    const callIds = [...calls.keys()]
    const displayFields = ['inputs', 'output']
    if (callIds.length > 0) await items.add({ project, queueId, userId, callIds, displayFields })
    return runs.map(({ subject }) => (calls.has(subject.id) ? { result: queueId } : GONE))
  }
}

/** The calls that are there, by id. */
async function callsOf(
  store: Store,
  projectId: string,
  runs: readonly ActionRun[],
): Promise<Map<string, CallRow>> {
  const ids = [...new Set(runs.map(({ subject }) => subject.id))]
  const rows = await store.rows<CallRow>(callRows(projectId, ids))
  return new Map(rows.map((row) => [row.id, row]))
}

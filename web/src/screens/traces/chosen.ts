/** Calls that were chosen in the table, some of them or all that match: what is asked of the service about them. */

import { refsIn } from '../../../../domain/refs/in-values'
import { type Call, postLines, type Schemas, send } from '../../api/client'
import { readRefs, withValues } from '../../api/refs'
import type { Condition } from './search'

export interface Chosen {
  project: string
  condition: Condition
  sort: Schemas['SortBy'][]
  /** of calls that match; of a very large number the least that there are */
  count: number
  /** absent: all that match */
  ids?: readonly string[]
}

/** All that there is to know of a call. Values of any size come along where their column is named. */
export const WHOLE: (keyof Call)[] = [
  ...([
    'id',
    'project_id',
    'op_name',
    'display_name',
    'trace_id',
    'parent_id',
    'thread_id',
    'turn_id',
  ] as const),
  ...(['started_at', 'attributes', 'inputs', 'ended_at', 'exception', 'output', 'summary'] as const),
  ...(['wb_user_id', 'wb_run_id', 'wb_run_step', 'wb_run_step_end', 'deleted_at', 'expire_at'] as const),
  ...(['environment', 'release', 'version', 'prompt_name', 'prompt_version'] as const),
]

/** Of a request that deletes. */
const BATCH = 1_000

/** The query of the calls. */
export const queryOf = ({ project, condition, sort, ids }: Chosen): Schemas['CallsQueryReq'] => ({
  project_id: project,
  ...(ids === undefined ? condition : { filter: { call_ids: [...ids] } }),
  sort_by: sort,
})

/** The calls as JSON lines, whole, as the service writes them. The browser keeps what doesn't fit into memory on disk. */
export async function linesOf(chosen: Chosen, signal?: AbortSignal): Promise<Blob> {
  const body = { ...queryOf(chosen), columns: WHOLE }
  return (await send('POST', '/calls/stream_query', body, signal)).blob()
}

/** The calls with the values of their refs, some at a time. @param limit absent: all */
export async function* callsOf(
  chosen: Chosen,
  columns: readonly (keyof Call)[],
  limit?: number,
  signal?: AbortSignal,
): AsyncGenerator<Call[]> {
  const body = { ...queryOf(chosen), columns: [...columns], ...(limit !== undefined && { limit }) }
  for await (const calls of postLines<'/calls/stream_query', Call>('/calls/stream_query', body, signal)) {
    const traced = calls.map(({ inputs, output }) => [inputs, output])
    yield withValues(calls, await readRefs(refsIn(traced), signal))
  }
}

export async function idsOf(chosen: Chosen): Promise<readonly string[]> {
  if (chosen.ids !== undefined) return chosen.ids
  const ids: string[] = []
  for await (const calls of callsOf(chosen, ['id'])) for (const { id } of calls) ids.push(id)
  return ids
}

/** @param told called with how many are gone so far */
export async function deleteCalls(chosen: Chosen, told: (count: number) => void): Promise<void> {
  const ids = await idsOf(chosen)
  for (let at = 0; at < ids.length; at += BATCH) {
    const call_ids = ids.slice(at, at + BATCH)
    await send('POST', '/calls/delete', { project_id: chosen.project, call_ids })
    told(Math.min(ids.length, at + BATCH))
  }
}

/** Lists threads with what their calls add up to, and what was asked first. */
import type { ThreadOfList, ThreadSort, ThreadsListReq } from '../../contract/threads.js'
import { previewOf } from '../../domain/agents/preview.js'
import { askedText } from '../../domain/calls/asked-text.js'
import type { CallReader } from '../../domain/calls/read/reader.js'
import { rowsOfBoth } from '../../domain/calls/read/visible.js'
import type { Fields } from '../../domain/expr/value.js'
import { type Sql, sql } from '../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { conditionsOf, prefilterOf } from '../calls/selection.js'
import type { DistinctKeys } from '../totals/distinct-keys.js'
import { between, type Grouping, inputsStatement, oneOf, type TotalsRow } from '../totals/statement.js'
import { type Found, GroupLists, type TotalsColumn } from '../totals/totals.js'

const COLUMNS: Readonly<Record<ThreadSort, TotalsColumn>> = {
  thread_id: 'grp',
  turn_count: 'turns',
  call_count: 'calls',
  error_count: 'errors',
  total_tokens: 'tokens',
  total_cost: 'cost',
  start_time: 'first',
  last_updated: 'last',
  p50_turn_duration_ms: 'p50',
  p99_turn_duration_ms: 'p99',
  end_user: 'who',
}
/** @throws 422 for unknown fields */
export async function listThreads(
  reader: CallReader,
  keys: DistinctKeys,
  request: ThreadsListReq,
  signal: AbortSignal,
): Promise<{ threads: ThreadOfList[]; total_count: number; since: string | null }> {
  const { limit, offset, thread_ids: ids } = request
  const called = await reader.placed(request.project_id, (fields) => withCalls(request, fields), signal)
  const grouping: Grouping = {
    ...{ projectId: projectIdOf(request.project_id), by: 'thread' },
    ...between(request.started_after, request.started_before),
    among: [...(ids.length > 0 ? [oneOf('thread', ids)] : []), ...called],
  }
  const sorts = request.sort_by.length > 0 ? request.sort_by : [NEWEST]
  const lists = new GroupLists(reader, keys, signal)
  const { found, total, since, those } = await lists.part(grouping, {
    sorts,
    columns: COLUMNS,
    limit,
    offset,
  })
  const asked = await firstAsked(lists, those, found)
  const threads = found.map(
    ({ row, totals }): ThreadOfList => ({
      thread_id: row.grp,
      turn_count: Number(row.turns),
      start_time: isoOfMicros(Number(row.first)),
      last_updated: isoOfMicros(Number(row.last)),
      p50_turn_duration_ms: row.p50,
      p99_turn_duration_ms: row.p99,
      end_user: row.who || null,
      first_message: asked.get(row.grp) ?? null,
      ...totals,
    }),
  )
  return { threads, total_count: total, since }
}

interface InputsRow {
  grp: string
  isNoTurn: 0 | 1
  started: number
  inputs: string
}

/** What was asked first in each thread: by the first of its calls; where that says nothing, by the next ones. */
async function firstAsked(
  lists: GroupLists,
  those: Grouping,
  found: readonly Found[],
): Promise<Map<string, string>> {
  const asked = new Map<string, string>()
  const look = async (from: number, to?: number) => {
    const given = found.flatMap(({ row }) => (asked.has(row.grp) ? [] : row.given.slice(from, to)))
    if (given.length === 0) return
    const rows = await lists.rows<InputsRow>(inputsStatement(those, given))
    const nameOf = (grp: string, [isNoTurn, started]: TotalsRow['given'][number]) =>
      JSON.stringify([grp, isNoTurn, Number(started)])
    const inputs = new Map(rows.map((row) => [nameOf(row.grp, [row.isNoTurn, row.started]), row.inputs]))
    for (const { row } of found)
      for (const place of row.given) {
        const said = asked.has(row.grp) ? '' : askedText(inputs.get(nameOf(row.grp, place)) ?? '')
        if (said !== '') asked.set(row.grp, previewOf(said))
      }
  }
  await look(0, 1)
  await look(1)
  return asked
}

const NEWEST = { field: 'last_updated', direction: 'desc' } as const

/** The condition that a call of the thread meets each query. */
function withCalls({ project_id, with_calls: queries }: ThreadsListReq, fields: Fields): Sql[] {
  return queries.map((query) => {
    const conditions = [
      ...prefilterOf({ query }, fields),
      ...conditionsOf({ project_id, filter: null, query }, fields),
    ]
    return sql`thread_id IN (SELECT thread_id FROM (${rowsOfBoth(sql`thread_id`, projectIdOf(project_id), [sql`thread_id != ''`, ...conditions])}))`
  })
}

/** Lists threads with what their calls add up to, and what was asked first. */
import type { ThreadOfList, ThreadSort, ThreadsListReq } from '../../contract/threads.js'
import { previewOf } from '../../domain/agents/preview.js'
import { askedText } from '../../domain/calls/asked-text.js'
import { callFields } from '../../domain/calls/read/fields.js'
import type { CallReader } from '../../domain/calls/read/reader.js'
import { rowsOfBoth } from '../../domain/calls/read/visible.js'
import { type Sql, sql } from '../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import { conditionsOf, prefilterOf } from '../calls/selection.js'
import { firstInputsStatement, type Grouping, oneOf, orderBy } from '../totals/statement.js'
import { groupsOf } from '../totals/totals.js'

const COLUMNS: Readonly<Record<ThreadSort, string>> = {
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
const WIDE: readonly ThreadSort[] = ['total_tokens', 'total_cost', 'end_user']

/** @throws 422 for unknown fields */
export async function listThreads(
  reader: CallReader,
  request: ThreadsListReq,
  signal: AbortSignal,
): Promise<{ threads: ThreadOfList[]; total_count: number }> {
  const { limit, offset, thread_ids: ids } = request
  const grouping: Grouping = {
    ...{ projectId: projectIdOf(request.project_id), by: 'thread' },
    ...{ after: request.started_after, before: request.started_before },
    among: [...(ids.length > 0 ? [oneOf(ids)] : []), ...withCalls(request)],
    having: sql`HAVING turns > 0`,
  }
  const sorts = request.sort_by.length > 0 ? request.sort_by : [NEWEST]
  const isWide = sorts.some(({ field }) => WIDE.includes(field))
  const order = orderBy(sorts, COLUMNS)
  const { found, total, those } = await groupsOf(reader, grouping, { order, isWide, limit, offset }, signal)
  if (found.length === 0) return { threads: [], total_count: total }
  const inputs = await reader.rows<{ grp: string; inputs: string }>(firstInputsStatement(those), signal)
  const asked = new Map<string, string>()
  for (const { grp, inputs: text } of inputs)
    if (!asked.has(grp)) {
      const said = askedText(text)
      if (said !== '') asked.set(grp, previewOf(said))
    }
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
  return { threads, total_count: total }
}

const NEWEST = { field: 'last_updated', direction: 'desc' } as const

/** The condition that a call of the thread meets each query. */
function withCalls({ project_id, with_calls: queries }: ThreadsListReq): Sql[] {
  const fields = callFields(project_id)
  return queries.map((query) => {
    const conditions = [
      ...prefilterOf({ query }, fields),
      ...conditionsOf({ project_id, filter: null, query }, fields),
    ]
    return sql`grp IN (SELECT thread_id FROM (${rowsOfBoth(sql`thread_id`, projectIdOf(project_id), [sql`thread_id != ''`, ...conditions])}))`
  })
}

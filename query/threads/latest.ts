/**
 * Which threads a page of the latest ones has. They are looked for among the newest turns, so that only the turns of the
 * page's threads are summed up (`statement.ts`).
 */
import type { ThreadsQueryReq } from '../../contract/threads.js'
import { rowsOfBoth } from '../../domain/calls/read/visible.js'
import { EPOCH } from '../../domain/calls/unset.js'
import { bind, instant, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { newestStatement } from '../totals/statement.js'
import { conditions, MOST_IDS } from './statement.js'

type Rows = <Row>(statement: Sql) => Promise<Row[]>

/** How many of the newest turns are looked at to find a thread, and in all. */
const TURNS_EACH = [10, 100, 1000]
const MOST_TURNS = 200_000

/**
 * The request for the same page, of its threads alone; as it is if others are asked for, or they are not found. Exact: if
 * enough threads have a turn that ended since a time, none whose turns all ended before is among the latest.
 * @param rows runs a statement
 */
export async function ofLatest(
  rows: Rows,
  request: ThreadsQueryReq,
  turnsEach: readonly number[] = TURNS_EACH,
): Promise<ThreadsQueryReq> {
  if (!asksForLatest(request)) return request
  const offset = Math.max(request.offset ?? 0, 0)
  const wanted = offset + request.limit!
  const grouping = { projectId: projectIdOf(request.project_id), by: 'thread', among: [] } as const
  for (const most of turnsEach.map((each) => wanted * each)) {
    if (most > MOST_TURNS) break
    const [newest] = await rows<{ calls: number; groups: number; since: number }>(
      newestStatement(grouping, most),
    )
    const { calls, groups, since } = newest!
    const late =
      groups < wanted ? [] : await rows<{ thread_id: string }>(lateStatement(request, Number(since), wanted))
    if (late.length === wanted) {
      const thread_ids = late.slice(offset).map(({ thread_id }) => thread_id)
      const filter = { after_datetime: null, before_datetime: null, thread_ids }
      return { ...request, offset: null, filter }
    }
    // There are no more.
    if (calls < most) break
  }
  return request
}

function asksForLatest({ filter, limit, offset, sort_by }: ThreadsQueryReq): boolean {
  const [sort, ...others] = sort_by ?? []
  const isLatest = sort === undefined || (sort.field === 'last_updated' && sort.direction === 'desc')
  if (!isLatest || others.length > 0 || limit === null || limit <= 0) return false
  if ((filter?.thread_ids ?? []).length > 0 || filter?.after_datetime != null) return false
  return filter?.before_datetime == null && limit + (offset ?? 0) <= MOST_IDS
}

/** Rows of `thread_id`: threads with a turn that ended since a time, in the order of the list. */
function lateStatement(request: ThreadsQueryReq, since: number, most: number): Sql {
  const ended = [...conditions(request), sql`ended_at >= ${instant(since)}`, sql`ended_at > ${EPOCH}`]
  const turns = rowsOfBoth(sql`thread_id, ended_at`, projectIdOf(request.project_id), ended)
  return sql`SELECT thread_id FROM (${turns}) GROUP BY thread_id ORDER BY max(ended_at) DESC, thread_id ASC
    LIMIT ${bind.uint(most)}`
}

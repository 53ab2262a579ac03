/** The route that lists end users, bound. */
import { type EndUser, type EndUsersQueryReq, endUsersQuery } from '../../contract/end-users.js'
import { CallReader } from '../../domain/calls/read/reader.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import type { CallsParts } from '../calls/routes.js'
import { type Grouping, oneOf, orderBy } from '../totals/statement.js'
import { groupsOf } from '../totals/totals.js'

type Sort = EndUsersQueryReq['sort_by'][number]['field']

const COLUMNS: Readonly<Record<Sort, string>> = {
  end_user: 'grp',
  thread_count: 'threads',
  call_count: 'calls',
  error_count: 'errors',
  total_tokens: 'tokens',
  total_cost: 'cost',
  first_seen: 'first',
  last_seen: 'last',
}
const WIDE: readonly Sort[] = ['total_tokens', 'total_cost']
const NEWEST = { field: 'last_seen', direction: 'desc' } as const

export function endUsersRoutes({ store, limits }: Pick<CallsParts, 'store' | 'limits'>): Bound[] {
  const reader = new CallReader(store, limits)
  const list = serve(endUsersQuery, async ({ body, signal }) => {
    const { end_users: names, text, limit, offset } = body
    const grouping: Grouping = {
      ...{ projectId: projectIdOf(body.project_id), by: 'endUser' },
      ...{ after: body.started_after, before: body.started_before },
      among: [
        ...(names.length > 0 ? [oneOf(names)] : []),
        ...(text === '' ? [] : [sql`positionCaseInsensitiveUTF8(grp, ${bind.string(text)}) > 0`]),
      ],
      having: sql``,
    }
    const sorts = body.sort_by.length > 0 ? body.sort_by : [NEWEST]
    const isWide = sorts.some(({ field }) => WIDE.includes(field))
    const asked = { order: orderBy(sorts, COLUMNS), isWide, limit, offset }
    const { found, total } = await groupsOf(reader, grouping, asked, signal)
    return {
      end_users: found.map(
        ({ row, totals }): EndUser => ({
          end_user: row.grp,
          thread_count: Number(row.threads),
          first_seen: isoOfMicros(Number(row.first)),
          last_seen: isoOfMicros(Number(row.last)),
          ...totals,
        }),
      ),
      total_count: total,
    }
  })
  return [list]
}

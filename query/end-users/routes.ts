import { type EndUser, type EndUsersQueryReq, endUsersQuery } from '../../contract/end-users.js'
import { CallReader } from '../../domain/calls/read/reader.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import { type Bound, serve } from '../../platform/http/request.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { isoOfMicros } from '../../platform/time/iso.js'
import type { CallsParts } from '../calls/routes.js'
import { between, type Grouping, oneOf } from '../totals/statement.js'
import { GroupLists, keysOfGroups, type TotalsColumn } from '../totals/totals.js'

type Sort = EndUsersQueryReq['sort_by'][number]['field']

const COLUMNS: Readonly<Record<Sort, TotalsColumn>> = {
  end_user: 'grp',
  thread_count: 'threads',
  call_count: 'calls',
  error_count: 'errors',
  total_tokens: 'tokens',
  total_cost: 'cost',
  first_seen: 'first',
  last_seen: 'last',
}
const NEWEST = { field: 'last_seen', direction: 'desc' } as const

export function endUsersRoutes({ store, limits }: Pick<CallsParts, 'store' | 'limits'>): Bound[] {
  const reader = new CallReader(store, limits)
  const keys = keysOfGroups(store, reader, 'endUser')
  const list = serve(endUsersQuery, async ({ body, signal }) => {
    const { end_users: names, text, limit, offset } = body
    const grouping: Grouping = {
      ...{ projectId: projectIdOf(body.project_id), by: 'endUser' },
      ...between(body.started_after, body.started_before),
      among: [
        ...(names.length > 0 ? [oneOf('endUser', names)] : []),
        ...(text === '' ? [] : [sql`positionCaseInsensitiveUTF8(end_user, ${bind.string(text)}) > 0`]),
      ],
    }
    const sorts = body.sort_by.length > 0 ? body.sort_by : [NEWEST]
    const lists = new GroupLists(reader, keys, signal)
    const { found, total, since } = await lists.part(grouping, { sorts, columns: COLUMNS, limit, offset })
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
      since,
    }
  })
  return [list]
}

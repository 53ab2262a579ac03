/** The routes that read calls, bound. */
import type { Limits, Store } from '../../common/clickhouse/store.js'
import { callRead, callsQueryStats, callsStreamQuery } from '../../common/contract/calls-read.js'
import { errors } from '../../common/errors/catalog.js'
import { type Bound, Reply, serve } from '../../common/http/request.js'
import { projectIdOf } from '../../common/ids/project.js'
import { linesType } from '../accept.js'
import type { Shares } from '../shares.js'
import { countStatement } from './count.js'
import { callFields } from './fields.js'
import { readStatement } from './read-one.js'
import { CallReader } from './reader.js'
import { conditionsOf, lineOf, pageOf } from './selection.js'
import { statsRoute } from './stats-route.js'

export interface CallsParts {
  store: Store
  /** of one query */
  limits: Required<Limits>
  /** queries at once, by key */
  shares: Shares
}

export function callsRoutes({ store, limits, shares }: CallsParts): Bound[] {
  const reader = new CallReader(store, limits)

  const stream = serve(
    callsStreamQuery,
    async ({ body, headers, signal }) => {
      const page = pageOf(body, callFields(body.project_id))
      const lines = await reader.page(page, lineOf(body), signal)
      return new Reply(200, linesType(headers.get('accept')), lines)
    },
    shares.admit,
  )

  const stats = serve(
    callsQueryStats,
    async ({ body, signal }) => {
      const { limit } = body
      if (limit !== null && limit < 1) throw errors.badRequest('A limit has to be 1 or more.')
      const sizes = body.include_total_storage_size === true
      const conditions = conditionsOf(body, callFields(body.project_id))
      const statement = countStatement(projectIdOf(body.project_id), conditions, limit ?? undefined, sizes)
      const [row] = await reader.rows<{ count: number; bytes?: number }>(statement, signal)
      const count = Number(row?.count ?? 0)
      return {
        count,
        has_more: limit !== null && count >= limit,
        total_storage_size_bytes: sizes ? Number(row?.bytes ?? 0) : null,
      }
    },
    shares.admit,
  )

  const read = serve(
    callRead,
    async ({ body, signal }) =>
      new Reply(200, 'application/json', await reader.lines(readStatement(body), signal)),
    shares.admit,
  )

  return [stream, stats, read, statsRoute(reader, shares)]
}

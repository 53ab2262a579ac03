/** The routes that sum up usage over traces, bound. */

import type { Sql } from '../../common/clickhouse/sql.js'
import {
  type CallsUsageReq,
  callsUsage,
  type TraceUsageReq,
  traceUsage,
} from '../../common/contract/calls-read.js'
import { errors } from '../../common/errors/catalog.js'
import { type Bound, serve } from '../../common/http/request.js'
import { projectIdOf } from '../../common/ids/project.js'
import type { Shares } from '../shares.js'
import { callFields } from './fields.js'
import type { CallReader } from './reader.js'
import { conditionsOf } from './selection.js'
import { inTracesOf, rollUp, type UsageRow, usageByModel, usageStatement } from './usage.js'

const MOST_IDS = 1000

export function usageRoutes(reader: CallReader, shares: Shares): Bound[] {
  const ofTraces = serve(
    traceUsage,
    async ({ body, signal }) => {
      const conditions = conditionsOf(body, callFields(body.project_id))
      return answer(await read(reader, body, conditions, signal))
    },
    shares.admit,
  )

  const ofCalls = serve(
    callsUsage,
    async ({ body, signal }) => {
      const { call_ids: ids } = body
      if (ids.length > MOST_IDS)
        throw errors.badRequest(`call_ids has ${ids.length} values; send at most ${MOST_IDS}.`)
      const rows = await read(reader, body, [inTracesOf(projectIdOf(body.project_id), ids)], signal)
      return answer(rows, new Set(ids))
    },
    shares.admit,
  )
  return [ofTraces, ofCalls]
}

/** All rows, or an error: a sum over a part would look like a sum. */
async function read(
  reader: CallReader,
  { project_id, limit }: TraceUsageReq | CallsUsageReq,
  conditions: readonly Sql[],
  signal: AbortSignal,
): Promise<UsageRow[]> {
  const rows = await reader.rows<UsageRow>(
    usageStatement(projectIdOf(project_id), conditions, limit + 1),
    signal,
  )
  if (rows.length > limit)
    throw errors.badRequest(`There are more than ${limit} calls to sum up; ask for fewer, or raise limit.`)
  return rows
}

/** @param among the calls whose totals are wanted; default all */
function answer(rows: readonly UsageRow[], among?: ReadonlySet<string>) {
  const totals = [...rollUp(rows)].filter(([id]) => among === undefined || among.has(id))
  return {
    call_usage: Object.fromEntries(totals.map(([id, models]) => [id, usageByModel(models)])),
    unfinished_call_ids: rows.flatMap(({ id, running }) => (running ? [id] : [])).sort(),
  }
}

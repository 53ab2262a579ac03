/** The statement that lists threads with statistics of their turn calls (contract §7). Pure. */

import type { ThreadsQueryReq } from '../../contract/threads.js'
import { rowsOfBoth } from '../../domain/calls/read/visible.js'
import { EPOCH } from '../../domain/calls/unset.js'
import { isoText } from '../../domain/expr/iso.js'
import { bind, commaList, instant, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { errors } from '../../platform/errors/catalog.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { microsOf } from '../../platform/time/micros.js'

const SORTABLE = new Map([
  ['thread_id', sql`thread_id`],
  ['turn_count', sql`turn_count`],
  ['start_time', sql`start_time`],
  ['last_updated', sql`last_updated`],
  ['p50_turn_duration_ms', sql`p50`],
  ['p99_turn_duration_ms', sql`p99`],
])
export const MOST_IDS = 1000

/** A column `line`. @throws 400 for a field that threads can't be sorted by, or too many ids */
export function threadsStatement(request: ThreadsQueryReq): Sql {
  const turns = rowsOfBoth(
    sql`thread_id, id, started_at, ended_at, ended_at > ${EPOCH} AS ended,
      (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)) / 1000 AS took`,
    projectIdOf(request.project_id),
    conditions(request),
  )
  return sql`SELECT concat('{"thread_id":', toJSONString(thread_id), ',"turn_count":', toString(turn_count),
    ',"start_time":"', ${isoText(sql`start_time`)}, '","last_updated":"', ${isoText(sql`last_updated`)},
    '","first_turn_id":', toJSONString(first_turn), ',"last_turn_id":', toJSONString(last_turn),
    ',"p50_turn_duration_ms":', toString(p50), ',"p99_turn_duration_ms":', toString(p99), '}') AS line
  FROM (
    SELECT thread_id, count() AS turn_count, min(started_at) AS start_time, max(ended_at) AS last_updated,
      substring(min(${placed(sql`started_at`)}), 9) AS first_turn, substring(max(${placed(sql`ended_at`)}), 9) AS last_turn,
      quantilesExactInclusiveIf(0.5, 0.99)(took, ended) AS durations, durations[1] AS p50, durations[2] AS p99
    FROM (${turns})
    GROUP BY thread_id HAVING countIf(ended) > 0)
  ORDER BY ${order(request.sort_by)} ${limits(request)}`
}

/**
 * A text of `time` and then the id, in the order of both: the engine compares texts in a fifth of the time of tuples. It
 * is the time's eight bytes, the highest first, its sign turned so that times before 1970 come first.
 */
function placed(time: Sql): Sql {
  const micros = sql`reinterpretAsUInt64(toUnixTimestamp64Micro(${time}))`
  return sql`concat(reverse(reinterpretAsFixedString(bitXor(${micros}, bitShiftLeft(toUInt64(1), 63)))), id)`
}

export function conditions({ filter }: ThreadsQueryReq): Sql[] {
  const ids = filter?.thread_ids?.length ?? 0
  if (ids > MOST_IDS) throw errors.badRequest(`thread_ids has ${ids} values; send at most ${MOST_IDS}.`)
  return [
    sql`is_turn`,
    ids > 0 ? sql`thread_id IN ${bind.strings(filter!.thread_ids!)}` : sql``,
    filter?.after_datetime == null ? sql`` : sql`started_at > ${instant(microsOf(filter.after_datetime))}`,
    filter?.before_datetime == null ? sql`` : sql`started_at < ${instant(microsOf(filter.before_datetime))}`,
  ].filter((condition) => !condition.empty)
}

function order(sortBy: ThreadsQueryReq['sort_by']): Sql {
  const asked = sortBy && sortBy.length > 0 ? sortBy : [{ field: 'last_updated', direction: 'desc' } as const]
  const terms = asked.map(({ field, direction }) => {
    const column = SORTABLE.get(field)
    if (!column)
      throw errors.badRequest(
        `Threads can't be sorted by "${field.slice(0, 200)}"; sort by one of ${[...SORTABLE.keys()].join(', ')}.`,
      )
    return direction === 'asc' ? sql`${column} ASC` : sql`${column} DESC`
  })
  return commaList([...terms, sql`thread_id ASC`])
}

function limits({ limit, offset }: ThreadsQueryReq): Sql {
  if (limit !== null && limit < 0) throw errors.badRequest('A limit must be 0 or more.')
  const most = limit === null ? sql`` : sql`LIMIT ${bind.uint(limit)}`
  return offset !== null && offset > 0 ? sql`${most} OFFSET ${bind.uint(offset)}` : most
}

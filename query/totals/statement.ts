/** The statements that sum up the calls of threads, or of end users. Pure. */
import { COUNTS } from '../../domain/calls/one-answer.js'
import { statistics } from '../../domain/calls/read/statistics.js'
import { everyRow, rowsOfBoth } from '../../domain/calls/read/visible.js'
import { EPOCH } from '../../domain/calls/unset.js'
import { type BilledSums, billedOf, billedSums } from '../../domain/costs/billed-sums.js'
import { pricesOf, totalCost } from '../../domain/costs/expression.js'
import type { Prices } from '../../domain/costs/pricing.js'
import { modelsOf, TOTAL, usagesOf } from '../../domain/costs/usages.js'
import { bind, commaList, ident, instant, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { microsOf } from '../../platform/time/micros.js'
import type { Counted } from './distinct-keys.js'

/** By which column calls are grouped, whose value is '' for those of no group; and the calls that make a group one of the list. */
const GROUPS = {
  thread: { key: sql`thread_id`, makes: sql`is_turn` },
  endUser: { key: sql`end_user`, makes: sql`end_user != ''` },
} as const

/** Which calls are summed up by what. */
export interface Grouping {
  projectId: string
  by: keyof typeof GROUPS
  /** when calls began, µs since the epoch; both inclusive */
  from?: number | undefined
  to?: number | undefined
  /** on calls; all that a group has meet them, or none */
  among: readonly Sql[]
}

/** Which of the groups. */
export interface Part {
  /** the order needs what must be read out of texts: usage and costs */
  isWide: boolean
  order: Sql
  limit: number
  offset: number
}

/** A group; times are µs since the epoch. */
export interface TotalsRow {
  grp: string
  turns: number
  threads: number
  calls: number
  errors: number
  first: number
  last: number
  p50: number | null
  p99: number | null
  tokens: number
  billed: BilledSums
  who: string
  /** its first calls that were given something, turns before others */
  given: [isNoTurn: 0 | 1, started: number][]
}

const within = ({ from, to }: Grouping): Sql[] => [
  ...(from === undefined ? [] : [sql`started_at >= ${instant(from)}`]),
  ...(to === undefined ? [] : [sql`started_at <= ${instant(to)}`]),
]

/** The times between two that a request has, ISO 8601; both are exclusive. */
export const between = (after: string | null | undefined, before: string | null | undefined) => ({
  from: after == null ? undefined : microsOf(after) + 1,
  to: before == null ? undefined : microsOf(before) - 1,
})

/** `columns` of the calls that are in a group, with its `grp`. */
function callsIn(grouping: Grouping, columns: Sql, more: readonly Sql[] = []): Sql {
  const { key } = GROUPS[grouping.by]
  const conditions = [...within(grouping), sql`${key} != ''`, ...more, ...grouping.among]
  return rowsOfBoth(sql`${key} AS grp, ${columns}`, grouping.projectId, conditions)
}

const LAST = sql`greatest(started_at, ended_at)`
const LIGHT = sql`thread_id AS thread, is_turn, started_at, ended_at, ended_at > ${EPOCH} AS ended,
  exception != '' AS failed, (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)) / 1000 AS took,
  end_user AS user`
const WIDE = sql`${COUNTS} AS counts, ${usagesOf(sql`summary`)} AS usages`

/** Calls that are looked at for what was asked first, and how long their inputs may be. */
const [LOOKED_AT, MOST_BYTES] = [3, 200_000]
const HAS_INPUTS = sql`length(inputs) > 2 AND length(inputs) <= ${bind.uint(MOST_BYTES)}`

/** What the rows of `LIGHT` add up to. */
const lightSums = ({
  by,
}: Grouping) => sql`countIf(is_turn) AS turns, count() AS calls, countIf(failed) AS errors,
  ${by === 'thread' ? sql`1` : sql`uniqExactIf(thread, thread != '')`} AS threads,
  toUnixTimestamp64Micro(min(started_at)) AS first, toUnixTimestamp64Micro(max(${LAST})) AS last,
  quantilesExactInclusiveIf(0.5, 0.99)(took, is_turn AND ended) AS lengths,
  if(isNaN(lengths[1]), NULL, lengths[1]) AS p50, if(isNaN(lengths[2]), NULL, lengths[2]) AS p99,
  argMinIf(user, started_at, user != '') AS who`

const TOKENS = sql`sumIf(arraySum(usage -> ${TOTAL}, usages), counts) AS tokens`

/** A row of `sums` for each group of `rows`. */
const summed = ({ by }: Grouping, sums: readonly Sql[], rows: Sql): Sql =>
  statistics({
    ...{ keys: [['grp', sql`grp`]], columns: sums, from: sql`FROM (${rows})` },
    having: by === 'thread' ? [sql`turns > 0`] : [],
  })

/** The groups of a part of the list, in its order: columns `grp` and `total`, how many the whole list has. */
export function pageStatement(grouping: Grouping, { isWide, order, limit, offset }: Part): Sql {
  const models = sql`SELECT DISTINCT arrayJoin(${modelsOf(sql`summary`)}) AS model FROM (${callsIn(grouping, sql`summary`, [sql`summary != ''`])})`
  const prices = isWide ? sql`WITH ${pricesOf(grouping.projectId, models)} AS prices ` : sql``
  const rows = callsIn(grouping, isWide ? sql`${LIGHT}, ${WIDE}` : LIGHT)
  const cost = totalCost(sql`prices`, sql`usages`, sql`started_at`)
  const sums = [lightSums(grouping), ...(isWide ? [TOKENS, sql`sumIf(${cost}, counts) AS cost`] : [])]
  return sql`${prices}SELECT grp, toFloat64(count() OVER ()) AS total FROM (${summed(grouping, sums, rows)})
  ORDER BY ${order}, grp LIMIT ${bind.uint(limit)} OFFSET ${bind.uint(offset)}`
}

/** Rows of {@link TotalsRow} of all groups. @param prices of the project */
export function totalsStatement(grouping: Grouping, prices: Prices): Sql {
  const billed = sql`${billedSums(billedOf(sql`usages`, sql`started_at`, prices), sql`counts`)} AS billed`
  const given = sql`groupUniqArrayIf((toUInt8(NOT is_turn), toUnixTimestamp64Micro(started_at)), has_inputs)`
  const first = sql`arraySlice(arraySort(${given}), 1, ${bind.uint(LOOKED_AT)}) AS given`
  const rows = callsIn(grouping, sql`${LIGHT}, ${WIDE}, ${HAS_INPUTS} AS has_inputs`)
  return summed(grouping, [lightSums(grouping), TOKENS, billed, first], rows)
}

/**
 * One row: of the newest calls up to `most`, their number, the groups', and when the first began.
 * @param which those that make groups, or all that are in one
 */
export function newestStatement(grouping: Grouping, most: number, which: 'makes' | 'in' = 'makes'): Sql {
  const { key, makes } = GROUPS[grouping.by]
  const { projectId } = grouping
  const these = which === 'makes' ? makes : sql`${key} != ''`
  const conditions = [these, ...within(grouping), ...grouping.among]
  const newest = sql`SELECT ${key} AS grp, started_at ${everyRow('calls', projectId, conditions)}
    ORDER BY started_at DESC LIMIT ${bind.uint(most)}`
  return sql`SELECT toFloat64(count()) AS calls, toFloat64(uniqExact(grp)) AS groups,
    toUnixTimestamp64Micro(min(started_at)) AS since FROM (${newest})`
}

/**
 * Rows of `grp`, `last` and `makes`, whether it is known to be one of the list: the groups with a call that began or ended
 * since a time, those of it last first. No other group has a call so late.
 * @param since µs since the epoch
 */
export function lateStatement(grouping: Grouping, since: number, most: number): Sql {
  const columns = sql`${LAST} AS late, ${GROUPS[grouping.by].makes} AS makes`
  // Each by its own index.
  const begun = callsIn(grouping, columns, [sql`started_at >= ${instant(since)}`])
  const ended = callsIn(grouping, columns, [
    sql`started_at < ${instant(since)} AND ended_at >= ${instant(since)}`,
  ])
  return sql`SELECT grp, toUnixTimestamp64Micro(max(late)) AS last, max(makes) AS makes FROM (${begun}
    UNION ALL ${ended}) GROUP BY grp ORDER BY last DESC, grp LIMIT ${bind.uint(most)}`
}

/** Rows of `grp`: the groups of the list. */
export function groupsStatement(grouping: Grouping): Sql {
  return sql`SELECT grp FROM (${callsIn(grouping, sql`1`, [GROUPS[grouping.by].makes])}) GROUP BY grp`
}

/** What groups a list without conditions has. */
export const groupsOf = (by: Grouping['by']): Counted => ({
  key: GROUPS[by].key,
  conditions: [GROUPS[by].makes],
  withRunning: true,
})

/** A row `total`: how many groups the list has. */
export const countStatement = (grouping: Grouping): Sql =>
  sql`SELECT toFloat64(count()) AS total FROM (${groupsStatement(grouping)})`

/** A row of {@link scoresStatement}: feedback of a type on the calls of a group; reactions are one row for each emoji. */
export interface ScoreRow {
  grp: string
  name: string
  /** '' for what is no reaction */
  emoji: string
  number: number
  mean: number | null
}

/** The type of reactions, and those that are neither scores nor reactions. */
export const REACTION = 'platform.reaction.1'
const NO_SCORES = ['platform.note.1']

const numberAt = (...path: readonly string[]): Sql => {
  const at = sql`payload, ${commaList(path.map((part) => sql`${bind.string(part)}`))}`
  return sql`multiIf(JSONType(${at}) IN ('Int64', 'UInt64', 'Double'), JSONExtractFloat(${at}),
    JSONType(${at}) = 'Bool', toFloat64(JSONExtractBool(${at})), NULL)`
}

/** Where clients put the number of a score. */
const VALUE = sql`coalesce(${numberAt('value')}, ${numberAt('output')}, ${numberAt('output', 'score')}, ${numberAt('score')})`

/** Rows of {@link ScoreRow} of the groups that `grouping.among` leaves. */
export function scoresStatement(grouping: Grouping): Sql {
  const about = sql`project_id = ${bind.string(grouping.projectId)} AND call_id != ''`
  const given = sql`SELECT call_id, canonical_type AS name, ${VALUE} AS value,
      if(canonical_type = ${bind.string(REACTION)}, JSONExtractString(payload, 'detoned'), '') AS emoji
    FROM feedback FINAL WHERE ${about} AND deleted = 0 AND canonical_type NOT IN ${bind.strings(NO_SCORES)}`
  const scored = sql`id IN (SELECT call_id FROM feedback WHERE ${about})`
  return sql`SELECT grp, name, emoji, toFloat64(count()) AS number, avg(value) AS mean
    FROM (${given}) AS given INNER JOIN (${callsIn(grouping, sql`id`, [scored])}) AS those ON given.call_id = those.id
    GROUP BY grp, name, emoji ORDER BY grp, name, emoji`
}

/** Rows of `grp`, `isNoTurn`, `started` and `inputs` of the calls of groups that were given something at these times. */
export function inputsStatement(grouping: Grouping, given: TotalsRow['given']): Sql {
  const starts = bind.ints(given.map(([, started]) => started))
  const these = sql`started_at IN (SELECT fromUnixTimestamp64Micro(arrayJoin(${starts}), 'UTC'))`
  const rows = callsIn(grouping, sql`is_turn, started_at, id, inputs`, [these, HAS_INPUTS])
  return sql`SELECT grp, toUInt8(NOT is_turn) AS isNoTurn, toUnixTimestamp64Micro(started_at) AS started, inputs
    FROM (${rows}) ORDER BY id LIMIT 1 BY grp, isNoTurn, started`
}

/** The condition that calls are in one of these groups. */
export const oneOf = (by: Grouping['by'], groups: readonly string[]): Sql =>
  sql`${GROUPS[by].key} IN ${bind.strings([...groups])}`

/** The terms of an order by columns of {@link pageStatement}. @param columns by the fields of requests */
export function orderBy<Field extends string>(
  asked: readonly { field: Field; direction: 'asc' | 'desc' }[],
  columns: Readonly<Record<Field, string>>,
): Sql {
  return commaList(
    asked.map(({ field, direction }) => {
      const column = ident(columns[field])
      return direction === 'asc' ? sql`${column} ASC NULLS LAST` : sql`${column} DESC NULLS LAST`
    }),
  )
}

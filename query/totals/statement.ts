/** The statements that sum up the calls of threads, or of end users. Pure. */
import { COUNTS } from '../../domain/calls/one-answer.js'
import { END_USER } from '../../domain/calls/read/end-user.js'
import { rowsOfBoth } from '../../domain/calls/read/visible.js'
import { EPOCH } from '../../domain/calls/unset.js'
import { pricesOf, totalCost } from '../../domain/costs/expression.js'
import { modelsOf, TOTAL, usagesOf } from '../../domain/costs/usages.js'
import { bind, ident, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { microsOf } from '../../platform/time/micros.js'

/** By what calls are grouped: a value of each, '' for those of no group. */
export const KEYS = { thread: sql`thread_id`, endUser: END_USER } as const

/** Which calls are summed up by what. */
export interface Grouping {
  /** internal id */
  projectId: string
  by: keyof typeof KEYS
  /** ISO 8601; both exclusive */
  after: string | null | undefined
  before: string | null | undefined
  /** on the `grp` of calls */
  among: readonly Sql[]
  /** on groups */
  having: Sql
}

/** Which of the groups, and how much of them. */
export interface Part {
  /** with what must be read out of texts: usage, costs, end users */
  isWide: boolean
  order: Sql
  limit?: number
  offset?: number
}

/** A row of {@link totalsStatement}; times are µs since the epoch. */
export interface TotalsRow {
  grp: string
  /** groups of the whole list */
  total: number
  turns: number
  threads: number
  calls: number
  errors: number
  first: number
  last: number
  p50: number | null
  p99: number | null
  tokens?: number
  cost?: number | null
  who?: string
}

const time = (text: string) => sql`fromUnixTimestamp64Micro(${bind.time(microsOf(text))}, 'UTC')`

function within({ after, before }: Grouping): Sql[] {
  return [
    after == null ? sql`` : sql`started_at > ${time(after)}`,
    before == null ? sql`` : sql`started_at < ${time(before)}`,
  ].filter((condition) => !condition.empty)
}

/** Conditions on the rows that need no texts. */
const early = (grouping: Grouping): Sql[] => [
  ...within(grouping),
  ...(grouping.by === 'thread' ? [sql`thread_id != ''`] : []),
]

/** `columns` of the calls that are in a group, with its `grp`. */
function callsIn(grouping: Grouping, columns: Sql, conditions: readonly Sql[] = []): Sql {
  const rows = rowsOfBoth(sql`${KEYS[grouping.by]} AS grp, ${columns}`, grouping.projectId, [
    ...early(grouping),
    ...conditions,
  ])
  return sql`SELECT * FROM (${rows}) WHERE ${join([sql`grp != ''`, ...grouping.among], sql` AND `)}`
}

const LIGHT = sql`id, thread_id AS thread, id = turn_id AS is_turn, started_at, ended_at, ended_at > ${EPOCH} AS ended,
  exception != '' AS failed, (toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at)) / 1000 AS took`
const WIDE = sql`${COUNTS} AS counts, ${usagesOf(sql`summary`)} AS usages, ${END_USER} AS said_user`

/** Rows of {@link TotalsRow}. */
export function totalsStatement(grouping: Grouping, { isWide, order, limit, offset = 0 }: Part): Sql {
  const models = sql`SELECT DISTINCT arrayJoin(${modelsOf(sql`summary`)}) AS model FROM (${callsIn(grouping, sql`summary`, [sql`summary != ''`])})`
  const prices = isWide ? sql`WITH ${pricesOf(grouping.projectId, models)} AS prices ` : sql``
  const cost = totalCost(sql`prices`, sql`usages`, sql`started_at`)
  const wide = isWide
    ? sql`, sumIf(arraySum(usage -> ${TOTAL}, usages), counts) AS tokens, sumIf(${cost}, counts) AS cost,
      argMinIf(said_user, started_at, said_user != '') AS who`
    : sql``
  const most = limit === undefined ? sql`` : sql` LIMIT ${bind.uint(limit)} OFFSET ${bind.uint(offset)}`
  return sql`${prices}SELECT *, toFloat64(count() OVER ()) AS total FROM (
    SELECT grp, countIf(is_turn) AS turns, uniqExactIf(thread, thread != '') AS threads, count() AS calls,
      countIf(failed) AS errors, toUnixTimestamp64Micro(min(started_at)) AS first,
      toUnixTimestamp64Micro(max(greatest(started_at, ended_at))) AS last,
      quantilesExactInclusiveIf(0.5, 0.99)(took, is_turn AND ended) AS lengths,
      if(isNaN(lengths[1]), NULL, lengths[1]) AS p50, if(isNaN(lengths[2]), NULL, lengths[2]) AS p99${wide}
    FROM (${callsIn(grouping, isWide ? sql`${LIGHT}, ${WIDE}` : LIGHT)})
    GROUP BY grp ${grouping.having})
  ORDER BY ${order}, grp${most}`
}

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
  const at = sql`payload, ${join(
    path.map((part) => sql`${bind.string(part)}`),
    sql`, `,
  )}`
  return sql`multiIf(JSONType(${at}) IN ('Int64', 'UInt64', 'Double'), JSONExtractFloat(${at}),
    JSONType(${at}) = 'Bool', toFloat64(JSONExtractBool(${at})), NULL)`
}

/** Where clients put the number of a score. */
const VALUE = sql`coalesce(${numberAt('value')}, ${numberAt('output')}, ${numberAt('output', 'score')}, ${numberAt('score')})`

/** Rows of {@link ScoreRow} of the groups that `grouping.among` leaves. */
export function scoresStatement(grouping: Grouping): Sql {
  const given = sql`SELECT call_id, canonical_type AS name, ${VALUE} AS value,
      if(canonical_type = ${bind.string(REACTION)}, JSONExtractString(payload, 'detoned'), '') AS emoji
    FROM feedback FINAL WHERE project_id = ${bind.string(grouping.projectId)} AND call_id != '' AND deleted = 0
      AND canonical_type NOT IN ${bind.strings(NO_SCORES)}`
  return sql`SELECT grp, name, emoji, toFloat64(count()) AS number, avg(value) AS mean
    FROM (${given}) AS given INNER JOIN (${callsIn(grouping, sql`id`)}) AS those ON given.call_id = those.id
    GROUP BY grp, name, emoji ORDER BY grp, name, emoji`
}

/** Calls that are looked at for what was asked first, and how long their inputs may be. */
const [LOOKED_AT, MOST_BYTES] = [3, 200_000]

/** Rows of `grp` and `inputs`: of each thread the first calls that were given something, turns before others. */
export function firstInputsStatement(grouping: Grouping): Sql {
  const given = sql`length(inputs) > 2 AND length(inputs) <= ${bind.uint(MOST_BYTES)}`
  const places = sql`SELECT id FROM (${callsIn(grouping, sql`id, id = turn_id AS is_turn, started_at`, [given])})
    ORDER BY is_turn DESC, started_at, id LIMIT ${bind.uint(LOOKED_AT)} BY grp`
  const rows = callsIn(grouping, sql`id = turn_id AS is_turn, started_at, id, inputs`, [
    sql`id IN (${places})`,
  ])
  return sql`SELECT grp, inputs FROM (${rows}) ORDER BY grp, is_turn DESC, started_at, id`
}

/** The condition that calls are in one of these groups. */
export const oneOf = (groups: readonly string[]): Sql => sql`grp IN ${bind.strings([...groups])}`

/** The terms of an order by columns of {@link TotalsRow}. @param columns by the fields of requests */
export function orderBy<Field extends string>(
  asked: readonly { field: Field; direction: 'asc' | 'desc' }[],
  columns: Readonly<Record<Field, string>>,
): Sql {
  return join(
    asked.map(({ field, direction }) => {
      const column = ident(columns[field])
      return direction === 'asc' ? sql`${column} ASC NULLS LAST` : sql`${column} DESC NULLS LAST`
    }),
    sql`, `,
  )
}

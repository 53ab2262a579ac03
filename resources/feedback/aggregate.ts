/** Counts scorers' tags and ratings over time and by source: the statement, and its rows as an answer. Pure. */

import type { FeedbackAggregateBucket, FeedbackAggregateReq } from '../../contract/feedback-read.js'
import { MOST_BUCKETS, usualGranularity } from '../../domain/calls/read/buckets.js'
import { wrong } from '../../domain/calls/read/span.js'
import { canonicalType } from '../../domain/feedback/kinds.js'
import { bind, commaList, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { DEFAULT_SCORER } from './entry.js'
import { within } from './window.js'

/** The rating that scorers of agents give; the others are parts of it. */
const RATING = '_rating_'
const SCORER = sql`if(scorer = '', ${bind.string(DEFAULT_SCORER)}, scorer)`
const TAGS = sql`JSONExtract(scorer, 'scorer_tags', 'Array(String)')`
const RATINGS = sql`JSONExtract(scorer, 'scorer_ratings', 'Map(String, Float64)')`
const scorerText = (name: string) => sql`JSONExtractString(${SCORER}, ${bind.string(name)})`

/** The name in the ref of an object or op, which all its versions share. */
const nameIn = (ref: Sql) => sql`decodeURLComponent(extract(${ref}, '^weave:///[^/]+/[^/]+/[^/]+/([^/:]+)'))`

const GROUPS: Record<NonNullable<FeedbackAggregateReq['group_by']>[number], Sql> = {
  scorer_id: nameIn(sql`runnable_ref`),
  span_agent_name: scorerText('span_agent_name'),
  span_agent_version: scorerText('span_agent_version'),
  span_status_code: scorerText('span_status_code'),
}

/** The seconds of a bucket. @throws 422 for an empty period, or too many buckets */
export function bucketSeconds({ after_ms, before_ms, time_bucket_seconds }: FeedbackAggregateReq): number {
  if (before_ms <= after_ms) throw wrong('before_ms', 'Should be larger than after_ms')
  const start = Math.floor(after_ms / 1000)
  const end = Math.ceil(before_ms / 1000)
  const least = Math.ceil((end - start) / (MOST_BUCKETS - 1))
  const seconds = time_bucket_seconds ?? Math.max(usualGranularity(start, end), least)
  if (Math.ceil((end - start) / seconds) > MOST_BUCKETS)
    throw wrong('time_bucket_seconds', `Should make at most ${MOST_BUCKETS} buckets`)
  return seconds
}

/** A row of {@link aggregateStatement}. */
export interface AggregateRow {
  bucket: number
  groups: string[]
  total: number
  scored: number
  tags: Record<string, number>
  counts: Record<string, number>
  sums: Record<string, number>
}

/** One row per non-empty bucket and group. */
export function aggregateStatement(request: FeedbackAggregateReq, seconds: number): Sql {
  const groups = (request.group_by ?? []).map((name) => GROUPS[name])
  const rows = sql`SELECT intDiv(toUnixTimestamp(created_at), ${bind.uint(seconds)}) * ${bind.uint(seconds)} AS bucket,
      ${groups.length > 0 ? sql`[${commaList(groups)}]` : sql`emptyArrayString()`} AS groups,
      ${TAGS} AS row_tags, ${RATINGS} AS ratings
    ${within({
      project_id: request.project_id,
      start: request.after_ms * 1000,
      end: request.before_ms * 1000,
      feedback_type: null,
      trigger_ref: null,
    })} ${join(
      conditions(request).map((condition) => sql`AND ${condition}`),
      sql` `,
    )}`
  const ones = (keys: Sql) =>
    sql`CAST((${keys}, arrayMap(key -> toUInt64(1), ${keys})), 'Map(String, UInt64)')`
  const tags = sql`arrayDistinct(row_tags)`
  return sql`SELECT bucket, groups, count() AS total, countIf(notEmpty(row_tags) OR notEmpty(ratings)) AS scored,
      sumMap(${ones(tags)}) AS tags, sumMap(${ones(sql`mapKeys(ratings)`)}) AS counts, sumMap(ratings) AS sums
    FROM (${rows}) GROUP BY bucket, groups ORDER BY bucket, groups LIMIT ${bind.uint(MOST_ROWS)}`
}

const MOST_ROWS = 100_000

/** The values of one field are ORed, the fields ANDed. */
function conditions(request: FeedbackAggregateReq): Sql[] {
  const all: Sql[] = []
  const { feedback_types, tags, monitor_ids, scorer_ids, span_agent_names, span_types } = request
  if (feedback_types?.length)
    all.push(
      any(
        feedback_types.map((type) => startsWith(sql`canonical_type`, canonicalType(type.replace(/\*$/, '')))),
      ),
    )
  if (tags?.length) all.push(sql`hasAny(row_tags, ${bind.strings(tags)})`)
  if (monitor_ids?.length) all.push(named(sql`trigger_ref`, monitor_ids))
  if (scorer_ids?.length) all.push(named(sql`runnable_ref`, scorer_ids))
  if (span_agent_names?.length)
    all.push(sql`${scorerText('span_agent_name')} IN ${bind.strings(span_agent_names)}`)
  if (span_types?.length)
    all.push(sql`extract(weave_ref, '^weave:///[^/]+/[^/]+/([^/]+)/') IN ${bind.strings(span_types)}`)
  const { rating_min, rating_max } = request
  const rating = sql`ratings[${bind.string(RATING)}]`
  if (rating_min !== null || rating_max !== null) all.push(sql`mapContains(ratings, ${bind.string(RATING)})`)
  if (rating_min !== null) all.push(sql`${rating} >= ${bind.float(rating_min)}`)
  if (rating_max !== null) all.push(sql`${rating} <= ${bind.float(rating_max)}`)
  return all
}

function named(ref: Sql, names: readonly string[]): Sql {
  const name = nameIn(ref)
  return any(
    names.map((one) =>
      one.endsWith('*') ? startsWith(name, one.slice(0, -1)) : sql`${name} = ${bind.string(one)}`,
    ),
  )
}

const startsWith = (text: Sql, beginning: string) => sql`startsWith(${text}, ${bind.string(beginning)})`
const any = (pieces: readonly Sql[]) => sql`(${join(pieces, sql` OR `)})`

/** The row as answers have it. */
export function bucketOfRow(
  { bucket, groups, total, scored, tags, counts, sums }: AggregateRow,
  names: readonly string[],
): FeedbackAggregateBucket {
  return {
    time_bucket_start_ms: Number(bucket) * 1000,
    group: Object.fromEntries(names.map((name, i) => [name, groups[i]!])),
    total_count: Number(total),
    scored_count: Number(scored),
    tag_counts: tags,
    rating_counts: counts,
    rating_sums: sums,
  }
}

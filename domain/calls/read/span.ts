/** The time range of statistics, validated and cut into buckets. Pure, except for the clock if there is no end. */

import { bind, type Sql, sql } from '../../../platform/clickhouse/sql.js'
import { ValidationError } from '../../../platform/errors/error.js'
import { nowMicros } from '../../../platform/time/iso.js'
import { microsOf } from '../../../platform/time/micros.js'
import { bucketStarts, isTimeZone, MOST_BUCKETS, TimeZone, usualGranularity } from './buckets.js'

const MOST_DAYS = 31
const SECOND = 1_000_000

/** The range as requested. */
interface Asked {
  start: string
  /** null: now */
  end: string | null
  /** seconds; null: chosen by the range */
  granularity: number | null
  timezone: string
}

/** The validated range in µs since the epoch; buckets in seconds. */
export interface Span {
  start: number
  end: number
  granularity: number
  /** the starts of buckets */
  starts: readonly number[]
}

/**
 * @param mostDays infinite: any time, in longer buckets where there would be too many
 * @throws 422 for a time zone that there is not, a time that is empty or too long, too many buckets
 */
export function spanOf(request: Asked, mostDays = MOST_DAYS): Span {
  const zone = zoneOf(request.timezone)
  const { start, end } = boundsOf(request, zone, mostDays)
  const [from, to] = [Math.floor(start / SECOND), Math.ceil(end / SECOND)]
  const least = mostDays > MOST_DAYS ? Math.ceil((to - from) / (MOST_BUCKETS - 2)) : 1
  const granularity = Math.max(request.granularity ?? usualGranularity(from, to), least)
  const starts = bucketStarts(from, to, granularity, zone)
  if (!starts) throw wrong('granularity', `Should make at most ${MOST_BUCKETS} buckets`)
  return { start, end, granularity, starts }
}

/** The range of statistics without buckets. @throws 422 if it is empty or too long */
export function boundsOf(
  request: Pick<Asked, 'start' | 'end'>,
  zone = zoneOf('UTC'),
  mostDays = MOST_DAYS,
): Pick<Span, 'start' | 'end'> {
  const start = microsOf(request.start)
  const end = request.end === null ? nowMicros() : microsOf(request.end)
  if (end <= start) throw wrong('end', 'Should be later than start')
  if (mostDays === MOST_DAYS && isTooLong(start / SECOND, end / SECOND, zone))
    throw wrong('end', `Should be at most ${MOST_DAYS} days after start`)
  return { start, end }
}

/** Days follow the zone's clocks: a month in which they go back is an hour longer than its days. */
function isTooLong(from: number, to: number, zone: TimeZone): boolean {
  const over = to - from - MOST_DAYS * 86_400
  if (over <= 0 || over > 86_400) return over > 0
  const midnight = zone.startOfDay(Math.floor(from))
  let day = midnight
  for (let i = 0; i < MOST_DAYS; i++) day = zone.nextDay(day)
  return to > day + (from - midnight)
}

function zoneOf(name: string): TimeZone {
  if (isTimeZone(name)) return new TimeZone(name)
  throw wrong('timezone', 'Should be the name of a time zone, such as Europe/Berlin')
}

/** The error for an invalid field value. */
export function wrong(field: string, msg: string): ValidationError {
  return new ValidationError([{ loc: ['body', field], msg, type: 'value_error' }])
}

/** The start (in seconds) of the bucket that contains `time`. */
export function bucketOf(time: Sql, { starts }: Pick<Span, 'starts'>): Sql {
  return sql`roundDown(toUnixTimestamp(${time}), ${bind.ints(starts)})`
}

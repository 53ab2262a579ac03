import type { AuditFilter, AuditOutcome, AuditQuery } from '../../contract/audit.js'
import { AUDIT_COLUMNS } from '../../domain/audit/table.js'
import { allOf, bind, commaList, ident, instant, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { microsOf } from '../../platform/time/micros.js'

/** What the newest line of an entry tells. */
const TOLD = [
  'action',
  'category',
  'user_id',
  'username',
  'key_id',
  'remote_address',
  'forwarded_for',
  'entity',
  'project',
  'target',
  'status',
  'error_code',
  'request_id',
  'phase',
] as const

/** A row of {@link entriesStatement}. */
export interface EntryRow extends Record<`last_${Exclude<(typeof TOLD)[number], 'status'>}`, string> {
  id: string
  /** µs since the epoch, as all others */
  began_micros: string
  /** 0: it has not ended */
  ended_micros: string
  last_status: number
  outcome: AuditOutcome
  /** at, chain, seq, phase, hash */
  places: [string, string, number, string, string][]
}

/** Where a page of entries ends. */
export interface Place {
  /** µs since the epoch */
  beganAt: number
  id: string
}

/** The last time that the table can hold. */
const LAST = Date.UTC(2255, 0) * 1000
const timeOf = (text: string) => Math.min(Math.max(microsOf(text), 0), LAST)

/** Lines that a filter lets through. */
function linesWhere({ scope, since, until, user, category, action }: AuditFilter): Sql[] {
  return [
    scopeIs(scope),
    since === null ? sql`` : sql`began_at >= ${instant(timeOf(since))}`,
    until === null ? sql`` : sql`began_at < ${instant(timeOf(until))}`,
    user === null ? sql`` : sql`(username = ${bind.string(user)} OR user_id = ${bind.string(user)})`,
    category === null ? sql`` : sql`category = ${bind.string(category)}`,
    action === null ? sql`` : sql`action = ${bind.string(action)}`,
  ]
}

function scopeIs(scope: string): Sql {
  if (scope === '*') return sql``
  return scope.includes('/') ? sql`project = ${bind.string(scope)}` : sql`entity = ${bind.string(scope)}`
}

const and = (conditions: readonly Sql[]) => allOf([sql`true`, ...conditions])

const OUTCOME = sql`multiIf(last_phase = 'begin', 'unknown', last_status IN (401, 403, 429), 'refused',
  last_status >= 400, 'failed', 'ok')`

/** A column of the newest line of an entry: of its end, if there is one. */
const newest = (column: string) =>
  sql`argMax(${ident(column)}, (phase != 'begin', at)) AS ${ident(`last_${column}`)}`

/** Entries of a page: with few columns, since all are looked at. An entry counts if any of its lines is let through. */
function idsStatement(query: AuditQuery, before: Place | undefined): Sql {
  const { since, until, outcome, limit, scope, user, category, action } = query
  const page =
    before === undefined
      ? sql``
      : sql`(began_at, id) < (${instant(before.beganAt)}, ${bind.string(before.id)})`
  const times = linesWhere({ ...EVERYTHING, since, until })
  const isAll = scope === '*' && user === null && category === null && action === null
  const own = isAll ? sql`` : sql`id IN (SELECT id FROM audit WHERE ${and([...linesWhere(query), page])})`
  const told = outcome === null ? sql`` : sql`HAVING ${OUTCOME} = ${bind.string(outcome)}`
  return sql`SELECT id FROM (
    SELECT id, any(began_at) AS began, ${newest('phase')}, ${newest('status')}
    FROM audit WHERE ${and([sql`phase != 'heads'`, ...times, page, own])} GROUP BY id ${told}
    ORDER BY began DESC, id DESC LIMIT ${bind.uint(limit + 1)})`
}

const EVERYTHING = { scope: '*', since: null, until: null, user: null, category: null, action: null } as const

/** The newest of what was done, its lines put together. */
export function entriesStatement(query: AuditQuery, before: Place | undefined): Sql {
  const { since, until } = query
  const times = linesWhere({ ...EVERYTHING, since, until })
  return sql`
    SELECT id, any(began_at) AS began, toString(toUnixTimestamp64Micro(began)) AS began_micros,
      ${commaList(TOLD.map(newest))},
      toString(toUnixTimestamp64Micro(maxIf(at, phase != 'begin'))) AS ended_micros, ${OUTCOME} AS outcome,
      arraySort(groupArray((toString(toUnixTimestamp64Micro(at)), chain, seq, toString(phase), hash))) AS places
    FROM audit WHERE ${and([...times, sql`id IN (${idsStatement(query, before)})`])}
    GROUP BY id ORDER BY began DESC, id DESC`
}

/** The lines that a filter lets through, as they are. */
export function linesStatement(filter: AuditFilter): Sql {
  return sql`SELECT ${AUDIT_COLUMNS} FROM audit WHERE ${and(linesWhere(filter))} ORDER BY chain, seq`
}

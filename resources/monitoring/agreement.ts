/** How far a monitor and people agree: over the calls of a time that both judged, by the newest judgement of each. */
import type { MonitorAgreementReq } from '../../contract/monitors.js'
import { pathSegments } from '../../domain/calls/leaves.js'
import { agreementOf, type Cell } from '../../domain/evaluation/kappa.js'
import { rawAt } from '../../domain/expr/json-text.js'
import { canonicalType } from '../../domain/feedback/kinds.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Limits, Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { projectIdOf } from '../../platform/ids/project.js'

/** Disagreements that are named. */
const NAMED = 1000
const MOST_LABELS = 100

interface Row {
  /** JSON texts; '' where there is none */
  said: string
  people: string
  count: number
  calls: string[]
}

export async function readAgreement(
  store: Store,
  asked: MonitorAgreementReq,
  settings: { limits: Limits; signal: AbortSignal },
) {
  const scorers = await store.rows<{ name: string }>(scorersStatement(asked), settings)
  const names = scorers.map(({ name }) => name)
  const scorer = asked.scorer ?? names[0]
  if (scorer === undefined) return { scorer: null, scorers: [], ...summed([], asked) }
  if (asked.scorer === null && names.length > 1)
    throw errors.badRequest(`This monitor has several scorers; name one: ${names.join(', ')}.`)
  const rows = await store.rows<Row>(pairsStatement(asked, scorer), settings)
  return { scorer, scorers: names, ...summed(rows, asked) }
}

/** The scorers of which the monitor gave scores. */
function scorersStatement(asked: MonitorAgreementReq): Sql {
  return sql`SELECT DISTINCT substring(toString(canonical_type), ${bind.uint(RUNNABLE.length + 1)}) AS name
    ${feedback(asked)} AND ${ofMonitor(asked)} ORDER BY name`
}

const RUNNABLE = 'platform.runnable.'

function feedback({ project_id, days }: MonitorAgreementReq): Sql {
  return sql`FROM feedback FINAL WHERE project_id = ${bind.string(projectIdOf(project_id))} AND deleted = 0
    AND call_id != '' AND created_at >= now64(6) - toIntervalSecond(${bind.uint(Math.round(days * 86_400))})`
}

const ofMonitor = ({ monitor }: MonitorAgreementReq) =>
  sql`startsWith(canonical_type, ${bind.string(RUNNABLE)}) AND position(trigger_ref, ${bind.string(`/object/${monitor}:`)}) > 0`

function pairsStatement(asked: MonitorAgreementReq, scorer: string): Sql {
  const { people } = asked
  const newest = (path: string, which: Sql) => {
    const value = rawAt({ document: sql`payload`, path: pathSegments(path) })
    return sql`SELECT call_id, argMax(${value}, (created_at, id)) AS value ${feedback(asked)} AND ${which} GROUP BY call_id`
  }
  const type = bind.string(`${RUNNABLE}${scorer}`)
  const monitors = newest(asked.json_path, sql`canonical_type = ${type} AND ${ofMonitor(asked)}`)
  const theirs = newest(
    people.json_path ?? pathOf(people.feedback_type),
    sql`canonical_type = ${bind.string(canonicalType(people.feedback_type))}`,
  )
  return sql`SELECT said, people, count() AS count, arraySlice(arrayReverseSort(groupArray(call_id)), 1, ${bind.uint(NAMED)}) AS calls
    FROM (SELECT call_id, own.value AS said, other.value AS people FROM (${monitors}) AS own
      INNER JOIN (${theirs}) AS other USING (call_id))
    GROUP BY said, people ORDER BY count DESC LIMIT ${bind.uint(MOST_LABELS * MOST_LABELS)}`
}

/** Where people's judgement is in their feedback. */
function pathOf(type: string): string {
  return canonicalType(type).startsWith('platform.reaction') ? 'detoned' : 'value'
}

function summed(rows: readonly Row[], { threshold, people }: MonitorAgreementReq) {
  const cells = new Map<string, Cell & { calls: string[] }>()
  for (const { said, people: theirs, count, calls } of rows) {
    const [first, second] = [labelOf(said, threshold), labelOf(theirs, people.threshold)]
    if (first === undefined || second === undefined) continue
    const told = people.invert ? (OPPOSITE[second] ?? second) : second
    const key = JSON.stringify([first, told])
    const cell = cells.get(key) ?? { first, second: told, count: 0, calls: [] }
    cells.set(key, { ...cell, count: cell.count + Number(count), calls: [...cell.calls, ...calls] })
  }
  const all = [...cells.values()]
  return {
    ...agreementOf(all),
    confusion: all
      .map(({ first, second, count }) => ({ monitor: first, people: second, count }))
      .sort((a, b) => b.count - a.count),
    disagreements: all
      .filter(({ first, second }) => first !== second)
      .flatMap(({ first, second, calls }) =>
        calls.map((call_id) => ({ call_id, monitor: first, people: second })),
      )
      .sort((a, b) => (a.call_id < b.call_id ? 1 : -1))
      .slice(0, NAMED),
  }
}

const OPPOSITE: Readonly<Record<string, string>> = { true: 'false', false: 'true' }
const THUMBS: Readonly<Record<string, string>> = { '👍': 'true', '👎': 'false' }

/** A judgement as a label; numbers are above a threshold or not. undefined: it is none */
function labelOf(raw: string, threshold: number): string | undefined {
  if (raw === '' || raw === 'null') return undefined
  const value = JSON.parse(raw) as unknown
  if (typeof value === 'number') return String(value >= threshold)
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? (THUMBS[value] ?? value.slice(0, 100)) : undefined
}

/** Feedback values by type, and annotation queues, as fields of calls. The engine joins them to the calls. Pure. */
import { createHash } from 'node:crypto'
import { bind, ident, joined, type Sql, sql } from '../../platform/clickhouse/sql.js'
import { pathSegments } from '../calls/leaves.js'
import { rawAt } from '../expr/json-text.js'
import type { Value } from '../expr/value.js'
import { canonicalType, mayRepeat } from './kinds.js'

/** `feedback.[type].field`; the type may be `*`. */
const NAME = /^feedback\.\[([^\]]*)\]\.(payload|runnable_ref|trigger_ref)(?:\.(.+))?$/s
const ANY_TYPE = '*'

/** @param projectId internal id */
export function attachedField(name: string, projectId: string): Value | undefined {
  if (name === 'annotation_queue_items.queue_id') return queues(projectId)
  const [, type, field, path] = NAME.exec(name) ?? []
  if (type === undefined || (field !== 'payload' && path !== undefined)) return undefined
  const canonical = type === ANY_TYPE ? undefined : canonicalType(type)
  const rows = rowsOf(projectId, canonical)
  if (field !== 'payload') {
    const column = field === 'runnable_ref' ? sql`runnable_ref` : sql`trigger_ref`
    const first = lookup(name, rows, firstOf(column, canonical === undefined))
    return { kind: 'text', sql: sql`nullIf(${first}, '')`, present: rows.present }
  }
  const raw = rawAt({ document: sql`payload`, path: path === undefined ? [] : pathSegments(path) })
  if (canonical !== undefined && mayRepeat(canonical)) {
    const each = sql`JSONExtractArrayRaw(${lookup(name, rows, listOf(raw))})`
    const document = sql`arrayElement(${each}, 1)`
    return { kind: 'json', document, path: [], sound: true, each, present: rows.present }
  }
  const document = lookup(name, rows, firstOf(raw, canonical === undefined))
  return { kind: 'json', document, path: [], sound: true, present: rows.present }
}

interface Rows {
  /** WHERE of the rows of `feedback` */
  where: Sql
  /** a condition on calls: true if feedback may exist */
  present: Sql
}

function rowsOf(projectId: string, canonical: string | undefined): Rows {
  const project = sql`project_id = ${bind.string(projectId)} AND call_id != ''`
  const all =
    canonical === undefined ? project : sql`${project} AND canonical_type = ${bind.string(canonical)}`
  return {
    where: sql`${all} AND deleted = 0`,
    // Includes purged feedback, so it may match too many calls.
    present: sql`id IN (SELECT call_id FROM feedback WHERE ${all})`,
  }
}

/** The value of the earliest feedback; with `existing`, the earliest that has a value. */
function firstOf(value: Sql, existing: boolean): Sql {
  const order = sql`(created_at, id)`
  return existing
    ? sql`argMinIf(${value}, ${order}, ${value} NOT IN ('', 'null'))`
    : sql`argMin(${value}, ${order})`
}

/** JSON text of the list of values, in order of creation. */
function listOf(raw: Sql): Sql {
  const values = sql`groupArrayIf((created_at, id, ${raw}), ${raw} NOT IN ('', 'null'))`
  return sql`concat('[', arrayStringConcat(arrayMap(row -> row.3, arraySort(${values})), ','), ']')`
}

/** `value` (an aggregate over a call's feedback) for the current call, '' if it has no feedback. */
function lookup(name: string, { where }: Rows, value: Sql): Sql {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 12)
  const column = ident(`value_${hash}`)
  const call = ident(`call_${hash}`)
  const from = sql`LEFT ANY JOIN (
    SELECT call_id AS ${call}, ${value} AS ${column} FROM feedback FINAL WHERE ${where} GROUP BY call_id
  ) AS ${ident(`feedback_${hash}`)} ON id = ${call}`
  return joined(column, { name: hash, from })
}

function queues(projectId: string): Value {
  return {
    kind: 'member',
    has: (queueId) => sql`id IN (SELECT call_id FROM annotation_queue_items FINAL
      WHERE project_id = ${bind.string(projectId)} AND queue_id = ${bind.string(queueId)})`,
  }
}

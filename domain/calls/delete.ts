/**
 * Deletes calls and their descendants in the same trace. Deletes what is found last first, so that repeating an
 * interrupted delete finds the rest.
 */
import { groupBy } from '../../platform/batch/group-by.js'
import { pieces, writtenBytes } from '../../platform/clickhouse/pieces.js'
import { bind, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { errors } from '../../platform/errors/catalog.js'
import { deleteTokens } from '../token-ids/tokens.js'
import { callsOf } from './calls-of.js'
import { BY_PATCH } from './patch.js'

/** Most calls examined in the affected traces; traces rarely exceed a few thousand. */
const TRACE_LIMIT = 500_000
const IDS_A_STATEMENT = 10_000
/** Half the limit for a statement's values: the other half is for traces. */
const HALF = 300 << 10
/** Most sequential statements per delete; deeper alternations are merged. */
const MAX_PHASES = 32

/** Deletes `ids` and their descendants; returns the number of calls, including unknown `ids`. */
export async function deleteCalls(store: Store, projectId: string, ids: readonly string[]): Promise<number> {
  const requested = new Set(ids)
  const traces = await tracesOf(store, projectId, [...requested])
  if (traces.length === 0) return requested.size
  const phases = descendantsOf(requested, await membersOf(store, projectId, traces))
  for (const phase of phases) await drop(store, projectId, traces, phase)
  await drop(store, projectId, traces, [...requested])
  return requested.size + phases.reduce((sum, { length }) => sum + length, 0)
}

async function tracesOf(store: Store, projectId: string, ids: readonly string[]): Promise<string[]> {
  const where = sql`project_id = ${bind.string(projectId)} AND id IN ${bind.strings(ids)}`
  const rows = await store.rows<{ trace_id: string }>(sql`
    SELECT DISTINCT trace_id FROM ${callsOf(projectId)} WHERE ${where}
    UNION DISTINCT
    SELECT DISTINCT trace_id FROM calls_open WHERE ${where}`)
  return rows.map(({ trace_id }) => trace_id)
}

interface Member {
  readonly id: string
  readonly parent_id: string
  /** 1: a half */
  readonly open: number
}

async function membersOf(store: Store, projectId: string, traces: readonly string[]): Promise<Member[]> {
  const where = inTraces(projectId, traces)
  const limit = bind.uint(TRACE_LIMIT + 1)
  const members = await store.rows<Member>(sql`
    SELECT id, parent_id, 0 AS open FROM ${callsOf(projectId)} WHERE ${where} AND parent_id != '' LIMIT ${limit}
    UNION ALL
    SELECT id, parent_id, 1 AS open FROM calls_open WHERE ${where} AND parent_id != '' LIMIT ${limit}`)
  if (members.length > TRACE_LIMIT) throw errors.limitHit('calls in the traces of deleted calls')
  return members
}

/**
 * The members below `roots`, excluding these, in the order to delete them. Nothing finds a call whose parent is gone,
 * so children go first: the calls of a phase are in one table or unrelated, and each phase waits for the previous one.
 * If all are whole calls, there is one phase.
 */
export function descendantsOf(roots: ReadonlySet<string>, members: readonly Member[]): string[][] {
  const children = groupBy(members, (member) => member.parent_id)
  const found = new Map<string, { member: Member; phase: number }>()
  const waiting = [...roots]
  for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
    for (const member of children.get(parent) ?? []) {
      if (roots.has(member.id) || found.has(member.id)) continue
      found.set(member.id, { member, phase: 0 })
      waiting.push(member.id)
    }
  }
  const phases: string[][] = []
  for (const { member, phase } of [...found.values()].reverse()) {
    const above = found.get(member.parent_id)
    if (above && above.member.open === member.open) above.phase = Math.max(above.phase, phase)
    else if (above) above.phase = Math.max(above.phase, Math.min(phase + 1, MAX_PHASES - 1))
    phases[phase] ??= []
    phases[phase].push(member.id)
  }
  return phases
}

function inTraces(projectId: string, traces: readonly string[]): Sql {
  return sql`project_id = ${bind.string(projectId)} AND trace_id IN ${bind.strings(traces)}`
}

async function drop(
  store: Store,
  projectId: string,
  traces: readonly string[],
  ids: readonly string[],
): Promise<void> {
  const cut = (names: readonly string[]) => pieces(names, IDS_A_STATEMENT, writtenBytes, HALF)
  for (const some of cut(ids)) {
    for (const these of cut(traces)) {
      const where = sql`${inTraces(projectId, these)} AND id IN ${bind.strings(some)}`
      await store.run(sql`DELETE FROM ${store.mutable('calls')} WHERE ${where}`, { settings: BY_PATCH })
    }
    // By id only: an end without its start may not know its trace.
    await store.run(
      sql`DELETE FROM ${store.mutable('calls_open')} WHERE project_id = ${bind.string(projectId)} AND id IN ${bind.strings(some)}`,
      { settings: BY_PATCH },
    )
    await deleteTokens(store, projectId, some)
  }
}

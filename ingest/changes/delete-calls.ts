/**
 * Takes calls away, and all that they called in the same trace. What is found last is deleted first, so that a delete
 * that was cut off finds the rest when it is sent again. Knows nothing of requests.
 */
import { bind, type Sql, sql } from '../../common/clickhouse/sql.js'
import type { Store } from '../../common/clickhouse/store.js'
import { errors } from '../../common/errors/catalog.js'
import { BY_PATCH } from '../merge/stored.js'
import { chunks } from '../merge/touched.js'

/** Calls of the traces concerned that are looked at; a trace is rarely larger than a few thousand. */
const TRACE_LIMIT = 500_000
const IDS_A_STATEMENT = 10_000

/** Deletes `ids` and their descendants; returns how many calls that is, unknown ones of `ids` counted too. */
export async function deleteCalls(store: Store, projectId: string, ids: readonly string[]): Promise<number> {
  const requested = new Set(ids)
  const traces = await tracesOf(store, projectId, [...requested])
  if (traces.length === 0) return requested.size
  const descendants = descendantsOf(requested, await membersOf(store, projectId, traces))
  await drop(store, projectId, traces, descendants)
  await drop(store, projectId, traces, [...requested])
  return requested.size + descendants.length
}

async function tracesOf(store: Store, projectId: string, ids: readonly string[]): Promise<string[]> {
  const where = sql`project_id = ${bind.string(projectId)} AND id IN ${bind.strings(ids)}`
  const rows = await store.rows<{ trace_id: string }>(sql`
    SELECT DISTINCT trace_id FROM calls WHERE ${where}
    UNION DISTINCT
    SELECT DISTINCT trace_id FROM calls_open WHERE ${where}`)
  return rows.map(({ trace_id }) => trace_id)
}

interface Member {
  readonly id: string
  readonly parent_id: string
}

async function membersOf(store: Store, projectId: string, traces: readonly string[]): Promise<Member[]> {
  const where = inTraces(projectId, traces)
  const limit = bind.uint(TRACE_LIMIT + 1)
  const members = await store.rows<Member>(sql`
    SELECT id, parent_id FROM calls WHERE ${where} AND parent_id != '' LIMIT ${limit}
    UNION ALL
    SELECT id, parent_id FROM calls_open WHERE ${where} AND parent_id != '' LIMIT ${limit}`)
  if (members.length > TRACE_LIMIT) throw errors.limitHit('calls in the traces of what is deleted')
  return members
}

/** The members below `roots`, without these. */
export function descendantsOf(roots: ReadonlySet<string>, members: readonly Member[]): string[] {
  const children = new Map<string, string[]>()
  for (const { id, parent_id } of members) {
    const siblings = children.get(parent_id)
    if (siblings) siblings.push(id)
    else children.set(parent_id, [id])
  }
  const seen = new Set(roots)
  const found: string[] = []
  const open = [...roots]
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const child of children.get(parent) ?? []) {
      if (seen.has(child)) continue
      seen.add(child)
      found.push(child)
      open.push(child)
    }
  }
  return found
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
  for (const some of chunks(ids, IDS_A_STATEMENT)) {
    const where = sql`${inTraces(projectId, traces)} AND id IN ${bind.strings(some)}`
    await store.run(sql`DELETE FROM ${store.mutable('calls')} WHERE ${where}`, { settings: BY_PATCH })
    // By id alone: an end that waits for its start may not know its trace.
    await store.run(
      sql`DELETE FROM ${store.mutable('calls_open')} WHERE project_id = ${bind.string(projectId)} AND id IN ${bind.strings(some)}`,
      { settings: BY_PATCH },
    )
  }
}

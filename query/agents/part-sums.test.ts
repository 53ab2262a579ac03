/** Lists of agents are the same from sums by part as from the table, whatever happens to the parts. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { agentsQuery, agentVersionsQuery } from '../../contract/agents.js'
import { BY_PATCH } from '../../domain/calls/patch.js'
import { announce } from '../../domain/calls/unsettled.js'
import { READ_LIMITS } from '../../platform/clickhouse/read-limits.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { AgentList } from './agent-list.js'
import { type AgentSums, agentsStatement, versionsStatement } from './agents.js'
import type { Placed } from './grouped.js'
import { partSums } from './part-sums.js'
import { AgentReader } from './read.js'

const project_id = 'acme/sums'
const projectId = projectIdOf(project_id)
const { signal } = new AbortController()
let engine: TestEngine
let store: Store
let reader: AgentReader
let list: AgentList
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('sums')
  reader = new AgentReader(store, READ_LIMITS)
  list = new AgentList(store, reader)
  // Parts stay as they are unless a test merges them.
  await store.run(sql`SYSTEM STOP MERGES calls`)
})
afterAll(() => engine?.stop())

let stored = 0
/** One part of spans, of three agents with two versions. */
async function insert(count: number, more: object = {}): Promise<string[]> {
  const rows = Array.from({ length: count }, () => {
    const n = stored++
    return {
      project_id: projectId,
      id: n.toString(16).padStart(16, '0'),
      trace_id: 't',
      span_kind: 1,
      span_status: n % 5 === 0 ? 2 : 1,
      agent_name: ['Ä', 'b', 'a', ''][n % 4],
      agent_version: String(n % 2),
      operation_name: n % 3 === 0 ? 'invoke_agent' : 'chat',
      input_tokens: n,
      output_tokens: 1,
      started_at: new Date(1_780_000_000_000 + n * 1000).toISOString(),
      ended_at: new Date(1_780_000_000_000 + n * 1500).toISOString(),
      ver: n + 1,
      ...more,
    }
  })
  await store.insertRows('calls', rows)
  return rows.map(({ id }) => id)
}

/** Sums over everything by the statement, and what the lists answer. */
async function expectSame(): Promise<void> {
  const asked = [
    { limit: 100 },
    { limit: 1, offset: 1 },
    { filters: { agent_name: 'b' } },
    { sort_by: [{ field: 'error_count', direction: 'asc' as const }] },
    { sort_by: [{ field: 'span_count' }, { field: 'first_seen' }], limit: 2 },
  ]
  for (const one of asked) {
    const request = agentsQuery.body!.parse({ project_id, ...one })
    const rows = await reader.rows<AgentSums & Placed>(agentsStatement(request), signal)
    const { rows: found, total_count } = await list.agents(request, signal)
    const page = rows.filter(({ place }) => place > request.offset && place <= request.offset + request.limit)
    expect(total_count).toBe(rows[0]?.total ?? 0)
    expect(found.map(shown)).toEqual(page.map(shown))
  }
  const request = agentVersionsQuery.body!.parse({ project_id, agent_name: 'b' })
  const rows = await reader.rows<AgentSums & Placed>(versionsStatement(request), signal)
  const versions = await list.versions(request, signal)
  expect(versions.rows.map((row) => [row.agent_version, shown(row)])).toEqual(
    rows.map((row) => [row.agent_version, shown(row)]),
  )
}

/** What both have of an agent. */
const shown = (row: object) => {
  const { agent_name, span_count, invocation_count, total_input_tokens, total_output_tokens, error_count } =
    row as AgentSums & Placed
  return { agent_name, span_count, invocation_count, total_input_tokens, total_output_tokens, error_count }
}

it('the same, as parts come, are patched and merged', async () => {
  await expectSame()
  await insert(50)
  await expectSame()
  const [first] = await insert(30)
  await expectSame()
  // A part without spans of agents, and one of another project.
  await insert(10, { agent_name: '' })
  await insert(10, { project_id: 'other' })
  await expectSame()
  await store.run(
    sql`DELETE FROM ${store.mutable('calls')} WHERE project_id = ${bind.string(projectId)} AND id = ${bind.string(first!)}`,
    { settings: BY_PATCH },
  )
  await expectSame()
  const [twice] = await insert(5)
  await announce(store, [{ projectId, id: twice!, ver: 1_000_000, kind: 'whole' }])
  stored = Number.parseInt(twice!, 16)
  await insert(1, { ver: 1_000_000 })
  await expectSame()
  await store.run(sql`SYSTEM START MERGES calls`)
  await store.run(sql`OPTIMIZE TABLE calls FINAL`)
  await expectSame()
})

it('a part is read once', async () => {
  const read: number[] = []
  const sums = partSums(store, {
    rows: async (statement, stop) => {
      const rows = await reader.rows<never>(statement, stop)
      if (statement.render().query.includes('_part')) read.push(rows.length)
      return rows
    },
  })
  await store.run(sql`TRUNCATE TABLE calls_unsettled`)
  await store.run(sql`SYSTEM STOP MERGES calls`)
  stored = 1000
  await insert(40)
  const all = await sums.of(projectId, signal)
  expect(await sums.of(projectId, signal)).toEqual(all)
  stored = 2000
  await insert(8)
  await sums.of(projectId, signal)
  expect(read[0]).toBeGreaterThan(0)
  expect(read.slice(1)).toEqual([0, 3])
})

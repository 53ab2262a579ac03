/** Spans and conversations are read as they are, whether calls of the project may have several rows or not. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { agentSearch } from '../../contract/agent-chat.js'
import { agentSpansQuery } from '../../contract/agents.js'
import { announce } from '../../domain/calls/unsettled.js'
import { READ_LIMITS } from '../../platform/clickhouse/read-limits.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { AgentChats } from './chat.js'
import { windowOf } from './identity.js'
import { AgentReader } from './read.js'
import { search } from './search.js'

const project_id = 'acme/reads'
const projectId = projectIdOf(project_id)
const { signal } = new AbortController()
let engine: TestEngine
let store: Store
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('reads')
  // Of rows of one call both stay.
  await store.run(sql`SYSTEM STOP MERGES calls`)
})
afterAll(() => engine?.stop())

const ids = ['00000000000000aa', '00000000000000bb']
const row = (id: string, ver: number, more: object) => ({
  ...{ project_id: projectId, id, trace_id: 't', ver, run_step: id === ids[0] ? 7 : undefined },
  ...{ span_kind: 3, thread_id: 'c', own_conversation: 1, user_id: 'ü' },
  ...{ started_at: '2026-01-01T00:00:00.000001Z', ended_at: '2026-01-01T00:00:02Z' },
  otel_span: JSON.stringify({ name: 'chat', attributes: { gen_ai: { conversation: { id: 'c' } } }, ...more }),
})

it('the newest row of a call, with the same answer before and after it may have several', async () => {
  const reader = new AgentReader(store, READ_LIMITS)
  const chats = new AgentChats(reader)
  const asked = { project_id, include_feedback: false, include_model_tool_calls: false }
  const spans = async () => {
    const one = sql`trace_id = ${bind.string('t')}`
    return (await reader.spansWhere(windowOf(asked), { early: [one] }, undefined, signal)).map(
      ({ span }) => span,
    )
  }
  const chat = () => chats.conversation({ ...asked, conversation_id: 'c', limit: 5, offset: 0 }, signal)
  await store.insertRows(
    'calls',
    ids.map((id, n) => row(id, 1, { name: `chat ${n}` })),
  )
  const [before, chatBefore] = [await spans(), await chat()]
  expect(before).toMatchObject([
    { span_id: ids[0], span_name: 'chat 0', platform_run_step: 7, platform_user_id: 'ü' },
    { span_id: ids[1], span_name: 'chat 1', platform_run_step: null },
  ])
  expect(chatBefore).toMatchObject({ total_turns: 1, turns: [{ root_span_name: 'chat 0' }] })
  await announce(store, [{ projectId, id: ids[1]!, ver: 2, kind: 'whole' }])
  expect([await spans(), await chat()]).toEqual([before, chatBefore])
  await store.insertRows('calls', [row(ids[1]!, 2, { name: 'chat again' })])
  expect((await spans()).map(({ span_name }) => span_name)).toEqual(['chat 0', 'chat again'])
  // It names another conversation now.
  await announce(store, [{ projectId, id: ids[0]!, ver: 3, kind: 'whole' }])
  await store.insertRows(
    'calls',
    ids.map((id) => ({ ...row(id, 3, {}), thread_id: 'd' })),
  )
  expect(await chat()).toMatchObject({ total_turns: 0, turns: [] })
})

it('spans of several traces that have one id and one start, each once', async () => {
  const reader = new AgentReader(store, READ_LIMITS)
  const project = { project_id: 'acme/twins' }
  const traces = ['t1', 't2', 't3']
  const said = { 'gen_ai.input.messages': JSON.stringify([{ role: 'user', content: 'hello' }]) }
  await store.insertRows(
    'calls',
    traces.map((trace_id) => ({
      ...row(ids[0]!, 1, { name: trace_id, attributes: said }),
      ...{ project_id: projectIdOf(project.project_id), trace_id },
    })),
  )
  const pages = [0, 2].map((offset) => agentSpansQuery.body!.parse({ ...project, limit: 2, offset }))
  const listed = await Promise.all(pages.map((page) => reader.spans(page, signal)))
  expect(listed.map(({ spans }) => spans.map(({ trace_id }) => trace_id))).toEqual([['t3', 't2'], ['t1']])
  const { results } = await search(reader, agentSearch.body!.parse({ ...project, query: 'hello' }), signal)
  const matched = results.flatMap(({ matched_messages }) => matched_messages)
  expect(matched.map(({ trace_id }) => trace_id)).toEqual(['t3', 't2', 't1'])
})

it.each([-6, 6])(
  'a span is of the agent and conversation that another of its trace names %i days away',
  async (day) => {
    const reader = new AgentReader(store, READ_LIMITS)
    const project = { project_id: `acme/long-traces${day}` }
    const at = new Date(Date.parse('2026-01-01T00:00:00Z') + day * 86_400_000).toISOString()
    const naming = { ...row(ids[0]!, 1, {}), agent_name: 'planner' }
    const heir = {
      ...row(ids[1]!, 1, { attributes: {} }),
      ...{ thread_id: '', own_conversation: 0, started_at: at, ended_at: at },
    }
    const project_id = projectIdOf(project.project_id)
    await store.insertRows(
      'calls',
      [naming, heir].map((span) => ({ ...span, project_id })),
    )
    const query = { $expr: { $eq: [{ $getField: 'span_id' }, { $literal: ids[1] }] } }
    const { spans } = await reader.spans(agentSpansQuery.body!.parse({ ...project, query }), signal)
    expect(spans).toMatchObject([{ span_id: ids[1], agent_name: 'planner', conversation_id: 'c' }])
  },
)

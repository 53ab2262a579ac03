/** Spans of one trace, over HTTP: in whatever requests they come, the same calls are stored as of one request. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { ReconcileQueue } from '../pipeline/reconcile-queue.js'
import { tenantOf } from '../pipeline/tenant.js'
import { mergeOf } from '../testing/merge.js'
import { newProject, TestService } from '../testing/service.js'
import { type Alone, Inheritance } from './inheritance.js'
import { answeredTwice, uninherited } from './unreconciled.js'
import { Unsettled } from './unsettled.js'

let engine: TestEngine
let store: Store
let service: TestService
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('inheritance')
  service = await TestService.start(store)
})
afterAll(async () => {
  await service?.stop()
  await engine?.stop()
})

const NANOS = BigInt(Date.now()) * 1_000_000n
const TRACE = '0af7651916cd43dd8448eb211c80319c'

type Node = readonly [id: number, parent: number, attributes?: Record<string, string | boolean>]

function spanOf([id, parent, attributes = {}]: Node, traceId = TRACE) {
  const hex = (n: number) => (n === 0 ? '' : n.toString(16).padStart(16, '0'))
  return {
    ...{ traceId, spanId: hex(id), parentSpanId: hex(parent), name: `span ${id}` },
    ...{ startTimeUnixNano: String(NANOS + BigInt(id)), endTimeUnixNano: String(NANOS + BigInt(id + 1000)) },
    attributes: [...Object.entries(attributes), ['n', String(id)] as const].map(([key, value]) => ({
      key,
      value: typeof value === 'string' ? { stringValue: value } : { boolValue: value },
    })),
  }
}

/** Sends the spans, in one request each list, and has them looked at after each. */
async function send(project: string, ...requests: readonly (readonly Node[])[]): Promise<void> {
  for (const nodes of requests) {
    const before = (Date.now() - 1) * 1000
    const body = { resourceSpans: [{ scopeSpans: [{ spans: nodes.map((node) => spanOf(node)) }] }] }
    const answer = await service.post('/v1/traces', body, { project_id: project })
    expect(answer).toMatchObject({ status: 200, body: {} })
    await settle(project, before)
  }
}

async function settle(project: string, since: number, from = store): Promise<void> {
  const mine = sql`project_id = ${bind.string(projectIdOf(project))}`
  const inheritance = inheritanceWith((_, write) => write())
  for await (const traces of uninherited(from, mine, since)) await inheritance.settle(traces)
  for await (const traces of answeredTwice(from, mine, since)) await inheritance.settle(traces)
}

const inheritanceWith = (alone: Alone, most?: number) =>
  new Inheritance(store, new Unsettled(store), alone, most)

async function stored(project: string) {
  const rows = await store.rows<{ leaves: number[]; thread_id: string; turn_id: string }>(sql`
    SELECT id, thread_id, turn_id, attributes, leaves, bytes, own_conversation, has_user, repeats_usage,
      if(otel_shape = '', otel_span, concat(otel_shape, otel_span, otel_origin)) AS span
    FROM calls WHERE project_id = ${bind.string(projectIdOf(project))} ORDER BY started_at, id`)
  return rows.map((row) => ({ ...row, leaves: [...row.leaves].sort() }))
}

const root: Node = [1, 0, { 'session.id': 's', 'user.id': 'ann "é"' }]
const agent: Node = [2, 1]
const model: Node = [3, 2, { 'gen_ai.request.model': 'm', 'input.value': 'q' }]
const tool: Node = [4, 2, { 'metadata.user_id': 'inside' }]
const other: Node = [5, 1, { 'session.id': 'other', 'user.id': 'bob' }]
const below: Node = [6, 5]
const turn: Node = [7, 1, { 'session.id': 's', 'wandb.is_turn': true }]
const same: Node = [8, 1, { 'session.id': 's' }]
const belowSame: Node = [9, 8]
const all = [root, agent, model, tool, other, below, turn, same, belowSame]

it.each<[string, readonly (readonly Node[])[]]>([
  [
    'children first, as exporters send them',
    [[model, tool], [below, belowSame], [agent, other], [same, turn], [root]],
  ],
  ['the root first', [[root], [agent, other, turn], [model, tool, below, same], [belowSame]]],
  ['what lies between last', [[model, tool], [below, belowSame, turn], [root], [agent, other, same]]],
  ['again', [[model, tool], [agent, root], [model, tool, below, belowSame], [other, same, turn], all]],
])('%s', async (_, requests) => {
  const [whole, parts] = [newProject(), newProject()]
  await send(whole, all)
  await send(parts, ...requests)
  const expected = await stored(whole)
  expect(await stored(parts)).toEqual(expected)
  await settle(parts, 0)
  expect(await stored(parts)).toEqual(expected)
  expect(expected.map(({ thread_id, turn_id }) => `${thread_id} ${Number(turn_id)}`)).toEqual([
    ...['s 1', 's 1', 's 1', 's 1', 'other 5', 'other 5', 's 7', 's 1', 's 1'],
  ])
})

it('a trace without sessions and users is left alone', async () => {
  const project = newProject()
  await send(project, [[1, 0]])
  const before = await store.rows(
    sql`SELECT ver FROM calls WHERE project_id = ${bind.string(projectIdOf(project))}`,
  )
  await send(project, [[2, 1]], [[3, 2]])
  expect(
    await store.rows(
      sql`SELECT ver FROM calls WHERE project_id = ${bind.string(projectIdOf(project))} AND id = '0000000000000001'`,
    ),
  ).toEqual(before)
})

it('many traces are looked at in turns, each of them whole', async () => {
  const project = newProject()
  const traces = [1, 2, 3].map((n) => TRACE.replace(/^./, String(n)))
  for (const node of [root, agent, model]) {
    const spans = traces.map((trace) => spanOf(node, trace))
    await service.post(
      '/v1/traces',
      { resourceSpans: [{ scopeSpans: [{ spans }] }] },
      { project_id: project },
    )
  }
  const mine = sql`project_id = ${bind.string(projectIdOf(project))}`
  const inheritance = inheritanceWith((_, write) => write(), 4)
  for await (const found of uninherited(store, mine, 0)) await inheritance.settle(found)
  expect((await stored(project)).map(({ thread_id }) => thread_id)).toEqual(Array(9).fill('s'))
})

it('a large trace is written in pieces, and no write waits for more than one of its own project', async () => {
  const [project, other] = [newProject(), newProject()]
  const below = Array.from({ length: 1_200 }, (_, i): Node => [i + 2, 1])
  const nodes = [below.slice(0, 600), below.slice(600), [root]] as const
  for (const some of nodes) {
    const body = { resourceSpans: [{ scopeSpans: [{ spans: some.map((node) => spanOf(node)) }] }] }
    await service.post('/v1/traces', body, { project_id: project })
  }
  const merge = mergeOf(store)
  const queue = new ReconcileQueue((changes) => merge.reconcile(changes))
  const order: string[] = []
  const waiting: Promise<unknown>[] = []
  const change = { kind: 'span', id: 'x', traceId: TRACE, startedAt: 0, ver: 1 } as const
  const inheritance = inheritanceWith((projectId, write) =>
    queue.change(projectId, tenantOf(project), async () => {
      waiting.push(queue.reconcile([{ ...change, projectId }]).then(() => order.push('own')))
      // Another's is done while this one is under way.
      await queue.reconcile([{ ...change, projectId: projectIdOf(other) }])
      await write()
      order.push('piece')
    }),
  )
  const mine = sql`project_id = ${bind.string(projectIdOf(project))}`
  for await (const traces of uninherited(store, mine, 0)) await inheritance.settle(traces)
  await Promise.all(waiting)
  expect(order.join(' ')).toBe('piece own piece own piece own')
  const rows = await stored(project)
  expect(rows.map(({ thread_id }) => thread_id)).toEqual(Array(1_201).fill('s'))
})

it('where no span lacks anything only counts are read', async () => {
  const project = newProject()
  await send(project, [root, agent, model])
  // Not that of the service, which looks now and then as well.
  const own = store.inBackground()
  const rows = vi.spyOn(own, 'rows')
  await settle(project, 0, own)
  // How many are new, how many lack something, and how many of the new give the usage of an answer.
  expect(rows).toHaveBeenCalledTimes(3)
})

const answer = (more = {}) => ({
  'gen_ai.response.id': 'msg_1',
  'gen_ai.usage.input_tokens': '90',
  'gen_ai.usage.output_tokens': '6',
  ...more,
})
const outer: Node = [2, 1, answer()]
const inner: Node = [3, 2, answer()]
const ofAgent: Node = [4, 1, answer({ 'gen_ai.agent.name': 'Weather' })]
const another: Node = [5, 1, answer({ 'gen_ai.response.id': 'msg_2' })]
const unused: Node = [6, 3, { 'gen_ai.response.id': 'msg_1' }]
const later: Node = [5000, 1, answer()]
const fetched: Node = [6000, 1, answer({ 'gen_ai.operation.name': 'fetch_response' })]

describe('an answer that several spans tell of', () => {
  const one: readonly Node[] = [[1, 0], outer, inner, another, unused, later]
  it.each<[string, readonly (readonly Node[])[], string]>([
    ['in one request', [one], '2'],
    ['in the other order', [one.toReversed()], '2'],
    ['children first', [[unused, inner, another], [outer], [[1, 0], later]], '2'],
    [
      'parents first',
      [
        [[1, 0], outer],
        [later, another],
        [inner, unused],
      ],
      '2',
    ],
    ['again', [one, [outer], [inner], one], '2'],
    ['also of an agent', [[...one, ofAgent]], '2 3'],
    ['of an agent that comes last', [one, [ofAgent]], '2 3'],
    ['fetched later', [[...one, fetched]], '2 6000'],
    ['fetched by another request', [one, [fetched], one], '2 6000'],
  ])('counts once, %s', async (_, requests, repeated) => {
    const project = newProject()
    await send(project, ...requests)
    const rows = await store.rows<{ id: string; repeats: number }>(sql`
      SELECT id, repeats_usage AS repeats FROM calls WHERE project_id = ${bind.string(projectIdOf(project))} ORDER BY id`)
    expect(
      rows
        .filter(({ repeats }) => repeats === 1)
        .map(({ id }) => Number(`0x${id}`))
        .join(' '),
    ).toBe(repeated)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  })
})

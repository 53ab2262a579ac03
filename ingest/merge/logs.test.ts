/** Log records and their span, over HTTP: in whatever order they come, the same call is stored, once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { mergeOf } from '../testing/merge.js'
import { newProject, TestService } from '../testing/service.js'
import type { CallChangeKind, SpanId } from './call-change.js'
import { changesOf, joinedLogs, waitingLogs } from './unreconciled.js'

let engine: TestEngine
let store: Store
let service: TestService
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('logs')
  service = await TestService.start(store)
})
afterAll(async () => {
  await service?.stop()
  await engine?.stop()
})

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'
const NANOS = BigInt(Date.now()) * 1_000_000n
const text = (key: string, value: string) => ({ key, value: { stringValue: value } })

const span = (more: object = {}) => ({
  path: '/v1/traces',
  body: {
    resourceSpans: [
      {
        scopeSpans: [
          {
            spans: [
              {
                ...{ traceId: TRACE, spanId: SPAN, name: 'chat', startTimeUnixNano: String(NANOS) },
                endTimeUnixNano: String(NANOS + 9_000n),
                attributes: [
                  text('gen_ai.request.model', 'm'),
                  { key: 'gen_ai.usage.input_tokens', value: { intValue: 3 } },
                ],
                ...more,
              },
            ],
          },
        ],
      },
    ],
  },
})
const logs = (...records: readonly (readonly [name: string, said: string, after?: bigint])[]) => ({
  path: '/v1/logs',
  body: {
    resourceLogs: [
      {
        scopeLogs: [
          {
            logRecords: records.map(([eventName, said, after = 1000n]) => ({
              ...{ traceId: TRACE, spanId: SPAN, eventName, timeUnixNano: String(NANOS + after) },
              body: { kvlistValue: { values: [text('content', said)] } },
            })),
          },
        ],
      },
    ],
  },
})
type Sent = ReturnType<typeof span> | ReturnType<typeof logs>

async function send(project: string, ...requests: readonly Sent[]): Promise<void> {
  for (const { path, body } of requests)
    expect(await service.post(path, body, { project_id: project })).toMatchObject({ status: 200, body: {} })
}

/** All that is stored of a project, but for versions. */
async function stored(project: string) {
  const rows = await store.rows<Record<string, unknown>>(sql`
    SELECT * EXCEPT (ver, project_id, op_name, expire_at, otel_shape, otel_origin),
      if(otel_shape = '', otel_span, 'as it came') AS otel_span FROM calls
    WHERE project_id = ${bind.string(projectIdOf(project))}`)
  return rows.map(
    (row): Record<string, unknown> => ({ ...row, leaves: [...(row.leaves as number[])].sort() }),
  )
}

const mine = (project: string, found: readonly SpanId[]) =>
  found.filter(({ projectId }) => projectId === projectIdOf(project))
/** Spans of a project whose records wait. */
const waiting = async (project: string) => mine(project, await waitingLogs(store, 0, Number.MAX_SAFE_INTEGER))
async function reconcile(project: string, found: readonly SpanId[], kind: CallChangeKind): Promise<void> {
  await mergeOf(store).reconcile(changesOf(mine(project, found), kind))
}

const asked = logs(['gen_ai.system.message', 'be brief', 500n], ['gen_ai.user.message', 'hi'])
const answered = logs(['gen_ai.choice', 'hello', 2000n])

describe('a span and its log records', () => {
  it('make the same call in any order and however often', async () => {
    const orders: readonly (readonly Sent[])[] = [
      [span(), asked, answered],
      [asked, answered, span()],
      [answered, span(), asked],
      [asked, asked, span(), answered, span(), asked],
      [answered, asked, span(), span(), answered],
    ]
    const made = []
    for (const order of orders) {
      const project = newProject()
      await send(project, ...order)
      expect(await waiting(project)).toEqual([])
      made.push(await stored(project))
      await reconcile(project, await joinedLogs(store, (Date.now() + 60_000) * 1000), 'joined')
      expect(await service.halves(project)).toEqual([])
      expect(await stored(project)).toEqual(made.at(-1))
    }
    expect(made[0]).toMatchObject([
      {
        id: SPAN,
        inputs:
          '{"gen_ai.input.messages":[{"role":"system","content":"be brief"},{"role":"user","content":"hi"}]}',
        output: '{"gen_ai.output.messages":[{"role":"assistant","content":"hello"}]}',
        request_model: 'm',
        input_tokens: 3,
      },
    ])
    for (const [i, one] of made.entries()) expect(one, `order ${i}`).toEqual(made[0])
  })

  it('at the same time, in one batch', async () => {
    const project = newProject()
    await Promise.all([asked, span(), answered].map((request) => send(project, request)))
    expect(await stored(project)).toMatchObject([{ output: expect.stringContaining('hello') }])
    expect(await waiting(project)).toEqual([])
  })

  it('that is sent again, and merged with the call by the engine, keeps them', async () => {
    const project = newProject()
    await send(project, span(), asked)
    await store.run(
      sql`DELETE FROM ${store.mutable('calls')} WHERE project_id = ${bind.string(projectIdOf(project))}`,
    )
    await send(project, span())
    expect(await stored(project)).toMatchObject([{ inputs: expect.stringContaining('be brief') }])
  })

  it('that says itself what went in keeps that', async () => {
    const project = newProject()
    const own = span({ attributes: [text('input.value', 'mine')] })
    await send(project, asked, own, answered)
    expect(await stored(project)).toMatchObject([
      { inputs: '{"input.value":"mine"}', output: expect.stringContaining('hello') },
    ])
  })

  it('of another trace have nothing to do with each other', async () => {
    const project = newProject()
    await send(project, asked, span({ traceId: `1${TRACE.slice(1)}` }))
    expect(await stored(project)).toMatchObject([{ inputs: '{}' }])
    expect(await service.halves(project)).toEqual([`log ${SPAN}`])
  })

  it('stored by two processes are joined by the one that looks', async () => {
    const other = await TestService.start(store)
    try {
      const project = newProject()
      await send(project, span())
      const { path, body } = asked
      expect(await other.post(path, body, { project_id: project })).toMatchObject({ status: 200 })
      await reconcile(project, await waiting(project), 'log')
      // Processes that look at once write the same row, of the same version: the engine merges them.
      const rows = new Map((await stored(project)).map((row) => [JSON.stringify(row), row]))
      expect([...rows.values()]).toMatchObject([{ inputs: expect.stringContaining('be brief') }])
    } finally {
      await other.stop()
    }
  })

  it('that does not come are shown by themselves, until it does', async () => {
    const project = newProject()
    await send(project, asked, answered)
    const lone = async () => reconcile(project, await waiting(project), 'lone')
    const seen = async () => (await service.halves(project)).filter((half) => half.startsWith('start'))
    await lone()
    expect(await seen()).toEqual([`start ${SPAN}`])
    await send(project, logs(['gen_ai.user.message', 'and then?', 3000n]))
    await lone()
    expect(await seen()).toEqual([`start ${SPAN}`])
    const [shown] = await store.rows<{ inputs: string; output: string; op_name: string }>(sql`
      SELECT inputs, output, op_name FROM calls_open WHERE project_id = ${bind.string(projectIdOf(project))} AND kind = 'start'`)
    expect(shown).toMatchObject({ op_name: 'logs', output: expect.stringContaining('hello') })
    expect(shown!.inputs).toContain('and then?')
    await send(project, span())
    expect(await seen()).toEqual([])
    expect(await stored(project)).toMatchObject([{ inputs: expect.stringContaining('and then?') }])
  })

  it('that say how it was judged are feedback on it, once', async () => {
    const project = newProject()
    const attributes = [text('gen_ai.evaluation.name', 'tone'), text('gen_ai.evaluation.score.label', 'kind')]
    const event = { name: 'gen_ai.evaluation.result', timeUnixNano: String(NANOS + 5000n), attributes }
    const judged = logs(['gen_ai.evaluation.result', ''])
    Object.assign(judged.body.resourceLogs[0]!.scopeLogs[0]!.logRecords[0]!, {
      attributes,
      timeUnixNano: event.timeUnixNano,
    })
    await send(project, judged, span({ events: [event] }), judged, span({ events: [event] }))
    const feedback = await store.rows<object>(sql`
      SELECT call_id, feedback_type, payload FROM feedback FINAL
      WHERE project_id = ${bind.string(projectIdOf(project))}`)
    expect(feedback).toEqual([
      { call_id: SPAN, feedback_type: 'wandb.runnable.tone', payload: '{"output":{"label":"kind"}}' },
    ])
  })

  it('by the thousand are bounded, and say so', async () => {
    const project = newProject()
    const many = (from: number) =>
      logs(
        ...Array.from(
          { length: 600 },
          (_, n) => ['gen_ai.user.message', `n${from + n}`, BigInt(from + n)] as const,
        ),
      )
    await send(project, many(600), span(), many(0))
    const [row] = await stored(project)
    const { logs: kept, logs_cut } = JSON.parse(String(row!.otel_span))
    expect(kept).toHaveLength(1000)
    expect(logs_cut).toBe(true)
  })
})

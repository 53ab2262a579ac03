/** What is understood of stored spans, over HTTP and a real engine. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { READ_LIMITS } from '../../platform/clickhouse/read-limits.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { startService, type TestService } from '../testing/service.js'
import { conventionRoutes } from './routes.js'

let service: TestService
const project_id = 'acme/one'
beforeAll(async () => {
  service = await startService((store) => conventionRoutes({ store, limits: READ_LIMITS }))
  const row = (id: string, attributes: object, more: object = {}) => ({
    ...{
      project_id: projectIdOf(project_id),
      id,
      trace_id: 't',
      started_at: '2026-01-01 00:00:00',
      span_kind: 1,
    },
    ...{
      inputs: '{}',
      attributes: '{}',
      summary: '{}',
      otel_span: JSON.stringify({ name: 'n', attributes }),
      ...more,
    },
  })
  const chat = row(
    'a',
    { gen_ai: { request: { model: 'm' } }, my: { own: 1 } },
    { output: '"from its logs"', attributes: '{"model":"m"}', summary: '{"usage":{}}' },
  )
  const large = row('b', { huge: 'x'.repeat(20_000) })
  const noSpan = row('c', { none: 1 }, { span_kind: 0 })
  const columns =
    '(project_id, id, trace_id, started_at, span_kind, inputs, output, attributes, summary, otel_span)'
  await service.store.insertRows(`calls ${columns}`, [chat, large, noSpan])
})
afterAll(() => service?.stop())

it('tells conventions, unknown names and missing parts of the newest spans', async () => {
  const { status, json } = await service.post('/project/conventions', { project_id })
  expect(status).toBe(200)
  expect(json).toMatchObject({
    spans: 1,
    conventions: [{ convention: 'OpenTelemetry GenAI', spans: 1 }],
    unknown_attributes: [{ attribute: 'my.own', spans: 1 }],
  })
  // Its counts have a name that no convention has, and are counts all the same.
  expect(json.missing.map(({ part }: { part: string }) => part)).toEqual(['inputs', 'thread', 'user'])
  const none = await service.post('/project/conventions', { project_id: 'acme/none' })
  expect(none.json).toEqual({ spans: 0, conventions: [], unknown_attributes: [], missing: [] })
})

/** A condition that comes again and again must not be compiled to machine code, which takes the engine half a minute. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../platform/clickhouse/sql.js'
import { queryRoutes } from '../routes.js'
import { startService, type TestService } from '../testing/service.js'

let service: TestService
beforeAll(async () => {
  service = await startService((store) => queryRoutes({ store }))
})
afterAll(() => service.stop())

async function compiled(): Promise<number> {
  const rows = await service.store.rows<{ value: number }>(
    sql`SELECT value FROM system.events WHERE event = 'CompileFunction'`,
  )
  return Number(rows[0]?.value ?? 0)
}

it('a filter asked eight times is interpreted every time', async () => {
  const not = (n: number) => ({ $not: [{ $eq: [{ $getField: 'trace_id' }, { $literal: `x${n}` }] }] })
  const body = {
    project_id: 'acme/one',
    query: { $expr: { $or: Array.from({ length: 20 }, (_, n) => not(n)) } },
  }
  const before = await compiled()
  for (let i = 0; i < 8; i++) expect((await service.post('/calls/stream_query', body)).status).toBe(200)
  expect(await compiled()).toBe(before)
})

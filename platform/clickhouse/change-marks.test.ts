import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { until } from '../../test/support/until.js'
import { sharedTestEngine, type TestEngine } from '../testing/engine.js'
import { ChangeMarks } from './change-marks.js'
import { ident, sql } from './sql.js'

let engine: TestEngine
beforeAll(async () => {
  engine = await sharedTestEngine()
})
afterAll(() => engine?.stop())

it('those who look share a statement, see what is written, and not that another’s table is gone', async () => {
  const store = await engine.database('marks')
  for (const table of ['mine', 'yours'])
    await store.runTrusted(`CREATE TABLE ${table} (n UInt8) ENGINE = MergeTree ORDER BY n`)
  const rows = vi.spyOn(store, 'rows')
  const marks = new ChangeMarks(store)
  const of = (table: string) => marks.of(table, sql`toString(count())`, ident(table))
  const both = () => Promise.all(['mine', 'yours'].map(of))
  expect(await both()).toEqual(['0', '0'])
  await store.insertRows('yours', [{ n: 1 }])
  await until('the row', async () => (await both())[1] === '1')
  // Each may have asked by itself at first.
  const query = rows.mock.lastCall![0].render().query
  expect([query.includes('FROM mine'), query.includes('FROM yours')]).toEqual([true, true])

  await store.runTrusted('DROP TABLE yours')
  await store.insertRows('mine', [{ n: 1 }])
  await until('the other’s row', async () => {
    const [mine, yours] = await Promise.allSettled(['mine', 'yours'].map(of))
    return mine?.status === 'fulfilled' && mine.value === '1' && yours?.status === 'rejected'
  })
})

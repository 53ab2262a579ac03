/** Conditions that a statement does without as long as what it presumes holds. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedTestEngine, type TestEngine } from '../testing/engine.js'
import { bind, covered, presuming, type Sql, sql } from './sql.js'
import { Store } from './store.js'

let engine: TestEngine
let store: Store
const opened: Store[] = []
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.database('presuming')
  await store.runTrusted('CREATE TABLE odd (n UInt64) ENGINE = MergeTree ORDER BY n')
})
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()))
  await engine?.stop()
})

const NONE_ODD = sql`(SELECT throwIf(count() > 0) FROM odd) = 0`
const numbers = (condition: Sql) =>
  sql`SELECT number FROM numbers(${bind.uint(4)}) WHERE ${condition} ORDER BY number`
const even = presuming('odd', NONE_ODD, sql`number NOT IN (SELECT n FROM odd)`)

/** A store that presumes again after so many ms. */
const storeOf = (presumeAgainMs: number) => {
  const made = new Store({ ...engine.optionsOf('presuming'), presumeAgainMs })
  opened.push(made)
  return made
}
const read = async (from: Store) =>
  (await from.rows<{ number: number }>(numbers(even))).map(({ number }) => number)
const streamed = async (from: Store) =>
  Buffer.from(await from.bytes(numbers(even), 'CSV'))
    .toString()
    .trim()
    .split('\n')
    .map(Number)

it('a statement has the check or the condition, each with its own values', () => {
  const piece = presuming('a', sql`check = ${bind.int(1)}`, sql`long = ${bind.string('x')}`)
  const statement = sql`SELECT ${covered(sql`a AND ${piece}`)}, ${piece}, ${bind.uint(7)}`
  expect(statement.render()).toEqual({
    query: 'SELECT a AND long = {p0:String}, long = {p0:String}, {p1:UInt64}',
    ...{ params: { p0: 'x', p1: '7' }, texts: { p0: 'x', p1: '7' }, presumes: [] },
  })
  expect(statement.render(true)).toEqual({
    query: 'SELECT a AND 1, check = {p0:Int64}, {p1:UInt64}',
    ...{ params: { p0: '1', p1: '7' }, texts: { p0: '1', p1: '7' }, presumes: ['a'] },
  })
})

it('rows and streams are those of the condition, whether the check holds or not', async () => {
  const [hopeful, wary] = [storeOf(0), storeOf(1e9)]
  for (const one of [hopeful, wary])
    expect([await read(one), await streamed(one)]).toEqual([
      [0, 1, 2, 3],
      [0, 1, 2, 3],
    ])
  await store.insertRows('odd', [{ n: 1 }, { n: 3 }])
  for (const one of [hopeful, wary])
    expect([await read(one), await streamed(one)]).toEqual([
      [0, 2],
      [0, 2],
    ])
  await store.run(sql`TRUNCATE TABLE odd`)
  for (const one of [hopeful, wary])
    expect([await read(one), await streamed(one)]).toEqual([
      [0, 1, 2, 3],
      [0, 1, 2, 3],
    ])
})

it('a statement that ends so itself fails', async () => {
  const wrong = sql`SELECT throwIf(number = 3) FROM numbers(5) WHERE ${even}`
  await expect(storeOf(0).rows(wrong)).rejects.toMatchObject({ code: 'INTERNAL' })
})

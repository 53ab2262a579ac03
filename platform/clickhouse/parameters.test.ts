import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestEngine, type TestEngine } from '../testing/engine.js'
import { bind, sql } from './sql.js'
import type { Store } from './store.js'

let engine: TestEngine
let store: Store
beforeAll(async () => {
  engine = await startTestEngine()
  store = await engine.database('parameters')
})
afterAll(() => engine?.stop())

const ODD = ["'", '\\', '\t\n\r', "\\'\\n", '`"$&', '\0', 'é€😀', '--x\r\n\r\n', '{p0:String}', '']

/** In the address, beyond what proxies take of one, and beyond what ClickHouse takes. */
it.each([0, 10_000, 300_000])('values arrive as they were, with %s bytes more', async (more) => {
  const texts = [...ODD, ODD.join('').repeat(more / 40)]
  const statement = sql`SELECT ${bind.strings(texts)} AS texts, ${bind.string(texts.join('|'))} AS text,
    ${bind.tuples(['String', 'Int64'], [["'", -7]])} AS tuples, ${bind.int('9007199254740993')} AS int,
    ${bind.floats([1.5, Number.POSITIVE_INFINITY])} AS floats, ${bind.uints([1n])} AS uints, ${bind.string("'")} AS quote`
  const row = {
    ...{ texts, text: texts.join('|'), tuples: [["'", -7]], floats: [1.5, null], uints: [1], quote: "'" },
    int: expect.any(Number),
  }
  expect(await store.rows(statement)).toEqual([row])
  const chunks: Uint8Array[] = []
  for await (const chunk of await store.stream(statement, 'JSONEachRow')) chunks.push(chunk)
  expect(JSON.parse(Buffer.concat(chunks).toString())).toEqual(row)
})

it('a statement that writes takes long values, too', async () => {
  const text = 'é'.repeat(600_000)
  await store.runTrusted('CREATE TABLE written (text String) ENGINE = MergeTree ORDER BY tuple()')
  await store.run(sql`INSERT INTO written SELECT ${bind.string(text)}`)
  expect(await store.rows(sql`SELECT text FROM written`)).toEqual([{ text }])
})

/** The store over the stream of the engine's parent, where no request would reach the engine. */
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../platform/clickhouse/sql.js'
import { Store } from '../../platform/clickhouse/store.js'
import { type Embedded, startEmbedded } from '../start.js'
import { block, newFolder } from './testing/logged-engine.js'

let engine: Embedded
let dataDir: string
beforeEach(async () => {
  dataDir = `${newFolder()}/data`
  engine = await startEmbedded({ dataDir, sessions: 6, logged: [{ table: 't', key: ['id'] }] })
})
afterEach(async () => {
  await engine.stop()
  rmSync(dirname(dataDir), { recursive: true })
})

test('a small insert into a logged table needs no statement; others do, and after the end of the engine nothing is stored', async () => {
  const { url, username, password } = engine
  const near = new Store({ url, username, password })
  const far = new Store({ url: 'http://127.0.0.1:9', appends: () => engine.appends })
  await near.runTrusted('CREATE TABLE t (id UInt64, v String) ENGINE = MergeTree ORDER BY id')
  const insert = (store: Store, id: number) => store.insert('t (id, v)', 'Native', [block([id])])
  await expect(insert(far, 1)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  await insert(near, 2)
  await insert(far, 3)
  await expect(far.insertRows('t', [{ id: 4, v: '' }])).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  expect(await near.rows(sql`SELECT id FROM t ORDER BY id`)).toEqual([{ id: 2 }, { id: 3 }])
  process.kill(engine.pid, 'SIGKILL')
  await engine.exited
  await expect(insert(far, 5)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  await Promise.all([near.close(), far.close()])
})

test('an insert that is given up half-way is not completed by what its memory holds later', async () => {
  const { url, username, password } = engine
  const store = new Store({ url, username, password, appends: () => engine.appends })
  await store.runTrusted('CREATE TABLE t (id UInt64, v String) ENGINE = MergeTree ORDER BY id')
  const insert = (body: Uint8Array, signal?: AbortSignal) =>
    store.insert('t (id, v)', 'Native', [body], signal && { signal })
  for (const id of [1, 2]) await insert(block([id], 'v'))
  // More than the pipe holds, to a process that stands still.
  const large = block([3], 'x'.repeat(800_000))
  process.kill(engine.pid, 'SIGSTOP')
  await expect(insert(large, AbortSignal.timeout(100))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  large.fill('y', 400_000)
  process.kill(engine.pid, 'SIGCONT')
  await insert(block([5], 'v'))
  expect(await store.rows(sql`SELECT id, substring(v, -1) AS v FROM t ORDER BY id`)).toEqual(
    [1, 2, 5].map((id) => ({ id, v: 'v' })),
  )
  await store.close()
})

/** The log of processes on the real engine: whatever is written at the same time, fails or stops, its chains are whole. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { entryOf } from './auditor.js'
import type { Entry } from './line.js'
import { AuditLog } from './log.js'
import { verifyAudit } from './verify.js'

let engine: TestEngine
let store: Store
beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('audit')
})
afterAll(() => engine.stop())

/** With what JSON and SQL escape. */
const event = {
  ...{
    action: 'key_create',
    category: 'access' as const,
    userId: 'u',
    username: "o'ann\\",
    keyId: '\u{1F511}',
  },
  ...{ remoteAddress: '::1', forwardedFor: '', requestId: 'r', entity: 'acme', project: 'acme/é ü' },
  target: { label: 'a\n"b"\t\u0000\u2028', n: 1.5 },
} as const

const entry = (n: number): Entry =>
  entryOf('begin', `id-${n}`, 1_700_000_000_000_000 + n, event, { status: 0, errorCode: '' })

it('writes the lines of the same moment together, into one chain that is whole', async () => {
  const log = new AuditLog(store)
  await log.open()
  await Promise.all(Array.from({ length: 300 }, (_, n) => log.write(entry(n))))
  const moments = await store.rows(sql`SELECT chain, at FROM audit GROUP BY chain, at`)
  expect(moments.length).toBeLessThan(10)
  expect(await verifyAudit(store, [])).toMatchObject({ lines: 301, chains: 1, problems: [] })
})

it('begins a chain for each process, and each tells of those before', async () => {
  const logs = [new AuditLog(store), new AuditLog(store), new AuditLog(store)]
  await Promise.all(logs.flatMap((log) => [1, 2, 3].map((n) => log.write(entry(n)))))
  const before = await verifyAudit(store, [])
  expect([before.chains, before.problems]).toEqual([4, []])
  await new AuditLog(store).open()
  const after = await verifyAudit(store, before.heads)
  // The last one tells of all others.
  expect([after.chains, after.heads.length, after.problems]).toEqual([5, 1, []])
})

it('goes on in another chain after a failure, of which nothing is known', async () => {
  const log = new AuditLog(store)
  await log.write(entry(9001))
  await store.run(sql`RENAME TABLE audit TO audit_away`)
  await expect(log.write(entry(9002))).rejects.toThrow()
  await store.run(sql`RENAME TABLE audit_away TO audit`)
  await log.write(entry(9003))
  const places = await store.rows<{ id: string; seq: number; chain: string }>(
    sql`SELECT id, seq, chain FROM audit WHERE startsWith(id, 'id-900') ORDER BY id`,
  )
  expect(places).toMatchObject([
    { id: 'id-9001', seq: 2 },
    { id: 'id-9003', seq: 2 },
  ])
  expect(places[0]!.chain).not.toBe(places[1]!.chain)
  expect((await verifyAudit(store, [])).problems).toEqual([])
})

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyRow, newestOf, rowsOfBoth, visible, visibleRows } from '../../domain/calls/read/visible.js'
import { announce } from '../../domain/calls/unsettled.js'
import { bind, join, type Sql, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { startTestEngine, type TestEngine } from '../../platform/testing/engine.js'

let engine: TestEngine
let store: Store
const project = projectIdOf('bench/one')
const other = projectIdOf('bench/two')
beforeAll(async () => {
  engine = await startTestEngine()
  store = await engine.migrated('proto')
  for (let part = 0; part < 6; part++)
    for (const [p, n] of [[project, 200_000], [other, 100_000]] as const)
      await store.run(sql`INSERT INTO calls (project_id, id, trace_id, parent_id, op_name, started_at, ended_at, inputs, output, bytes, ver)
        SELECT ${bind.string(p)}, lower(hex(sipHash64(number, ${bind.uint(part)}))), lower(hex(sipHash128(intDiv(number, 10), ${bind.uint(part)}))), if(number % 10 = 0, '', 'p'),
          concat('op', toString(number % 20)), toDateTime64('2026-01-01', 6, 'UTC') + INTERVAL (number * 6 + ${bind.uint(part)}) * 10000 MICROSECOND,
          toDateTime64('2026-01-02', 6, 'UTC'), '{"q": "text text text"}', repeat('x', 200), 300, 1
        FROM numbers(${bind.uint(n)})`)
}, 300_000)
afterAll(() => engine?.stop())

function pidOf(): number {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      if (readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('clickhouse-embedded/main.js') && readFileSync(`/proc/${name}/stat`, 'utf8').split(' ')[3] === String(process.pid)) return Number(name)
    } catch {}
  }
  return 0
}
const pid = () => (the ??= pidOf())
let the: number | undefined
const cpu = () => {
  const f = readFileSync(`/proc/${pid()}/stat`, 'utf8').replace(/.*\) /, '').split(' ')
  return (Number(f[11]) + Number(f[12])) * 10
}

type Rows = (columns: Sql, conditions: readonly Sql[]) => Sql
const here = sql`project_id = ${bind.string(project)}`
const final: Rows = (columns, conditions) => sql`SELECT ${columns} FROM calls FINAL WHERE ${join([here, ...conditions], sql` AND `)}`
const limitBy: Rows = (columns, conditions) => sql`SELECT ${columns} FROM (SELECT * FROM calls WHERE ${join([here, ...conditions], sql` AND `)} ORDER BY ver DESC LIMIT 1 BY id)`
const argMaxed: Rows = (columns, conditions) => sql`SELECT ${columns} FROM calls WHERE ${join([here, ...conditions, sql`(id, ver) IN (SELECT id, max(ver) FROM calls WHERE ${here} GROUP BY id)`], sql` AND `)}`
const present: Rows = (columns, conditions) => sql`SELECT ${columns} ${visible('calls', project, conditions)}`
const everything: Rows = (columns, conditions) => sql`SELECT ${columns} ${everyRow('calls', project, conditions)}`

const QUESTIONS: [string, (rows: Rows) => Sql][] = [
  ['count', (rows) => sql`SELECT count() FROM (${rows(sql`1`, [])})`],
  ['count, one op', (rows) => sql`SELECT count() FROM (${rows(sql`1`, [sql`op_name = 'op3'`])})`],
  ['sum of bytes by op', (rows) => sql`SELECT op_name, sum(bytes) FROM (${rows(sql`op_name, bytes`, [])}) GROUP BY op_name ORDER BY op_name`],
  ['newest 100', (rows) => sql`${rows(sql`id, started_at, ver`, [])} ORDER BY started_at DESC, id DESC LIMIT 100`],
  ['one trace', (rows) => sql`${rows(sql`id, output`, [sql`trace_id = lower(hex(sipHash128(toUInt64(77), toUInt64(2))))`])} ORDER BY id`],
]
const KINDS: [string, Rows][] = [['no rule', everything], ['present', present], ['FINAL', final], ['LIMIT 1 BY', limitBy], ['max(ver) by id', argMaxed]]

test('measure', async () => {
  const lines: string[] = [`pid ${pid()}`]
  for (const unsettled of [0, 100, 2000]) {
    if (unsettled > 0) {
      const ids = await store.rows<{ id: string }>(sql`SELECT id FROM calls WHERE ${here} LIMIT ${bind.uint(unsettled)}`)
      await announce(store, ids.map(({ id }) => ({ projectId: project, id, ver: 1, kind: 'whole' as const })))
    }
    for (const [name, ask] of QUESTIONS) {
      const used = new Map<string, number[]>()
      const walls = new Map<string, number[]>()
      for (let round = 0; round < 7; round++)
        for (const [kind, rows] of KINDS) {
          if (kind.startsWith('max') && round > 2) continue
          const statement = ask(rows)
          const n = name.startsWith('newest') || name.startsWith('one') || name === 'count' ? 5 : 2
          const before = cpu()
          const t = performance.now()
          for (let i = 0; i < n; i++) await store.rows(statement)
          walls.set(kind, [...(walls.get(kind) ?? []), (performance.now() - t) / n])
          used.set(kind, [...(used.get(kind) ?? []), (cpu() - before) / n])
        }
      const med = (a: number[]) => a.sort((x, y) => x - y)[a.length >> 1]!
      lines.push(`${unsettled} unsettled, ${name}: ` + KINDS.map(([k]) => `${k} cpu ${med(used.get(k)!).toFixed(0)} wall ${med(walls.get(k)!).toFixed(0)}`).join(' | '))
      writeFileSync('/tmp/proto.txt', lines.join('\n') + '\n')
    }
  }
  void newestOf; void rowsOfBoth; void visibleRows
  expect(1).toBe(1)
}, 600_000)

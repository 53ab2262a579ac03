/** Masking of a process on the real engine: what rows become, how fast others learn of a rule, what is counted. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MaskRule } from '../../contract/masking.js'
import { TABLES } from '../../platform/clickhouse/cluster.js'
import { bind, sql } from '../../platform/clickhouse/sql.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { asCaller } from '../../platform/fairness/caller.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { until } from '../../test/support/until.js'
import { COLUMNS } from './columns.js'
import { Masks } from './masks.js'
import { countsOf, saveRules } from './table.js'

let engine: TestEngine
let plain: Store
let masks: Masks
beforeAll(async () => {
  engine = await sharedTestEngine()
  plain = await engine.migrated('masks')
  masks = new Masks(plain)
  await masks.start()
})
afterAll(async () => {
  await masks.stop()
  await engine.stop()
})

const rule = (given: object) => MaskRule.parse({ name: 'mail', detector: 'email', ...given })
const save = (scope: string, ...rules: MaskRule[]) =>
  saveRules(plain, { scope, rules, salt: `salt of ${scope}`, userId: 'u' })
const payload = 'to ann@example.com'
const rowOf = (project: string) => ({ project_id: projectIdOf(project), payload, creator: payload })

it('every column of texts is decided about', async () => {
  const found = await plain.rows<{ table: string; name: string }>(
    sql`SELECT table, name FROM system.columns WHERE database = currentDatabase() AND type LIKE '%String%' ORDER BY table, name`,
  )
  const decided = TABLES.flatMap((table) =>
    [...COLUMNS[table].texts, ...COLUMNS[table].kept].map((name) => `${table}.${name}`),
  )
  expect(decided.sort()).toEqual(found.map(({ table, name }) => `${table}.${name}`).sort())
})

describe('rows', () => {
  it('are the same where there are no rules', async () => {
    const rows = [rowOf('a/b')]
    expect(masks.isActive).toBe(false)
    expect(await masks.rows('feedback', rows)).toBe(rows)
  })

  it('become what the rules of their project, entity and everybody say, and names stay', async () => {
    await save('ent/own', rule({ label: 'OWN' }))
    await save('ent', rule({ label: 'ENT' }))
    await masks.refresh()
    const projects = ['ent/own', 'ent/else', 'other/p']
    const rows = await masks.rows('feedback', projects.map(rowOf))
    expect(rows.map((row) => [row.payload, row.creator])).toEqual([
      ['to [OWN]', payload],
      ['to [ENT]', payload],
      [payload, payload],
    ])
  })

  it('of a project that nobody has named are masked by the rules of every entity', async () => {
    const [row] = await masks.rows('feedback', [{ project_id: 'f'.repeat(24), payload }])
    expect(row?.payload).toBe('to [ENT]')
  })

  it('of no project are masked by the rules of who writes them', async () => {
    const write = () => masks.rows('responses', [{ project_id: '', content: payload }])
    expect((await asCaller('ent/key', write))[0]?.content).toBe('to [ENT]')
    expect((await asCaller('other/key', write))[0]?.content).toBe(payload)
  })

  it('may be bytes; what is no text stays', async () => {
    const project_id = projectIdOf('ent/own')
    const contents = [
      Buffer.from(payload),
      Buffer.from(`${payload}\0`),
      Buffer.from([0xff, ...Buffer.from(payload)]),
    ]
    const rows = await masks.rows(
      'files',
      contents.map((content) => ({ project_id, content })),
    )
    expect(rows.map(({ content }) => content.toString('latin1'))).toEqual([
      'to [OWN]',
      ...contents.slice(1).map((content) => content.toString('latin1')),
    ])
  })

  it('of tokens, which are texts too, are left out', async () => {
    const tokens = ['ent/own', 'other/p'].map((name) => ({
      project_id: projectIdOf(name),
      call_id: 'c',
      prompt: [1],
    }))
    expect(await masks.rows('call_tokens', tokens)).toEqual([tokens[1]])
  })

  it('are masked on their way into the store', async () => {
    const store = plain.changing(masks)
    await store.insertRows('annotation_queues', [
      { project_id: projectIdOf('ent/own'), id: 'q', name: payload, ver: 1 },
    ])
    expect(await plain.rows(sql`SELECT name FROM annotation_queues`)).toEqual([{ name: 'to [OWN]' }])
  })
})

it('a rule that one process saves holds in others, and so does its end', async () => {
  const other = new Masks(plain, { policy: 'pii-v1' })
  await other.start()
  const masked = async () => (await other.rows('feedback', [rowOf('late/p')]))[0]?.payload
  expect(await masked()).toBe('to ***************')
  await save('late/p', rule({ label: 'LATE' }))
  await until('the rule', async () => (await masked()) === 'to [LATE]')
  await save('late/p')
  await until('its end', async () => (await masked()) === 'to ***************')
  await other.stop()
})

it('counts add up over processes, and are written again and again', async () => {
  const other = new Masks(plain)
  await other.refresh()
  for (const one of [masks, other, masks]) {
    await one.rows('feedback', [rowOf('ent/counted')])
    await one.flush()
  }
  const counts = await countsOf(plain, 1, sql`${bind.string(projectIdOf('ent/counted'))}`)
  expect(counts).toMatchObject([{ scope: 'ent', rule: 'mail', matches: 3 }])
  await other.stop()
})

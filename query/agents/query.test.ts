/** Conditions on custom attributes: what they find, by the type of what stands beside them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentSpansQuery } from '../../contract/agents.js'
import { READ_LIMITS } from '../../platform/clickhouse/read-limits.js'
import type { Store } from '../../platform/clickhouse/store.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { sharedTestEngine, type TestEngine } from '../../platform/testing/engine.js'
import { AgentReader } from './read.js'

const project_id = 'acme/conditions'
const { signal } = new AbortController()
let engine: TestEngine
let store: Store

/** By the name of a span, its attributes. */
const SPANS: Record<string, object> = {
  prod: { env: 'prod', retries: 3, vip: true },
  dev: { env: 'dev', retries: '3', score: 0.5 },
  bare: { user: { tier: 'gold' } },
}

beforeAll(async () => {
  engine = await sharedTestEngine()
  store = await engine.migrated('conditions')
  await store.insertRows(
    'calls',
    Object.entries(SPANS).map(([name, attributes], n) => ({
      ...{ project_id: projectIdOf(project_id), id: n.toString(16).padStart(16, '0'), trace_id: 't', ver: 1 },
      ...{ span_kind: 1, input_tokens: 100, otel_span: JSON.stringify({ name, attributes }) },
      ...{ started_at: '2026-01-01T00:00:00Z', ended_at: '2026-01-01T00:00:01Z' },
    })),
  )
})
afterAll(() => engine?.stop())

async function found($expr: object): Promise<string[]> {
  const request = agentSpansQuery.body!.parse({ project_id, query: { $expr } })
  const { spans } = await new AgentReader(store, READ_LIMITS).spans(request, signal)
  return spans.map(({ span_name }) => span_name!).sort()
}

const field = ($getField: string) => ({ $getField })
const is = (name: string, $literal: unknown) => ({ $eq: [field(name), { $literal }] })

describe('finds', () => {
  it.each<[string, object, string[]]>([
    ['a text', is('env', 'prod'), ['prod']],
    ['no span without the attribute by a negation', { $not: [is('env', 'prod')] }, ['dev']],
    ['the same where the type is named', { $not: [is('custom_attrs_string.env', 'prod')] }, ['dev']],
    ['a number where a number is asked for', is('retries', 3), ['prod']],
    ['a text where a text is asked for', is('retries', '3'), ['dev']],
    ['a number of either form', { $gt: [field('score'), { $literal: 0 }] }, ['dev']],
    ['a truth', is('vip', true), ['prod']],
    ['a truth on its own', { $and: [field('vip')] }, ['prod']],
    ['what is null in all forms', is('retries', null), ['bare']],
    ['one of a list', { $in: [field('env'), [{ $literal: 'dev' }, { $literal: 'x' }]] }, ['dev']],
    ['a part of a text', { $contains: { input: field('env'), substr: { $literal: 'ro' } } }, ['prod']],
    ['a nested one', is('user.tier', 'gold'), ['bare']],
    [
      'what a conversion has',
      { $eq: [{ $convert: { input: field('retries'), to: 'exists' } }, { $literal: true }] },
      ['dev', 'prod'],
    ],
    ['one beside a field', { $eq: [field('env'), field('span_name')] }, ['dev', 'prod']],
    ['no number of a field by a text', is('input_tokens', '100'), []],
  ])('%s', async (_name, expr, names) => expect(await found(expr)).toEqual(names))
})

describe('refuses', () => {
  const null_ = { $literal: null }
  it.each<[string, object]>([
    ['two names that are no fields', { $eq: [field('nobody'), field('nothing')] }],
    ['an order with null', { $gt: [field('input_tokens'), null_] }],
    ['an order with null under a negation', { $not: [{ $lte: [null_, field('env')] }] }],
    ['a list of two types', { $in: [field('retries'), [{ $literal: 3 }, { $literal: '3' }]] }],
    ['a list with null', { $in: [field('retries'), [null_]] }],
    ['an empty list', { $in: [field('retries'), []] }],
  ])('%s', async (_name, expr) => {
    await expect(found(expr)).rejects.toMatchObject({ status: 400 })
  })
})

/** Contract §2.1, expand_columns: values replaced by what refs point at, filters and sorts through them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReads } from '../../cli/serve/reads.js'
import { writeCalls } from '../testing/calls.js'
import { startService, type TestService } from '../testing/service.js'

// biome-ignore lint/suspicious/noExplicitAny: tests look into lines of every shape
type Row = Record<string, any>
let service: TestService
const project_id = 'acme/one'
const refs: Record<string, string> = {}

async function object(name: string, val: unknown, project = project_id): Promise<string> {
  const answer = await service.post('/obj/create', { obj: { project_id: project, object_id: name, val } })
  return `weave:///${project}/object/${name}:${answer.json.digest}`
}

beforeAll(async () => {
  service = await startService((store) => createReads({ store, version: '' }).routes)
  refs.prompt = await object('prompt', { text: 'be brief', n: 1 })
  refs.small = await object('small', { name: 'small', size: 3, prompt: refs.prompt })
  refs.large = await object('large', { name: 'large', size: 20, 'a.b': 'dotted' })
  refs.empty = await object('empty', {})
  refs.text = await object('text', 'just text')
  refs.secret = await object('secret', { name: 'secret' }, 'other/two')
  const input = (id: string, second: number, inputs: object) => ({
    id,
    started_at: `2026-01-01T00:00:0${second}Z`,
    ended_at: '2026-01-01T00:01:00Z',
    inputs: JSON.stringify(inputs),
  })
  await writeCalls(service.store, project_id, [
    input('small', 1, { model: refs.small, k: 1 }),
    input('large', 2, { model: refs.large, k: 2 }),
    input('gone', 3, { model: 'weave:///acme/one/object/gone:abc' }),
    input('no ref', 4, { model: 'plain' }),
    input('path', 5, { model: `${refs.small}/attr/name`, deep: { list: [{ m: refs.empty }] } }),
    input('secret', 6, { model: refs.secret, k: 6 }),
    { ...input('output', 7, { k: 7 }), output: JSON.stringify(refs.text) },
    { ...input('open', 8, { model: refs.large }), half: 'start' as const },
  ])
}, 120_000)
afterAll(() => service?.stop())

const ask = (more: object, headers: Record<string, string> = {}) =>
  service.send('POST', '/calls/stream_query', { project_id, ...more }, headers)
const rows = async (more: object, headers = {}): Promise<Row> => {
  const answer = await ask(more, headers)
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  const lines = answer.text.split('\n').filter(Boolean)
  return Object.fromEntries(lines.map((line) => [JSON.parse(line).id, JSON.parse(line)]))
}
const ids = async (more: object, headers = {}) => Object.keys(await rows(more, headers))
const eq = (field: string, value: unknown) => ({
  query: { $expr: { $eq: [{ $getField: field }, { $literal: value }] } },
})

describe('values', () => {
  it('are what the refs point at, with the ref inside', async () => {
    const found = await rows({ expand_columns: ['inputs.model'] })
    expect(found.small.inputs).toEqual({
      model: { _ref: refs.small, name: 'small', size: 3, prompt: refs.prompt },
      k: 1,
    })
    expect(found.open.inputs.model).toMatchObject({ _ref: refs.large, name: 'large' })
    expect(found.gone.inputs.model).toBe('weave:///acme/one/object/gone:abc')
    expect(found['no ref'].inputs.model).toBe('plain')
    expect(found.path.inputs.model).toBe('small')
  })
  it('go on from the shallowest', async () => {
    const found = await rows({ expand_columns: ['inputs.model.prompt', 'inputs.model'] })
    expect(found.small.inputs.model.prompt).toEqual({ _ref: refs.prompt, text: 'be brief', n: 1 })
    expect(found.large.inputs.model.prompt).toBeUndefined()
  })
  it('stand in lists, and in output', async () => {
    const found = await rows({ expand_columns: ['inputs.deep.list.0.m', 'output'] })
    expect(found.path.inputs.deep.list).toEqual([{ m: { _ref: refs.empty } }])
    expect(found.output.output).toBe('just text')
  })
  it('stay out where they are not wanted', async () => {
    const found = await rows({ expand_columns: ['inputs.model'], return_expanded_column_values: false })
    expect(found.small.inputs.model).toBe(refs.small)
  })
  it('of projects that the key may not read stay refs', async () => {
    const one = await rows({ expand_columns: ['inputs.model'] }, { authorization: 'Bearer one' })
    expect(one.secret.inputs.model).toBe(refs.secret)
    expect(one.small.inputs.model.name).toBe('small')
    expect((await rows({ expand_columns: ['inputs.model'] })).secret.inputs.model.name).toBe('secret')
  })
  it('come in pages too', async () => {
    const sort_by = [{ field: 'op_name' }, { field: 'started_at' }]
    expect(
      (await rows({ expand_columns: ['inputs.model'], limit: 1, sort_by })).small.inputs.model.size,
    ).toBe(3)
  })
})

describe('filters and sorts', () => {
  const expand_columns = ['inputs.model', 'inputs.model.prompt']
  it.each<[string, object, string[]]>([
    ['text', eq('inputs.model.name', 'small'), ['small']],
    ['number', eq('inputs.model.size', 20), ['large', 'open']],
    ['two refs on the way', eq('inputs.model.prompt.text', 'be brief'), ['small']],
    ['an escaped dot', eq('inputs.model.a\\.b', 'dotted'), ['large', 'open']],
    ['a ref itself', eq('inputs.model', 'plain'), ['no ref']],
    [
      'what is not there is missing',
      eq('inputs.model.none', ''),
      ['small', 'large', 'gone', 'no ref', 'path', 'secret', 'output', 'open'],
    ],
  ])('%s', async (_name, query, expected) => {
    expect(await ids({ expand_columns, ...query })).toEqual(expected)
    const count = await service.post('/calls/query_stats', { project_id, expand_columns, ...query })
    expect(count.json.count).toBe(expected.length)
  })
  it('never tell of projects that the key may not read', async () => {
    const query = eq('inputs.model.name', 'secret')
    expect(await ids({ expand_columns, ...query })).toEqual(['secret'])
    expect(await ids({ expand_columns, ...query }, { authorization: 'Bearer one' })).toEqual([])
  })
  it('sort by what is there', async () => {
    const found = await ids({ expand_columns, sort_by: [{ field: 'inputs.model.size', direction: 'desc' }] })
    expect(found.slice(0, 3)).toEqual(['open', 'large', 'small'])
  })
  it('without the column in expand_columns see the text alone', async () => {
    expect(await ids(eq('inputs.model.name', 'small'))).toEqual([])
  })
  it('refuse columns that hold no refs', async () => {
    for (const column of ['op_name', '', 'summary.x'])
      expect((await ask({ expand_columns: [column] })).status).toBe(422)
  })
})

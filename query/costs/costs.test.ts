/** Contract §6 in the real engine: prices of a project, the default level, and what calls cost by them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReads } from '../../cli/serve/reads.js'
import { type TestCall, writeCalls } from '../testing/calls.js'
import { startService, type TestService } from '../testing/service.js'
import { isOldList, loadPrices, type PriceList, parsePrices, shippedPrices } from './default-prices.js'

let service: TestService
beforeAll(async () => {
  service = await startService((store) => createReads({ store, version: '' }).routes)
})
afterAll(() => service.stop())

const project_id = 'acme/prices'
const price = (prompt_token_cost: number, more: object = {}) => ({
  prompt_token_cost,
  completion_token_cost: 1,
  ...more,
})
const create = (costs: object, project = project_id) =>
  service.post('/cost/create', { project_id: project, costs })
const query = (more: object = {}, project = project_id) =>
  service.post('/cost/query', { project_id: project, ...more })
const purge = (expr: object, project = project_id) =>
  service.post('/cost/purge', { project_id: project, query: { $expr: expr } })
const id = { $getField: 'id' }
const literal = (value: unknown) => ({ $literal: value })
const models = async (more: object = {}, project = project_id) =>
  (await query(more, project)).json.results.map((row: { llm_id: string }) => row.llm_id)

describe('prices of a project', () => {
  const made: Record<string, string> = {}
  beforeAll(async () => {
    const before = Date.now()
    const { json, status } = await create({
      cheap: price(0.5),
      dear: price(2, {
        completion_token_cost: 3,
        cache_read_input_token_cost: 0.25,
        cache_creation_input_token_cost: 4,
        prompt_token_cost_unit: 'EUR',
        completion_token_cost_unit: null,
        effective_date: '2026-01-02T03:04:05+01:00',
        provider_id: 'p',
      }),
    })
    expect(status).toBe(200)
    for (const [costId, model] of json.ids) made[model] = costId
    expect(Object.keys(made)).toEqual(['cheap', 'dear'])
    const { results } = (await query()).json
    expect(Date.parse(results[0].effective_date)).toBeGreaterThanOrEqual(before)
  })

  it('have defaults', async () =>
    expect((await query()).json.results[0]).toMatchObject({
      llm_id: 'cheap',
      prompt_token_cost: 0.5,
      cache_read_input_token_cost: 0,
      prompt_token_cost_unit: 'USD',
      provider_id: 'default',
    }))

  it('are given back as they are', async () =>
    expect((await query({ query: { $expr: { $eq: [id, literal(made.dear)] } } })).json.results).toEqual([
      {
        id: made.dear,
        llm_id: 'dear',
        prompt_token_cost: 2,
        completion_token_cost: 3,
        cache_read_input_token_cost: 0.25,
        cache_creation_input_token_cost: 4,
        prompt_token_cost_unit: 'EUR',
        completion_token_cost_unit: 'USD',
        effective_date: '2026-01-02T02:04:05Z',
        provider_id: 'p',
      },
    ]))

  it.each<[string, object, string[]]>([
    ['everything', {}, ['cheap', 'dear']],
    [
      'the SDK\'s "everything"',
      { query: { $expr: { $eq: [literal('1'), literal('1')] } } },
      ['cheap', 'dear'],
    ],
    ['a model', { query: { $expr: { $in: [{ $getField: 'llm_id' }, [literal('dear')]] } } }, ['dear']],
    ['a price', { query: { $expr: { $gt: [{ $getField: 'prompt_token_cost' }, literal(1)] } } }, ['dear']],
    ['by price', { sort_by: [{ field: 'prompt_token_cost', direction: 'desc' }] }, ['dear', 'cheap']],
    ['by date', { sort_by: [{ field: 'effective_date', direction: 'asc' }] }, ['dear', 'cheap']],
    ['one', { limit: 1 }, ['cheap']],
    ['the next', { limit: 1, offset: 1 }, ['dear']],
    ['from the second', { offset: 1 }, ['dear']],
    ['none', { limit: 0 }, []],
    ['nulls', { fields: null, query: null, sort_by: null, limit: null, offset: null }, ['cheap', 'dear']],
  ])('are listed: %s', async (_, request, expected) => expect(await models(request)).toEqual(expected))

  it('come with the fields that were asked for', async () => {
    const [row] = (await query({ fields: ['llm_id'] })).json.results
    expect(row).toMatchObject({ llm_id: 'cheap', id: null, prompt_token_cost: null, effective_date: null })
  })

  it.each<[string, string, object]>([
    ['a field that there is not', '/cost/query', { fields: ['nope'] }],
    ['a filter by none', '/cost/query', { query: { $expr: { $eq: [{ $getField: "a' --" }, literal(1)] } } }],
    ['a sort by none', '/cost/query', { sort_by: [{ field: 'nope', direction: 'asc' }] }],
    ['a negative price', '/cost/create', { costs: { m: price(-1) } }],
    ['a price that is a text', '/cost/create', { costs: { m: { ...price(1), completion_token_cost: 'x' } } }],
    ['a price out of reach', '/cost/create', { costs: { m: price(1e300) } }],
    ['no price', '/cost/create', { costs: { m: {} } }],
    ['a date that is none', '/cost/create', { costs: { m: price(1, { effective_date: 'soon' }) } }],
    ['a model without a name', '/cost/create', { costs: { '': price(1) } }],
    ['no query', '/cost/purge', {}],
  ])('refuse %s', async (_, path, body) =>
    expect((await service.post(path, { project_id, ...body })).status).toBe(422),
  )

  it.each<[string, object]>([
    ['another field', { $eq: [{ $getField: 'llm_id' }, literal('cheap')] }],
    ['everything', { $eq: [literal('1'), literal('1')] }],
    ['another operator', { $gt: [id, literal('')] }],
    ['a number', { $eq: [id, literal(1)] }],
    [
      'a part of it being another',
      { $or: [{ $eq: [id, literal('x')] }, { $not: [{ $eq: [id, literal('x')] }] }] },
    ],
  ])('are not purged by %s', async (_, expr) => {
    expect((await purge(expr)).status).toBe(400)
    expect(await models()).toEqual(['cheap', 'dear'])
  })

  it("are nobody else's to see, change or purge", async () => {
    expect(await models({}, 'acme/other')).toEqual([])
    expect((await purge({ $eq: [id, literal(made.dear)] }, 'acme/other')).json).toEqual({})
    expect(await models()).toEqual(['cheap', 'dear'])
    const as = (key: string, path: string, body: object) =>
      service.send('POST', path, { project_id, ...body }, { authorization: `Bearer ${key}` })
    expect((await as('one', '/cost/query', {})).status).toBe(403)
    expect((await as('reader', '/cost/query', {})).status).toBe(200)
    expect((await as('reader', '/cost/create', { costs: { m: price(1) } })).status).toBe(403)
  })

  it('are purged by id', async () => {
    const { ids } = (await create({ a: price(1), b: price(1), c: price(1) })).json
    const [a, b, c] = ids.map(([one]: string[]) => one)
    expect((await purge({ $eq: [id, literal(a)] })).json).toEqual({})
    expect(await models()).toEqual(['cheap', 'dear', 'b', 'c'])
    await purge({ $or: [{ $in: [id, [literal(b), literal('gone')]] }, { $eq: [id, literal(c)] }] })
    expect(await models()).toEqual(['cheap', 'dear'])
  })

  it('may be none', async () => expect((await create({})).json).toEqual({ ids: [] }))
})

const defaults = async () => (await service.post('/cost/defaults', { project_id })).json
const list = (as_of: string, ...prices: PriceList['prices']): PriceList =>
  parsePrices(JSON.stringify({ ...shippedPrices(), as_of, prices }))

describe('the default level', () => {
  it('is loaded once', async () => {
    const shipped = shippedPrices()
    expect(await loadPrices(service.store, shipped)).toBe(shipped.prices.length)
    expect(await loadPrices(service.store, shipped)).toBe(0)
    expect(await loadPrices(service.store, list('2026-06-01', ['x', 'default-model', 2, 4, 1, 3]))).toBe(1)
  })
  it('takes from a newer list what is new in it', async () => {
    const before = await defaults()
    const changed = shippedPrices().prices.map(([provider, model, ...price]) =>
      model === 'gpt-4o'
        ? ([provider, model, 1, 2] as [string, string, number, number])
        : ([provider, model, ...price] as PriceList['prices'][number]),
    )
    expect(await loadPrices(service.store, list('2027-01-31', ...changed))).toBe(1)
    expect(await defaults()).toEqual({ ...before, as_of: '2027-01-31' })
  })
  it.each([
    ['2026-12-01', '2027-03-31', false],
    ['2026-12-01', '2027-04-01', true],
  ])('is old after 120 days: %s on %s', (as_of, today, isOld) =>
    expect(isOldList(as_of, Date.parse(today))).toBe(isOld),
  )
  it('is in no project', async () => expect(await models()).toEqual(['cheap', 'dear']))
  it.each([
    ['what is no JSON', 'prices'],
    ['another unit', JSON.stringify({ ...shippedPrices(), unit: 'EUR' })],
    [
      'a step of no length',
      JSON.stringify({ ...shippedPrices(), prices: [['x', 'm', 1, 1, 1, 1, [[0, 1, 1]]]] }),
    ],
    ['a negative price', JSON.stringify({ ...shippedPrices(), prices: [['x', 'm', -1, 0, 0, 0]] })],
  ])('refuses %s', (_, text) => expect(() => parsePrices(text)).toThrow())
})

describe('calls with costs', () => {
  const project = 'acme/spent'
  const at = (day: string, hour = 0) => `2026-${day}T0${hour}:00:00Z`
  const call = (name: string, started_at: string, usage: object): TestCall => ({
    id: name,
    started_at,
    ended_at: started_at,
    summary: JSON.stringify({ usage, mine: 1 }),
  })
  const used = { prompt_tokens: 10, completion_tokens: 5, requests: 1 }
  beforeAll(async () => {
    await loadPrices(service.store, list('2026-06-01', ['x', 'default-model', 2, 4, 1, 3]))
    await create({ m: price(2, { effective_date: at('02-01') }) }, project)
    await create({ m: price(3, { effective_date: at('03-01') }) }, project)
    await create({ 'over "default"': price(7, { effective_date: at('01-01') }) }, project)
    await loadPrices(service.store, list('2026-02-15', ['x', 'm', 1e6, 1e6, 1e6, 1e6]))
    await writeCalls(service.store, project, [
      call('between', at('02-20'), { m: used }),
      call('after', at('04-01'), { m: used }),
      call('before any', at('01-05'), { m: used }),
      call('default', at('07-01'), {
        'default-model': {
          input_tokens: 10,
          output_tokens: 5,
          cache_read_input_tokens: 3,
          cache_creation_input_tokens: 2,
        },
      }),
      call('two models', at('04-02'), { m: used, 'over "default"': used, unknown: used }),
      call('unpriced', at('04-03'), { unknown: used }),
      { id: 'without summary', started_at: at('04-04') },
    ])
  })

  // biome-ignore lint/suspicious/noExplicitAny: tests look into lines of every shape
  async function lines(more: object = {}): Promise<any[]> {
    const answer = await service.post('/calls/stream_query', {
      project_id: project,
      include_costs: true,
      ...more,
    })
    expect(answer.status).toBe(200)
    return answer.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
  const costs = async (name: string, more: object = {}) =>
    (await lines({ filter: { call_ids: [name] }, ...more }))[0].summary.weave.costs

  it.each<[string, string, object]>([
    [
      "the price in force, the project's",
      'between',
      { m: { prompt_token_cost: 2, prompt_tokens_total_cost: 20 } },
    ],
    ['the newest in force', 'after', { m: { prompt_token_cost: 3, prompt_tokens_total_cost: 30 } }],
    ['a price of later, where there is no other', 'before any', { m: { pricing_level: 'project' } }],
  ])('have %s', async (_, name, expected) => expect(await costs(name)).toMatchObject(expected))

  it('have the default price, and cached tokens by their own', async () => {
    const { 'default-model': cost } = await costs('default')
    expect(cost).toMatchObject({
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      pricing_level: 'default',
      provider_id: 'x',
      prompt_token_cost_unit: 'USD',
      effective_date: '2026-06-01T00:00:00Z',
      created_by: 'heddle',
    })
    expect(cost.prompt_tokens_total_cost).toBeCloseTo(5 * 2e-6, 12)
    expect(cost.completion_tokens_total_cost).toBeCloseTo(5 * 4e-6, 12)
    expect(cost.cache_read_input_tokens_total_cost).toBeCloseTo(3 * 1e-6, 12)
    expect(cost.cache_creation_input_tokens_total_cost).toBeCloseTo(2 * 3e-6, 12)
  })

  it('have one entry a priced model', async () =>
    expect(Object.keys(await costs('two models'))).toEqual(['m', 'over "default"']))

  it.each(['unpriced', 'without summary'])('have no key where nothing has a price: %s', async (name) => {
    const [row] = await lines({ filter: { call_ids: [name] } })
    expect(row.summary.weave).not.toHaveProperty('costs')
  })

  it('keep what else the summary holds', async () =>
    expect((await lines({ filter: { call_ids: ['after'] } }))[0].summary).toMatchObject({
      weave: { status: 'success', trace_name: 'op' },
      usage: { m: used },
      mine: 1,
    }))

  it.each<[string, object]>([
    ['in the order of a field', { sort_by: [{ field: 'summary.mine', direction: 'asc' }], limit: 100 }],
    ['all at once', { sort_by: [] }],
    ['with user names', { include_usernames: true }],
    ['with sizes of traces', { include_total_storage_size: true, limit: 100 }],
  ])('are listed %s', async (_, more) => {
    const row = (await lines(more)).find((one) => one.id === 'after')
    expect(row.summary.weave.costs.m.prompt_tokens_total_cost).toBe(30)
  })

  it('bring the summary, whatever columns are asked for', async () =>
    expect(await costs('after', { columns: ['id'] })).toMatchObject({ m: { requests: 1 } }))

  it('are read one by one, too', async () => {
    const { call } = (
      await service.post('/call/read', { project_id: project, id: 'after', include_costs: true })
    ).json
    expect(call.summary.weave.costs.m.prompt_tokens_total_cost).toBe(30)
  })

  it.each([false, null])('have none unless they are asked for: %s', async (include_costs) =>
    expect(await costs('after', { include_costs })).toBeUndefined(),
  )

  it('forget a price that was purged', async () => {
    const other = 'acme/forgets'
    await writeCalls(service.store, other, [call('c', at('04-01'), { solo: used })])
    const { ids } = (await create({ solo: price(2) }, other)).json
    const read = async () =>
      (await service.post('/call/read', { project_id: other, id: 'c', include_costs: true })).json.call
        .summary
    expect((await read()).weave.costs.solo.pricing_level_id).toBe(ids[0][0])
    await purge({ $eq: [id, literal(ids[0][0])] }, other)
    expect((await read()).weave).not.toHaveProperty('costs')
  })
})

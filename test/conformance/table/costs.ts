/** Operations on prices. */
import { expect } from 'vitest'
import { json, operation, type World } from './operation.js'

const PRICE = { prompt_token_cost: 0.001, completion_token_cost: 0.002 }

/** Sets the price of a model named like the secret and returns its id. */
async function created({ api, project, secret }: World): Promise<string> {
  const { ids } = await api.ok('/cost/create', { project_id: project, costs: { [secret]: PRICE } })
  return String((ids as string[][])[0]?.[0])
}

async function listed({ api, project }: World) {
  return (await api.ok('/cost/query', { project_id: project })).results
}

const equal = (field: string, value: unknown) => ({
  $expr: { $eq: [{ $getField: field }, { $literal: value }] },
})

export const costs = [
  operation('POST', '/cost/create', 'write', (world) => {
    const body = { project_id: world.project, costs: { [world.secret]: PRICE } }
    return {
      valid: { body },
      effect: async (answer) => {
        const [[id, model] = []] = json<{ ids: string[][] }>(answer).ids
        expect(model).toBe(world.secret)
        expect(await listed(world)).toMatchObject([{ id, llm_id: model, ...PRICE, provider_id: 'default' }])
      },
      invalid: [
        {
          why: 'one price is a text',
          body: { ...body, costs: { fine: PRICE, wrong: { ...PRICE, prompt_token_cost: 'much' } } },
          status: 422,
          at: 'body.costs.wrong.prompt_token_cost',
        },
      ],
    }
  }),

  operation('POST', '/cost/query', 'read', async (world) => {
    const id = await created(world)
    const body = { project_id: world.project, query: equal('llm_id', world.secret) }
    return {
      valid: { body },
      effect: (answer) => expect(json(answer).results).toMatchObject([{ id, ...PRICE }]),
      invalid: [
        { why: 'an unknown field', body: { ...body, query: equal('nope', 1) }, status: 422 },
        {
          why: 'more than $expr',
          body: { ...body, query: { ...body.query, x: 1 } },
          status: 422,
          at: 'body.query',
        },
      ],
    }
  }),

  operation('POST', '/cost/purge', 'write', async (world) => {
    const id = await created(world)
    const body = { project_id: world.project, query: equal('id', id) }
    return {
      valid: { body },
      effect: async () => expect(await listed(world)).toEqual([]),
      invalid: [
        { why: 'not by id', body: { ...body, query: equal('llm_id', world.secret) }, status: 400 },
        { why: 'no query', body: { ...body, query: undefined }, status: 422, at: 'body.query' },
      ],
    }
  }),
]

/** Of when the default prices are. */
export const defaults = [
  operation('POST', '/cost/defaults', 'read', (world) => ({
    valid: { body: { project_id: world.project } },
    effect: (answer) =>
      expect(json(answer)).toMatchObject({ as_of: expect.any(String), is_old: expect.any(Boolean) }),
    invalid: [{ why: 'no project', body: {}, status: 422, at: 'body.project_id' }],
  })),
]

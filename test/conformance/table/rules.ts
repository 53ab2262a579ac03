/** Rules: made, tried, stopped and deleted, and what they did. */
import { expect } from 'vitest'
import type { Row } from '../../support/api.js'
import { json, operation, type World } from './operation.js'

/** Others may be in the same project. */
const nameOf = (secret: string) => `r-${secret}`

/** Nothing of these tests sets it off. */
const trigger = { type: 'alias', object: 'nothing', alias: 'never' }

const ruleOf = ({ project, secret }: World) => ({
  ...{ project_id: project, name: nameOf(secret), description: secret, trigger },
  actions: [{ type: 'evaluate', evaluation: secret, model: null }],
})

async function saved(world: World) {
  await world.api.ok('/rules/save', ruleOf(world))
  return { project_id: world.project, rule: nameOf(world.secret) }
}

async function own({ api, project, secret }: World) {
  const { rules } = await api.ok('/rules/query', { project_id: project })
  return (rules as Row[]).find(({ name }) => name === nameOf(secret))
}

const action = { type: 'add_to_dataset', dataset: 'good' }

export const rules = [
  operation('POST', '/rules/save', 'write', async (world) => {
    const body = ruleOf(world)
    const onCalls = { ...body, trigger: { type: 'call' } }
    const query = { $expr: { $eq: [{ $getField: 'feedback.[*].payload.x' }, { $literal: 1 }] } }
    const aliases = (alias: string) => ({
      ...{ ...body, trigger: { type: 'alias', object: null, alias } },
      actions: [{ type: 'set_alias', alias: 'never' }],
    })
    return {
      valid: { body },
      effect: async () => expect(await own(world)).toMatchObject({ definition: { trigger, active: true } }),
      invalid: [
        {
          why: 'no such trigger',
          body: { ...body, trigger: { type: 'weather' } },
          status: 422,
          at: 'body.trigger.type',
        },
        { why: 'no action', body: { ...body, actions: [] }, status: 422, at: 'body.actions' },
        { why: 'an alias is no call', body: { ...body, actions: [action] }, status: 400 },
        {
          why: 'a call is no version',
          body: { ...onCalls, actions: [{ type: 'set_alias', alias: 'a' }] },
          status: 400,
        },
        {
          why: 'no such channel',
          body: { ...body, actions: [{ type: 'notify', channel: 'no' }] },
          status: 404,
        },
        {
          ...{ why: 'it reads feedback', status: 400 },
          body: { ...body, trigger: { type: 'call', query }, actions: [action] },
        },
        {
          ...{ why: 'no such column', status: 400 },
          body: { ...onCalls, actions: [{ ...action, columns: { a: 'elsewhere' } }] },
        },
        { why: 'it sets itself off', body: aliases('never'), status: 400 },
      ],
    }
  }),

  operation('POST', '/rules/query', 'read', async (world) => {
    await saved(world)
    return {
      valid: { body: { project_id: world.project } },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({ rules: [{ name: nameOf(world.secret), matched: 0 }] }),
      invalid: [{ why: 'no project', body: {}, status: 422, at: 'body.project_id' }],
    }
  }),

  operation('POST', '/rules/activate', 'write', async (world) => {
    const body = { ...(await saved(world)), active: false }
    return {
      valid: { body },
      effect: async () => expect(await own(world)).toMatchObject({ definition: { active: false } }),
      invalid: [{ why: 'no such rule', body: { ...body, rule: 'nope' }, status: 404 }],
    }
  }),

  operation('POST', '/rules/delete', 'write', async (world) => {
    const body = await saved(world)
    return {
      valid: { body },
      effect: async () => expect(await own(world)).toBeUndefined(),
      invalid: [{ why: 'no such rule', body: { ...body, rule: 'nope' }, status: 404 }],
    }
  }),

  operation('POST', '/rules/preview', 'read', async ({ api, project, secret }) => {
    const obj = { project_id: project, object_id: `d-${secret}`, val: DATASET }
    await api.ok('/obj/create', { obj })
    const body = { project_id: project, trigger: { type: 'dataset_version', dataset: `d-${secret}` } }
    return {
      valid: { body },
      effect: (answer) => expect(json(answer)).toMatchObject({ matched: 1 }),
      invalid: [{ why: 'too far back', body: { ...body, days: 31 }, status: 422, at: 'body.days' }],
    }
  }),

  operation('POST', '/rules/runs', 'read', async ({ project }) => ({
    valid: { body: { project_id: project } },
    effect: (answer) => expect(json(answer)).toEqual({ runs: [] }),
    invalid: [
      { why: 'no such state', body: { project_id: project, state: 'x' }, status: 422, at: 'body.state' },
    ],
  })),

  operation('POST', '/rules/retry', 'write', async (world) => {
    const body = await saved(world)
    return {
      valid: { body },
      effect: (answer) => expect(json(answer)).toEqual({ retried: 0 }),
      invalid: [
        { why: 'no such rule', body: { ...body, rule: 'nope' }, status: 404 },
        { why: 'no such run', body: { ...body, run: 'nope' }, status: 404 },
      ],
    }
  }),
]

const DATASET = {
  ...{ _type: 'Dataset', _class_name: 'Dataset', _bases: ['Object', 'BaseModel'], name: 'd', rows: 'none' },
}

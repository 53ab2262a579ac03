/** Masking: rules of a project, tried, counted and taken back. What is right for `write` here needs more, which the suite's key has. */
import { expect } from 'vitest'
import { stored } from './calls.js'
import { json, operation, type World } from './operation.js'

const ruleOf = ({ secret }: World) => ({ name: 'secrets', pattern: `${secret}-[0-9]+`, how: 'hash' })

const saved = (world: World) =>
  world.api.ok('/masking/save', { scope: world.project, rules: [ruleOf(world)] })

const rulesOf = async ({ api, project }: World) => {
  const { own } = await api.ok('/masking/query', { scope: project })
  return (own as { rules: object[] }).rules
}

export const masking = [
  operation('POST', '/masking/query', 'write', async (world) => {
    await saved(world)
    const body = { scope: world.project }
    return {
      valid: { body },
      effect: (answer) =>
        expect(json<{ own: { rules: object[] } }>(answer).own.rules).toMatchObject([ruleOf(world)]),
      invalid: [
        { why: 'no scope', body: {}, status: 422, at: 'body.scope' },
        { why: 'what is no scope', body: { scope: 'a/b/c' }, status: 422 },
      ],
    }
  }),

  operation('POST', '/masking/save', 'write', (world) => {
    const body = { scope: world.project, rules: [ruleOf(world)] }
    const ruled = (rule: object) => ({ ...body, rules: [{ name: 'r', ...rule }] })
    return {
      valid: { body },
      effect: async () => expect(await rulesOf(world)).toMatchObject([ruleOf(world)]),
      invalid: [
        { why: 'no rules', body: { scope: world.project }, status: 422, at: 'body.rules' },
        { why: 'a rule of nothing', body: ruled({}), status: 422, at: 'body.rules.0' },
        { why: 'no pattern', body: ruled({ pattern: '(' }), status: 400 },
        { why: 'a pattern of the empty text', body: ruled({ pattern: 'a*' }), status: 400 },
        { why: 'a pattern too large', body: ruled({ pattern: '(a{0,30}){0,30}' }), status: 400 },
        { why: 'somebody else was faster', body: { ...body, expected_version: '1' }, status: 409 },
      ],
    }
  }),

  operation('POST', '/masking/delete', 'write', async (world) => {
    await saved(world)
    return {
      valid: { body: { scope: world.project } },
      effect: async () => expect(await rulesOf(world)).toEqual([]),
      invalid: [{ why: 'no scope', body: {}, status: 422, at: 'body.scope' }],
    }
  }),

  operation('POST', '/masking/preview', 'write', async (world) => {
    await stored(world, { inputs: { text: `${world.secret}-12` } })
    const body = { project_id: world.project, rules: [ruleOf(world)] }
    return {
      valid: { body },
      effect: (answer) =>
        expect(json(answer)).toMatchObject({
          changed: 1,
          rules: [{ name: 'secrets', matches: 1 }],
          examples: [{ field: 'inputs', after: expect.stringMatching(/\[MASKED:[\da-f]{12}\]/) }],
        }),
      invalid: [
        { why: 'no project', body: {}, status: 422, at: 'body.project_id' },
        { why: 'too many calls', body: { ...body, calls: 1001 }, status: 422, at: 'body.calls' },
      ],
    }
  }),

  operation('POST', '/masking/counts', 'write', (world) => {
    const body = { scope: world.project }
    return {
      valid: { body },
      effect: (answer) => expect(json(answer).counts).toEqual([]),
      invalid: [{ why: 'no days', body: { ...body, days: 0 }, status: 422, at: 'body.days' }],
    }
  }),
]

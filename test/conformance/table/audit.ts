/** The audit log: read, exported and checked. What is right for `write` here needs more, which the suite's key has. */
import { expect } from 'vitest'
import { jsonLines } from '../../support/api.js'
import { json, operation, type World } from './operation.js'

const settings = '/project/token_ids_settings/update'
const ACTION = 'token_ids_settings_update'

/** Does something that is in the log. */
async function done({ api, project }: World): Promise<void> {
  await api.ok(settings, { project_id: project, keep: false })
}

export const audit = [
  operation('POST', '/audit/query', 'write', async (world) => {
    await done(world)
    const body = { scope: world.project, action: ACTION }
    return {
      valid: { body },
      effect: (answer) =>
        expect(json<{ entries: object[] }>(answer).entries).toContainEqual(
          expect.objectContaining({ project: world.project, outcome: 'ok', target: { keep: false } }),
        ),
      invalid: [
        { why: 'no scope', body: {}, status: 422, at: 'body.scope' },
        { why: 'what is no scope', body: { scope: 'a/b/c' }, status: 422 },
        { why: 'no such category', body: { ...body, category: 'x' }, status: 422, at: 'body.category' },
        { why: 'a cursor of nobody', body: { ...body, cursor: 'x' }, status: 400 },
      ],
    }
  }),

  operation('POST', '/audit/export', 'write', async (world) => {
    await done(world)
    const body = { scope: world.project, action: ACTION }
    return {
      valid: { body },
      effect: ({ text }) =>
        expect(jsonLines(text)).toContainEqual(
          expect.objectContaining({
            project: world.project,
            phase: 'end',
            status: 200,
            target: '{"keep":false}',
          }),
        ),
      invalid: [
        { why: 'no scope', body: {}, status: 422, at: 'body.scope' },
        { why: 'no such format', body: { ...body, format: 'xml' }, status: 422, at: 'body.format' },
      ],
    }
  }),

  operation('POST', '/audit/verify', 'write', () => ({
    valid: { body: {} },
    effect: (answer) => expect(json(answer)).toMatchObject({ problem_count: 0, problems: [] }),
    invalid: [
      { why: 'no hash', body: { heads: [{ chain: 'c', seq: 1 }] }, status: 422, at: 'body.heads.0.hash' },
    ],
  })),
]

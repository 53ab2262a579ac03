/** Operations on the settings of a project. */
import { expect } from 'vitest'
import { json, operation } from './operation.js'

const noProject = { why: 'no project', body: {}, status: 422, at: 'body.project_id' }

export const projectSettings = [
  operation('POST', '/project/ttl_settings/read', 'read', async ({ api, project }) => {
    await api.ok('/project/ttl_settings/update', { project_id: project, retention_days: 40 })
    return {
      valid: { body: { project_id: project } },
      effect: (answer) => expect(json(answer)).toEqual({ retention_days: 40 }),
      invalid: [noProject],
    }
  }),

  operation('POST', '/project/ttl_settings/update', 'write', ({ api, project }) => {
    const body = { project_id: project, retention_days: 30 }
    const read = async () =>
      (await api.ok('/project/ttl_settings/read', { project_id: project })).retention_days
    return {
      valid: { body },
      effect: async (answer) => {
        expect(json(answer)).toEqual({ retention_days: 30 })
        expect(await read()).toBe(30)
        const none = { project_id: project, retention_days: null }
        expect(await api.ok('/project/ttl_settings/update', none)).toEqual({ retention_days: null })
        expect(await read()).toBeNull()
      },
      invalid: [
        { why: 'no days', body: { ...body, retention_days: 0 }, status: 400 },
        { why: 'more than a century', body: { ...body, retention_days: 40_000 }, status: 400 },
        { why: 'half a day', body: { ...body, retention_days: 0.5 }, status: 422, at: 'body.retention_days' },
        noProject,
      ],
    }
  }),

  operation('POST', '/project/token_ids_settings/read', 'read', ({ project }) => ({
    valid: { body: { project_id: project } },
    effect: (answer) => expect(json(answer)).toEqual({ keep: false }),
    invalid: [noProject],
  })),

  operation('POST', '/project/token_ids_settings/update', 'write', ({ api, project }) => {
    const body = { project_id: project, keep: true }
    const read = () => api.ok('/project/token_ids_settings/read', { project_id: project })
    return {
      valid: { body },
      effect: async (answer) => {
        expect(json(answer)).toEqual({ keep: true })
        expect(await read()).toEqual({ keep: true })
        await api.ok('/project/token_ids_settings/update', { ...body, keep: false })
        expect(await read()).toEqual({ keep: false })
      },
      invalid: [
        { why: 'neither yes nor no', body: { ...body, keep: 'x' }, status: 422, at: 'body.keep' },
        noProject,
      ],
    }
  }),

  operation('POST', '/project/sensitive_data_settings', 'read', ({ project }) => ({
    valid: { body: { project_id: project } },
    effect: (answer) => expect(json(answer)).toEqual({ policy: 'off' }),
    invalid: [noProject],
  })),

  operation('GET', '/project/sensitive_data_settings', 'read', ({ project }) => ({
    valid: { query: { project_id: project } },
    effect: (answer) => expect(json(answer)).toEqual({ policy: 'off' }),
    invalid: [{ why: 'no project', query: {}, status: 422, at: 'query.project_id' }],
  })),

  operation('POST', '/project/ingest_sampling_settings/read', 'read', ({ project }) => ({
    valid: { body: { project_id: project } },
    effect: (answer) => expect(json(answer)).toEqual({ sample_rate: 1, dry_run: false }),
    invalid: [noProject],
  })),
]

/** Operations about the service, projects as a whole, and what model nodes say. */
import { expect } from 'vitest'
import { stored } from './calls.js'
import { json, operation } from './operation.js'

const anonymous = { why: 'no key', anonymous: true, status: 401 } as const
/** All that can be wrong with a route that takes nothing. */
const method = { why: 'another method', method: 'DELETE', status: 405 } as const

const listing = (path: string) =>
  operation('GET', path, 'key', () => ({
    valid: {},
    effect: (answer) => expect(json(answer)).toEqual({ object: 'list', data: [] }),
    invalid: [anonymous],
  }))

export const service = [
  operation('GET', '/health', 'public', () => ({
    valid: {},
    effect: (answer) => expect(json(answer)).toEqual({ status: 'ok' }),
    invalid: [method],
  })),
  operation('GET', '/version', 'public', () => ({
    valid: {},
    effect: (answer) => expect(json(answer)).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+/) }),
    invalid: [method],
  })),
  operation('GET', '/server_info', 'public', () => ({
    valid: {},
    effect: (answer) => expect(json(answer)).toMatchObject({ min_required_weave_python_version: '0.0.0' }),
    invalid: [method],
  })),
  operation('GET', '/geolocate', 'public', () => ({
    valid: { query: { ip: '192.0.2.1' } },
    effect: (answer) => expect(json(answer)).toEqual({ ip: '192.0.2.1', allowed: true, location: null }),
    invalid: [{ why: 'not an address', query: { ip: '<a>' }, status: 422, at: 'query.ip' }],
  })),

  operation('POST', '/service/projects_info', 'read', ({ project }) => ({
    valid: { body: { project_ids: [project] } },
    effect: (answer) => {
      const [info] = json<Record<string, string>[]>(answer)
      expect(info).toEqual({
        external_project_id: project,
        internal_project_id: expect.stringMatching(/^[^/]+$/),
      })
    },
    invalid: [
      { why: 'ids are a text', body: { project_ids: project }, status: 422, at: 'body.project_ids' },
      { why: 'not a project', body: { project_ids: ['a/b/c'] }, status: 422, at: 'body.project_ids.0' },
    ],
  })),

  operation('POST', '/project/stats', 'read', async (world) => {
    await stored(world)
    const body = { project_id: world.project, include_file_storage_size: false }
    return {
      valid: { body },
      effect: (answer) => {
        const sizes = json<Record<string, number>>(answer)
        expect(sizes.trace_storage_size_bytes).toBeGreaterThan(world.secret.length)
        expect(sizes.files_storage_size_bytes).toBe(0)
      },
      invalid: [
        { why: 'the project is a list', body: { project_id: [] }, status: 422, at: 'body.project_id' },
      ],
    }
  }),

  listing('/inference/analysis/analyzer/models'),
  listing('/inference/vendor/v2/hardware'),
  listing('/inference/router/aggregator/models'),
]

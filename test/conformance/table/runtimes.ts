/** Operations on runtimes. */
import { expect } from 'vitest'
import { json, operation } from './operation.js'

export const runtimes = [
  operation(
    'PUT',
    '/v2/{entity}/{project}/runtimes/{runtime_name}',
    'write',
    async ({ api, project, secret }) => {
      const params = { runtime_name: 'lab:eu' }
      const path = `/v2/${project}/runtimes/lab:eu`
      const body = {
        base_url: 'https://example.com/v1',
        api_key_secret: 'LAB_KEY',
        headers: { 'x-team': secret },
        runtime_ids: [{ id: 'team/draw' }, { id: 'old', max_tokens: 7 }],
      }
      await api.ok('/obj/create', { obj: { project_id: project, object_id: 'lab_eu-taken', val: { a: 1 } } })
      const listed = async () => {
        const query = {
          project_id: project,
          filter: { latest_only: true, base_object_classes: ['ProviderModel', 'Provider'] },
        }
        const { objs } = await api.ok('/objs/query', query)
        return Object.fromEntries(
          (objs as { object_id: string; digest: string; val: object }[]).map((one) => [one.object_id, one]),
        )
      }
      const refused = { params, status: 400 }
      return {
        valid: { params, body },
        effect: async (answer) => {
          expect(json(answer)).toEqual({
            ...body,
            name: 'lab:eu',
            runtime_ids: [
              { id: 'team/draw', max_tokens: 4096, playground_id: 'custom::lab:eu::team/draw' },
              { id: 'old', max_tokens: 7, playground_id: 'custom::lab:eu::old' },
            ],
          })
          const first = await listed()
          expect(Object.keys(first).sort()).toEqual(['lab_eu', 'lab_eu-old', 'lab_eu-team_draw'])
          const { base_url, headers } = body
          expect(first.lab_eu).toMatchObject({
            val: { base_url, api_key_name: 'LAB_KEY', extra_headers: headers },
          })
          expect(first['lab_eu-team_draw']).toMatchObject({
            val: { name: 'team/draw', provider: first.lab_eu!.digest, max_tokens: 4096 },
          })
          // What is left out is deleted; the rest names the provider as it is now.
          const less = { ...body, base_url: 'https://example.org/v1', runtime_ids: [{ id: 'team/draw' }] }
          expect((await api.send('PUT', path, less)).status).toBe(200)
          const second = await listed()
          expect(Object.keys(second).sort()).toEqual(['lab_eu', 'lab_eu-team_draw'])
          expect(second['lab_eu-team_draw']).toMatchObject({ val: { provider: second.lab_eu!.digest } })
        },
        invalid: [
          {
            why: 'a query in the address',
            ...refused,
            body: { ...body, base_url: 'https://example.com/v1?a=b' },
          },
          { why: 'a private address', ...refused, body: { ...body, base_url: 'http://10.0.0.1/v1' } },
          {
            why: 'a header of a metadata service',
            ...refused,
            body: { ...body, headers: { 'Metadata-Flavor': 'x' } },
          },
          {
            why: 'two ids of one object',
            ...refused,
            body: { ...body, runtime_ids: [{ id: 'a/b' }, { id: 'a:b' }] },
          },
          {
            why: 'an object of somebody else',
            ...refused,
            body: { ...body, runtime_ids: [{ id: 'taken' }] },
          },
          { why: 'too long a name', ...refused, body: { ...body, runtime_ids: [{ id: 'x'.repeat(122) }] } },
          {
            why: 'an id twice',
            params,
            body: { ...body, runtime_ids: [{ id: 'a' }, { id: 'a' }] },
            status: 422,
            at: 'body.runtime_ids',
          },
          {
            why: 'an id with a blank',
            params,
            body: { ...body, runtime_ids: [{ id: 'a b' }] },
            status: 422,
            at: 'body.runtime_ids.0.id',
          },
          {
            why: 'a name with a blank',
            params: { runtime_name: 'a b' },
            body,
            status: 422,
            at: 'path.runtime_name',
          },
        ],
      }
    },
  ),
]

/** Operations on objects, their tags and aliases, and on refs. */
import { expect } from 'vitest'
import { json, operation, type World } from './operation.js'

/** Creates a version of `object_id` with the secret in it and returns its digest. */
async function created(
  { api, project, secret }: World,
  object_id = 'prompt',
  more: object = {},
): Promise<string> {
  const obj = { project_id: project, object_id, val: { text: secret, ...more } }
  return String((await api.ok('/obj/create', { obj })).digest)
}

/** A version as it reads, with its tags and aliases. */
async function read({ api, project }: World, digest: string, object_id = 'prompt') {
  const body = { project_id: project, object_id, digest, include_tags_and_aliases: true }
  return (await api.ok('/obj/read', body)).obj
}

const listed = (answer: { text: string }) => JSON.parse(answer.text) as Record<string, unknown>

export const objects = [
  operation('POST', '/obj/create', 'write', (world) => {
    const obj = { project_id: world.project, object_id: 'prompt', val: { text: world.secret, n: 1 } }
    return {
      valid: { body: { obj } },
      effect: async (answer) =>
        expect(await read(world, String(json(answer).digest))).toMatchObject({
          val: obj.val,
          version_index: 0,
        }),
      invalid: [
        { why: 'a name with a space', body: { obj: { ...obj, object_id: 'a b' } }, status: 422 },
        { why: 'no value', body: { obj: { ...obj, val: undefined } }, status: 422, at: 'body.obj.val' },
        { why: 'another digest is expected', body: { obj: { ...obj, expected_digest: 'x' } }, status: 409 },
        { why: 'its base is not the latest', body: { obj: { ...obj, base_digest: 'x' } }, status: 409 },
        { why: 'an unknown class', body: { obj: { ...obj, builtin_object_class: 'Nope' } }, status: 400 },
      ],
    }
  }),

  operation('POST', '/obj/read', 'read', async (world) => {
    const digest = await created(world)
    const body = { project_id: world.project, object_id: 'prompt', digest: 'latest' }
    return {
      valid: { body },
      effect: (answer) => expect(json(answer).obj).toMatchObject({ digest, val: { text: world.secret } }),
      invalid: [
        { why: 'no such version', body: { ...body, digest: 'v99' }, status: 404 },
        { why: 'no digest', body: { ...body, digest: undefined }, status: 422, at: 'body.digest' },
      ],
    }
  }),

  operation('POST', '/objs/query', 'read', async (world) => {
    const digest = await created(world)
    await created(world, 'other')
    const body = { project_id: world.project, filter: { object_ids: ['prompt'] } }
    return {
      valid: { body },
      effect: (answer) => expect(json(answer).objs).toMatchObject([{ digest, val: { text: world.secret } }]),
      invalid: [
        {
          why: 'ids are a text',
          body: { ...body, filter: { object_ids: 'x' } },
          status: 422,
          at: 'body.filter.object_ids',
        },
      ],
    }
  }),

  operation('PUT', '/objs/{object_id}/versions/{digest}/tags', 'write', async (world) => {
    const params = { object_id: 'prompt', digest: await created(world) }
    const body = { project_id: world.project, tags: ['good one'] }
    return {
      valid: { params, body },
      effect: async () => expect(await read(world, params.digest)).toMatchObject({ tags: ['good one'] }),
      invalid: [
        { why: 'a slash', params, body: { ...body, tags: ['a/b'] }, status: 400 },
        { why: 'no such version', params: { ...params, digest: 'nope' }, body, status: 404 },
      ],
    }
  }),

  operation('POST', '/objs/{object_id}/versions/{digest}/tags/remove', 'write', async (world) => {
    const params = { object_id: 'prompt', digest: await created(world) }
    const body = { project_id: world.project, tags: ['one'] }
    await world.api.send('PUT', `/objs/prompt/versions/${params.digest}/tags`, {
      ...body,
      tags: ['one', 'two'],
    })
    return {
      valid: { params, body },
      effect: async () => expect(await read(world, params.digest)).toMatchObject({ tags: ['two'] }),
      invalid: [
        { why: 'tags are a text', params, body: { ...body, tags: 'one' }, status: 422, at: 'body.tags' },
      ],
    }
  }),

  operation('PUT', '/objs/{object_id}/aliases', 'write', async (world) => {
    const digest = await created(world)
    const params = { object_id: 'prompt' }
    const body = { project_id: world.project, digest, aliases: ['prod'] }
    await created(world, 'prompt', { second: true })
    return {
      valid: { params, body },
      effect: async () => expect(await read(world, 'prod')).toMatchObject({ digest, aliases: ['prod'] }),
      invalid: [
        { why: 'latest is taken', params, body: { ...body, aliases: ['latest'] }, status: 400 },
        { why: 'so is v0', params, body: { ...body, aliases: ['v0'] }, status: 400 },
        { why: 'no such version', params, body: { ...body, digest: 'nope' }, status: 404 },
      ],
    }
  }),

  operation('POST', '/objs/{object_id}/aliases/remove', 'write', async (world) => {
    const digest = await created(world)
    const params = { object_id: 'prompt' }
    const body = { project_id: world.project, aliases: ['prod'] }
    await world.api.send('PUT', '/objs/prompt/aliases', { ...body, digest })
    return {
      valid: { params, body },
      effect: async () => expect(await read(world, digest)).toMatchObject({ aliases: ['latest'] }),
      invalid: [
        {
          why: 'aliases are null',
          params,
          body: { ...body, aliases: null },
          status: 422,
          at: 'body.aliases',
        },
      ],
    }
  }),

  operation('GET', '/tags', 'read', async (world) => {
    const digest = await created(world)
    const body = { project_id: world.project, tags: ['b', world.secret] }
    await world.api.send('PUT', `/objs/prompt/versions/${digest}/tags`, body)
    return {
      valid: { query: { project_id: world.project } },
      effect: (answer) => expect(listed(answer)).toEqual({ tags: ['b', world.secret].sort() }),
      invalid: [{ why: 'no project', query: {}, status: 422, at: 'query.project_id' }],
    }
  }),

  operation('GET', '/aliases', 'read', async (world) => {
    const body = { project_id: world.project, digest: await created(world), aliases: [world.secret] }
    await world.api.send('PUT', '/objs/prompt/aliases', body)
    return {
      valid: { query: { project_id: world.project } },
      effect: (answer) => expect(listed(answer)).toEqual({ aliases: ['latest', world.secret].sort() }),
      invalid: [{ why: 'no project', query: {}, status: 422, at: 'query.project_id' }],
    }
  }),

  operation('POST', '/refs/read_batch', 'read', async (world) => {
    const ref = `weave:///${world.project}/object/prompt:${await created(world)}`
    return {
      valid: { body: { refs: [`${ref}/key/text`, `${ref}/key/nope`, ref] } },
      effect: (answer) =>
        expect(json(answer)).toEqual({ vals: [world.secret, null, { text: world.secret }] }),
      invalid: [
        { why: 'not a ref', body: { refs: ['prompt'] }, status: 400 },
        {
          why: 'no such object',
          body: { refs: [`weave:///${world.project}/object/nope:latest`] },
          status: 404,
        },
        { why: 'refs are a text', body: { refs: ref }, status: 422, at: 'body.refs' },
      ],
    }
  }),

  operation('POST', '/link_to_registry', 'write', async (world) => {
    const [entity_name = '', project_name = ''] = world.project.split('/')
    const ref = `weave:///${world.project}/object/prompt:${await created(world)}`
    const body = { ref, target: { portfolio_name: 'linked', entity_name, project_name }, aliases: ['best'] }
    return {
      valid: { body },
      effect: async (answer) => {
        expect(json(answer)).toEqual({ version_index: 0 })
        expect(await read(world, 'best', 'linked')).toMatchObject({ val: { ref } })
      },
      invalid: [
        {
          why: 'a link to nothing',
          body: { ...body, ref: `weave:///${world.project}/object/nope:v0` },
          status: 404,
        },
        { why: 'no target', body: { ...body, target: undefined }, status: 422, at: 'body.target' },
      ],
    }
  }),

  // The last of them: a wrong request may delete every version of an object, and all of these are of one name.
  operation('POST', '/obj/delete', 'write', async (world) => {
    const digest = await created(world)
    const kept = await created(world, 'prompt', { second: true })
    const body = { project_id: world.project, object_id: 'prompt', digests: [digest] }
    return {
      valid: { body },
      effect: async (answer) => {
        expect(json(answer)).toMatchObject({ num_deleted: 1 })
        const gone = await world.api.post('/obj/read', { ...body, digest })
        expect([gone.status, json(gone).deleted_at]).toEqual([404, expect.any(String)])
        expect(await read(world, 'latest')).toMatchObject({ digest: kept })
      },
      invalid: [{ why: 'one is not there', body: { ...body, digests: [digest, 'nope'] }, status: 404 }],
    }
  }),
]

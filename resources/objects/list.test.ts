import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReads } from '../../cli/serve/reads.js'
import { startService, type TestService } from '../../query/testing/service.js'

let service: TestService
beforeAll(async () => {
  service = await startService((store) => createReads({ store, version: '' }).routes)
}, 120_000)
afterAll(() => service.stop())

const project_id = 'acme/one'
const classed = (name: string, ...bases: string[]) => ({
  _type: name,
  _class_name: name,
  _bases: [...bases, 'Object', 'BaseModel'],
})
const create = async (object_id: string, val: unknown, project = project_id) =>
  (await service.post('/obj/create', { obj: { project_id: project, object_id, val } })).json.digest as string
const query = (body: object = {}) => service.post('/objs/query', { project_id, ...body })
const names = async (body: object = {}) =>
  (await query(body)).json.objs.map(
    (obj: { object_id: string; version_index: number }) => `${obj.object_id}:${obj.version_index}`,
  )
const read = (object_id: string, digest = 'latest', more = {}) =>
  service.post('/obj/read', { project_id, object_id, digest, ...more })
const put = (path: string, body: object) => service.send('PUT', path, { project_id, ...body })
const aliases = (object: string, digest: string, ...names: string[]) =>
  put(`/objs/${object}/aliases`, { digest, aliases: names })
const tag = (object: string, digest: string, ...tags: string[]) =>
  put(`/objs/${object}/versions/${digest}/tags`, { tags })

describe('lists of objects', () => {
  beforeAll(async () => {
    await create('b', { n: 1 })
    await create('a', classed('Mine', 'Model'))
    await create('b', { n: 2 })
    await create('f', { _type: 'CustomWeaveType', weave_type: { type: 'Op' } })
    await create('a', { ...classed('Other', 'Model'), r: `weave:///${project_id}/object/b:v0` })
    await create('elsewhere', 1, 'acme/two')
  })

  it.each([
    [{}, ['b:0', 'a:0', 'b:1', 'f:0', 'a:1']],
    [{ limit: 2 }, ['b:0', 'a:0']],
    [{ limit: 2, offset: 3 }, ['f:0', 'a:1']],
    [{ offset: 4 }, ['a:1']],
    [{ limit: 0 }, []],
    [{ limit: -1, offset: 4 }, ['a:1']],
    [{ sort_by: [{ field: 'object_id' }] }, ['a:0', 'a:1', 'b:0', 'b:1', 'f:0']],
    [{ sort_by: [{ field: 'object_id', direction: 'desc' }] }, ['f:0', 'b:0', 'b:1', 'a:0', 'a:1']],
    [{ sort_by: [{ field: 'created_at', direction: 'desc' }] }, ['a:1', 'f:0', 'b:1', 'a:0', 'b:0']],
    [{ sort_by: [{ field: 'nothing', direction: 'desc' }] }, ['b:0', 'a:0', 'b:1', 'f:0', 'a:1']],
    [{ filter: { latest_only: true } }, ['b:1', 'f:0', 'a:1']],
    [{ filter: { is_op: true } }, ['f:0']],
    [{ filter: { is_op: false, latest_only: true } }, ['b:1', 'a:1']],
    [{ filter: { object_ids: ['b', 'nothing'] } }, ['b:0', 'b:1']],
    [{ filter: { object_ids: [] } }, ['b:0', 'a:0', 'b:1', 'f:0', 'a:1']],
    [{ filter: { base_object_classes: ['Model'] } }, ['a:0', 'a:1']],
    [{ filter: { exclude_base_object_classes: ['Model'] } }, ['b:0', 'b:1', 'f:0']],
    [{ filter: { leaf_object_classes: ['Mine'] } }, ['a:0']],
    [{ filter: { aliases: ['latest'] } }, ['b:1', 'f:0', 'a:1']],
    [{ filter: { tags: ['none'] } }, []],
  ])('%j', async (body, expected) => expect(await names(body)).toEqual(expected))

  it('have values with refs in wire form, and none where only metadata is asked for', async () => {
    const [obj] = (await query({ filter: { leaf_object_classes: ['Other'] } })).json.objs
    expect(obj.val.r).toBe(`weave:///${project_id}/object/b:v0`)
    const [meta] = (await query({ limit: 1, metadata_only: true, include_storage_size: true })).json.objs
    expect(meta).toMatchObject({ val: {}, size_bytes: 7 })
  })

  it.each([
    [{ sort_by: [{ field: 'object_id', direction: 'up' }] }, 'direction'],
    [{ limit: 'x' }, 'limit'],
    [{ filter: { tags: 'x' } }, 'tags'],
  ])('%j is 422', async (body, place) => {
    const answer = await query(body)
    expect(answer.status).toBe(422)
    expect(answer.json.detail[0].loc).toContain(place)
  })

  it('of many versions come whole', async () => {
    const project = 'acme/many'
    await Promise.all(Array.from({ length: 1200 }, (_, n) => create(`o${n % 7}`, { n }, project)))
    const { json } = await service.post('/objs/query', { project_id: project })
    expect(new Set(json.objs.map((obj: { val: { n: number } }) => obj.val.n)).size).toBe(1200)
  })
})

describe('deleted versions', () => {
  it('are gone from lists and reads, keep their index, and come back when they are created again', async () => {
    const [first, second, third] = [
      await create('d', { n: 1 }),
      await create('d', { n: 2 }),
      await create('d', { n: 3 }),
    ]
    const remove = (digests?: string[]) =>
      service.post('/obj/delete', { project_id, object_id: 'd', digests })
    expect((await remove(['latest', third!])).json).toEqual({
      num_deleted: 1,
      deleted_versions: [{ digest: third, base_object_class: null, leaf_object_class: null }],
    })
    expect((await read('d', third)).json).toHaveProperty('deleted_at')
    expect((await read('d')).json.obj).toMatchObject({ digest: second, version_index: 1, is_latest: 1 })
    expect(await remove(['v0', 'v2'])).toMatchObject({ status: 404, json: { reason: 'd:v2 was not found.' } })
    expect((await read('d', first)).status).toBe(200)
    expect(await create('d', { n: 4 })).toBeDefined()
    expect((await read('d')).json.obj.version_index).toBe(3)
    expect(await create('d', { n: 3 })).toBe(third)
    expect((await read('d')).json.obj).toMatchObject({
      digest: third,
      version_index: 2,
      deleted_at: null,
      val: { n: 3 },
    })
    expect((await remove()).json.num_deleted).toBe(4)
    expect(await names({ filter: { object_ids: ['d'] } })).toEqual([])
    expect((await remove()).status).toBe(404)
    expect((await read('d')).json).toHaveProperty('deleted_at')
  })

  it('may be followed by ones of another class', async () => {
    await create('reborn', classed('A', 'Model'))
    await service.post('/obj/delete', { project_id, object_id: 'reborn' })
    expect(await create('reborn', classed('B', 'Scorer'))).toBeDefined()
  })

  it('are at most 100 at once', async () =>
    expect(
      (await service.post('/obj/delete', { project_id, object_id: 'd', digests: Array(101).fill('x') }))
        .status,
    ).toBe(400))
})

describe('tags and aliases', () => {
  let first = ''
  let second = ''
  const labels = async (digest = 'latest', object = 'l') => {
    const { tags, aliases } = (await read(object, digest, { include_tags_and_aliases: true })).json.obj
    return { tags, aliases }
  }
  const all = async (kind: string) => (await service.send('GET', `/${kind}?project_id=acme%2Fone`)).json[kind]
  beforeAll(async () => {
    first = await create('l', { n: 1 })
    second = await create('l', { n: 2 })
  })

  it('name versions; an alias moves, a tag stays', async () => {
    expect(await labels()).toEqual({ tags: [], aliases: ['latest'] })
    expect((await tag('l', first, 'good', 'very good')).json).toEqual({})
    expect((await tag('l', second, 'good')).status).toBe(200)
    expect((await aliases('l', first, 'prod', 'best')).json).toEqual({})
    expect(await labels('prod')).toEqual({ tags: ['good', 'very good'], aliases: ['best', 'prod'] })
    expect((await read('l', 'best')).json.obj.digest).toBe(first)
    await aliases('l', 'latest', 'prod')
    expect(await labels('prod')).toEqual({ tags: ['good'], aliases: ['latest', 'prod'] })
    expect(await names({ filter: { tags: ['good', 'x'] } })).toEqual(['l:0', 'l:1'])
    expect(await names({ filter: { tags: ['very good'] } })).toEqual(['l:0'])
    expect(await names({ filter: { aliases: ['best'] } })).toEqual(['l:0'])
    expect(await names({ filter: { aliases: ['best', 'latest'], object_ids: ['l'] } })).toEqual([
      'l:0',
      'l:1',
    ])
    const { json } = await query({ filter: { object_ids: ['l'] }, include_tags_and_aliases: true })
    expect(json.objs.map((obj: { aliases: string[] }) => obj.aliases)).toEqual([['best'], ['latest', 'prod']])
    expect(
      (await service.post('/refs/read_batch', { refs: ['weave:///acme/one/object/l:best/key/n'] })).json,
    ).toEqual({ vals: [1] })
  })

  it('are listed by name', async () => {
    expect(await all('tags')).toEqual(['good', 'very good'])
    expect(await all('aliases')).toEqual(['best', 'latest', 'prod'])
    expect((await service.send('GET', '/aliases?project_id=acme/empty')).json).toEqual({ aliases: [] })
  })

  it('are removed, also when they are not there', async () => {
    const remove = await service.post(`/objs/l/versions/${first}/tags/remove`, {
      project_id,
      tags: ['very good', 'x'],
    })
    expect(remove.json).toEqual({})
    expect(
      (await service.post('/objs/l/aliases/remove', { project_id, aliases: ['best', 'x'] })).json,
    ).toEqual({})
    expect(await labels(first)).toEqual({ tags: ['good'], aliases: [] })
    expect((await read('l', 'best')).status).toBe(404)
  })

  it('stay in the list while another object has the name', async () => {
    await create('m', { n: 1 })
    await aliases('m', 'latest', 'prod')
    await service.post('/objs/m/aliases/remove', { project_id, aliases: ['prod'] })
    expect(await all('aliases')).toEqual(['latest', 'prod'])
    await service.post('/obj/delete', { project_id, object_id: 'm' })
  })

  it('go with their version and do not come back with it', async () => {
    await aliases('l', first, 'old')
    await service.post('/obj/delete', { project_id, object_id: 'l', digests: [first] })
    expect((await read('l', 'old')).status).toBe(404)
    expect(await all('aliases')).toEqual(['latest', 'prod'])
    await create('l', { n: 1 })
    expect(await labels(first)).toEqual({ tags: [], aliases: ['latest'] })
    expect((await read('l', 'old')).status).toBe(404)
    expect((await aliases('l', first, 'old')).status).toBe(200)
    expect((await read('l', 'old')).json.obj.digest).toBe(first)
  })

  it.each([['v1'], ['latest'], [''], ['a/b'], ['a:b'], ['x'.repeat(129)]])(
    'the alias "%s" is 400',
    async (name) =>
      expect(await aliases('l', second, name)).toMatchObject({ status: 400, json: { code: 'BAD_REQUEST' } }),
  )

  it.each([[''], ['a  b'], [' a'], ['a!'], ['x'.repeat(257)]])('the tag "%s" is 400', async (name) =>
    expect((await tag('l', second, name)).status).toBe(400),
  )

  it('of a version that is not there are 404', async () => {
    expect((await aliases('l', 'nothing', 'a')).status).toBe(404)
    expect((await tag('l', 'nothing', 'a')).status).toBe(404)
  })

  it('an alias that looks like a digest works', async () => {
    const name = 'A'.repeat(43)
    await aliases('l', second, name)
    expect((await read('l', name)).json.obj.digest).toBe(second)
  })
})

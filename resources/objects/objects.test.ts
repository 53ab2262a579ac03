import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReads } from '../../cli/serve/reads.js'
import { objectDigest } from '../../domain/refs/digest.js'
import { refsToInternal } from '../../domain/refs/refs.js'
import { projectIdOf } from '../../platform/ids/project.js'
import { parseTree, treeText } from '../../platform/json/tree.js'
import { startService, type TestService } from '../../query/testing/service.js'

let service: TestService
beforeAll(async () => {
  service = await startService((store) => createReads({ store, version: '1.2.3' }).routes)
}, 120_000)
afterAll(() => service.stop())

const project_id = 'acme/one'
const create = (object_id: string, val: string, more = '') =>
  service.post(
    '/obj/create',
    `{"obj":{"project_id":"${project_id}","object_id":"${object_id}","val":${val}${more}}}`,
  )
const read = (object_id: string, digest = 'latest', more = {}) =>
  service.post('/obj/read', { project_id, object_id, digest, ...more })
const vectors = JSON.parse(
  readFileSync(new URL('../../domain/refs/vectors.json', import.meta.url), 'utf8'),
) as { object: { json: string; digest: string }[] }
const classed = (name: string, ...bases: string[]) =>
  JSON.stringify({ _type: name, _class_name: name, _bases: [...bases, 'Object', 'BaseModel'] })

describe('digests', () => {
  it.each(vectors.object.map(({ json, digest }, i) => [json, digest, i] as const))(
    'of %s, and the value comes back as it was written',
    async (json, digest, i) => {
      const created = await create(`vector-${i}`, json)
      expect(created).toMatchObject({ status: 200, json: { digest, object_id: `vector-${i}` } })
      const { text } = await read(`vector-${i}`, digest)
      const back = text.slice(text.indexOf(',"val":') + 7, -2)
      expect(back).toBe(treeText(parseTree(json)))
      expect(objectDigest(Buffer.from(back))).toBe(digest)
    },
  )

  it('are compared with the one that a client expects', async () => {
    const { json } = await create(
      'expected',
      '{"a":1}',
      ',"expected_digest":"XdhgKMbg1k4iUYb5astpM4ssWXZN95FiEH9cS7NNExA"',
    )
    expect(json.digest).toBe('XdhgKMbg1k4iUYb5astpM4ssWXZN95FiEH9cS7NNExA')
    const other = await create(
      'expected',
      '{"a":1.0}',
      ',"expected_digest":"XdhgKMbg1k4iUYb5astpM4ssWXZN95FiEH9cS7NNExA"',
    )
    expect(other).toMatchObject({ status: 409, json: { code: 'CONFLICT' } })
    expect((await read('expected', 'v1')).status).toBe(404)
  })

  it('are taken over refs in internal form, which come back in the form of the wire', async () => {
    const val = '{"mine":"weave:///acme/one/object/x:y","theirs":["weave:///acme/never-seen/op/f:*"],"n":1.0}'
    const digest = objectDigest(refsToInternal(parseTree(val)))
    expect((await create('refs', val)).json.digest).toBe(digest)
    expect((await read('refs', digest)).text).toContain(`,"val":${val}}`)
    const restarted = await service.again()
    const answer = await restarted.post('/obj/read', { project_id, object_id: 'refs', digest })
    await restarted.stop()
    expect(answer.text).toContain(`,"val":${val}}`)
  })
})

describe('names in any script', () => {
  it('are those of objects, and of projects in refs, as the SDKs write them', async () => {
    const home = 'acme/проект'
    const val = { rows: `weave:///${home}/table/abc`, of: `weave:///${home}/object/größe_2:v0` }
    const obj = { project_id: home, object_id: 'größe_2', val }
    expect(await service.post('/obj/create', JSON.stringify({ obj }))).toMatchObject({ status: 200 })
    const labels = { project_id: home, aliases: ['neu'], digest: 'v0' }
    const path = `/objs/${encodeURIComponent('größe_2')}/aliases`
    expect(await service.send('PUT', path, labels)).toMatchObject({ status: 200 })
    const back = await service.post('/obj/read', { project_id: home, object_id: 'größe_2', digest: 'neu' })
    expect(back.json.obj.val).toEqual(val)
    const refs = [val.of.replace('größe', 'gr%C3%B6%C3%9Fe'), `${val.of}/attr/rows`]
    expect((await service.post('/refs/read_batch', { refs })).json).toEqual({ vals: [val, val.rows] })
  })
})

describe('versions', () => {
  it('count up, and the last one written is latest, also when it was there before', async () => {
    const digests = []
    for (const n of [1, 2, 3]) digests.push((await create('counted', `{"n":${n}}`)).json.digest)
    const latest = await read('counted')
    expect(latest.json.obj).toMatchObject({
      project_id,
      object_id: 'counted',
      digest: digests[2],
      version_index: 2,
      is_latest: 1,
      kind: 'object',
      base_object_class: null,
      leaf_object_class: null,
      platform_user_id: 'user-all',
      wb_user_id: 'user-all',
      deleted_at: null,
      size_bytes: null,
      tags: null,
      val: { n: 3 },
    })
    expect(latest.json.obj.created_at).toMatch(/^20\d\d-\d\d-\d\dT[\d:]{8}(\.\d{6})?Z$/)
    const before = (await read('counted', 'v0')).json.obj
    expect(before).toMatchObject({ version_index: 0, is_latest: 0, val: { n: 1 } })
    await create('counted', '{"n":1}')
    expect((await read('counted')).json.obj).toEqual({ ...before, is_latest: 1 })
    expect((await read('counted', 'v2')).json.obj.is_latest).toBe(0)
    expect((await read('counted', 'v3')).status).toBe(404)
    expect((await read('counted', digests[1])).json.obj.version_index).toBe(1)
  })

  it('written at once get an index each', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, (_, n) => create('at-once', `{"n":${n % 20}}`)))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    const indexes = await Promise.all(
      [...new Set(all.map(({ json }) => json.digest))].map(
        async (digest) => (await read('at-once', digest)).json.obj.version_index,
      ),
    )
    expect(indexes.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n))
  })

  it('of one object id in two projects have nothing to do with each other', async () => {
    await create('shared', '{"p":1}')
    await service.post('/obj/create', { obj: { project_id: 'acme/two', object_id: 'shared', val: { p: 2 } } })
    expect((await read('shared')).json.obj).toMatchObject({ version_index: 0, val: { p: 1 } })
  })

  it('answer with metadata alone where that is asked', async () => {
    await create('meta', '{"large":true}')
    expect((await read('meta', 'latest', { metadata_only: true })).json.obj).toMatchObject({ val: {} })
  })
})

describe('kinds and classes', () => {
  it.each([
    ['an op', '{"_type":"CustomWeaveType","weave_type":{"type":"Op"}}', 'op', null, null],
    ['a custom type', '{"_type":"CustomWeaveType","weave_type":{"type":"X"}}', 'object', null, null],
    ['a plain value', '[1]', 'object', null, null],
    ['a class of the SDK', classed('Dataset'), 'object', 'Dataset', 'Dataset'],
    ['a class of a class', classed('MyModel', 'Mid', 'Model'), 'object', 'Model', 'MyModel'],
    ['an older root', '{"_class_name":"A","_bases":["BaseObject","BaseModel"]}', 'object', 'A', 'A'],
    ['bases that end otherwise', '{"_class_name":"A","_bases":["A","Object"]}', 'object', null, null],
  ])('%s', async (what, val, kind, base, leaf) => {
    const object = what.replaceAll(' ', '-')
    await create(object, val)
    expect((await read(object)).json.obj).toMatchObject({
      kind,
      base_object_class: base,
      leaf_object_class: leaf,
    })
  })

  it('clash under one object id', async () => {
    expect((await create('clash', classed('A', 'Model'))).status).toBe(200)
    expect((await create('clash', classed('B', 'Model'))).status).toBe(200)
    expect(await create('clash', classed('C', 'Scorer'))).toMatchObject({
      status: 400,
      json: { reason: expect.stringContaining('base class Model') },
    })
    expect((await create('clash', '{}')).status).toBe(400)
    expect((await create('clash', '{"_type":"CustomWeaveType","weave_type":{"type":"Op"}}')).status).toBe(200)
    expect((await read('clash', 'v3')).status).toBe(404)
  })

  it('clash also within one batch, and only the one that clashes is refused', async () => {
    const answers = await Promise.all(
      ['A', 'B', 'A'].map((base, i) => create('batch-clash', classed(`C${i}`, base))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400])
  })
})

describe('a built-in class', () => {
  const under = (name: string, val: string, object = name) =>
    create(object, val, `,"builtin_object_class":"${name}"`)

  it('completes the value and names its classes', async () => {
    expect((await under('Leaderboard', '{"columns":[]}')).status).toBe(200)
    expect((await read('Leaderboard')).json.obj).toMatchObject({
      base_object_class: 'Leaderboard',
      leaf_object_class: 'Leaderboard',
      val: { _type: 'Leaderboard', name: null, columns: [], _bases: ['BaseObject', 'BaseModel'] },
    })
  })

  it.each([
    ['Nothing', '{}'],
    ['Provider', '{}'],
    ['AlertSpec', '{"spec":{"threshold":1e999}}'],
  ])('%s refuses %s: 400', async (name, val) =>
    expect(await under(name, val, 'refused')).toMatchObject({ status: 400 }),
  )
})

describe('what is refused', () => {
  it.each([
    ['no JSON', '{"obj":', 400, 'BAD_BODY'],
    ['a list', '[]', 422, undefined],
    ['no object', '{}', 422, undefined],
    ['no value', '{"obj":{"project_id":"a/b","object_id":"x"}}', 422, undefined],
    ['a bad project', '{"obj":{"project_id":"a","object_id":"x","val":1}}', 422, undefined],
    ['a bad name', '{"obj":{"project_id":"a/b","object_id":"x/y","val":1}}', 422, 'BAD_NAME'],
    ['an empty name', '{"obj":{"project_id":"a/b","object_id":"","val":1}}', 422, 'BAD_NAME'],
    ['a long name', `{"obj":{"project_id":"a/b","object_id":"${'x'.repeat(129)}","val":1}}`, 422, 'BAD_NAME'],
    ['a number beyond doubles', '{"obj":{"project_id":"a/b","object_id":"x","val":1e999}}', 400, 'BAD_BODY'],
    [
      'too deep a value',
      `{"obj":{"project_id":"a/b","object_id":"x","val":${'['.repeat(600)}${']'.repeat(600)}}}`,
      400,
      'BAD_BODY',
    ],
  ])('%s', async (_what, body, status, code) => {
    const answer = await service.post('/obj/create', body)
    expect(answer.status).toBe(status)
    if (code === undefined) expect(answer.json.detail[0].loc[0]).toBe('body')
    else expect(answer.json.code).toBe(code)
  })

  it('an object that is not there', async () => {
    const answer = await read('nowhere')
    expect(answer).toMatchObject({ status: 404, json: { reason: 'Object nowhere:latest was not found.' } })
    expect(answer.json).not.toHaveProperty('deleted_at')
  })

  it('writing without the right to', async () => {
    const body = { obj: { project_id: 'acme/two', object_id: 'x', val: 1 } }
    const answer = await service.send('POST', '/obj/create', body, { authorization: 'Bearer one' })
    expect(answer).toMatchObject({ status: 403, json: { code: 'NO_RIGHT' } })
  })
})

it('tells SDKs the internal ids that digests are taken over', async () => {
  const { json } = await service.post('/service/projects_info', { project_ids: ['b/b', 'a/a'] })
  expect(json).toEqual([
    { external_project_id: 'b/b', internal_project_id: projectIdOf('b/b') },
    { external_project_id: 'a/a', internal_project_id: projectIdOf('a/a') },
  ])
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReads } from '../../cli/serve/reads.js'
import { startService, type TestService } from '../../query/testing/service.js'

let service: TestService
let digest = ''
let gone = ''
const project_id = 'acme/one'
const create = async (object_id: string, val: string) =>
  (
    await service.post(
      '/obj/create',
      `{"obj":{"project_id":"${project_id}","object_id":"${object_id}","val":${val}}}`,
    )
  ).json.digest as string
const read = (...refs: string[]) => service.post('/refs/read_batch', { refs })
const ref = (path = '', name = 'thing', version = digest) =>
  `weave:///acme/one/object/${name}:${version}${path}`

beforeAll(async () => {
  service = await startService((store) => createReads({ store, version: '' }).routes)
  digest = await create(
    'thing',
    '{"n":1.0,"big":123456789012345678901234567890,"list":[10,{"a/b c:%":["deep"]}],"":"empty","r":"weave:///acme/one/op/f:x","null":null}',
  )
  await create('circle', '{"a":"weave:///acme/one/object/circle:latest/attr/a"}')
  gone = await create('gone', '1')
  await service.store.insert('objects', 'JSONEachRow', [
    Buffer.from(
      JSON.stringify({
        project_id: (await service.post('/service/projects_info', { project_ids: [project_id] })).json[0]
          .internal_project_id,
        object_id: 'gone',
        digest: gone,
        deleted_ver: Date.now() * 1000 + 60_000_000,
      }),
    ),
  ])
}, 120_000)
afterAll(() => service.stop())

describe('refs', () => {
  it.each([
    ['', undefined],
    ['/attr/n', '1.0'],
    ['/key/big', '123456789012345678901234567890'],
    ['/attr/list/index/0', '10'],
    ['/attr/list/index/1/key/a%2Fb%20c%3A%25/index/0', '"deep"'],
    ['/key/', '"empty"'],
    ['/attr/r', '"weave:///acme/one/op/f:x"'],
    ['/attr/null', 'null'],
  ])('with the path "%s"', async (path, expected) => {
    const { status, text, json } = await read(ref(path))
    expect(status).toBe(200)
    if (expected === undefined) expect(Object.keys(json.vals[0])).toHaveLength(6)
    else expect(text).toBe(`{"vals":[${expected}]}`)
  })

  it('that lead to nothing, without an error if the caller asks for that', async () => {
    const refs = [
      ref('/attr/n'),
      ref('', 'nothing'),
      ref('', 'gone', gone),
      'weave:///acme/one/call/x',
      'no ref',
    ]
    expect((await read(...refs)).status).toBe(400)
    const { status, text } = await service.post('/refs/read_batch', { refs, allow_missing: true })
    expect([status, text]).toEqual([200, '{"vals":[1.0,null,null,null,null]}'])
  })

  it('a thousand at once, answered in order', async () => {
    const refs = Array.from({ length: 1000 }, (_, i) =>
      ref(i % 3 === 0 ? '/attr/n' : `/attr/list/index/${0}`),
    )
    const { json } = await read(...refs)
    expect(json.vals).toEqual(refs.map((_, i) => (i % 3 === 0 ? 1 : 10)))
  })

  it('with a path through objects that are stored by themselves, and through rows that name them', async () => {
    const inner = await create('inner', '{"x":{"y":[5]}}')
    const at = (path: string) => `weave:///acme/one/object/inner:${inner}${path}`
    const rows = [{ model: at(''), part: at('/attr/x') }]
    const table = (await service.post('/table/create', { table: { project_id, rows } })).json
    const outer = await create(
      'outer',
      JSON.stringify({ sub: at(''), list: [at('/attr/x')], rows: `weave:///acme/one/table/${table.digest}` }),
    )
    const row = `/attr/rows/id/${table.row_digests[0]}`
    const paths = [
      '/attr/sub',
      '/attr/sub/attr/x/key/y/index/0',
      '/attr/list/index/0/key/y',
      `${row}/key/model`,
    ]
    const deep = [`${row}/key/model/attr/x`, `${row}/key/part/key/y/index/0`]
    const { json } = await read(...[...paths, ...deep].map((path) => ref(path, 'outer', outer)))
    expect(json).toEqual({ vals: [at(''), 5, [5], at(''), { y: [5] }, 5] })
  })

  it('none are an empty list', async () => expect((await read()).json).toEqual({ vals: [] }))

  it('of what was deleted are null in their place', async () => {
    expect((await read(ref('/attr/n'), ref('', 'gone', gone), ref('/attr/n'))).json).toEqual({
      vals: [1, null, 1],
    })
    const answer = await service.post('/obj/read', { project_id, object_id: 'gone', digest: gone })
    expect(answer).toMatchObject({ status: 404, json: { deleted_at: expect.stringMatching(/Z$/) } })
    expect(
      (await service.post('/obj/read', { project_id, object_id: 'gone', digest: 'latest' })).json,
    ).toHaveProperty('deleted_at')
  })

  it('by latest or index are read too', async () =>
    expect((await read(ref('/attr/n', 'thing', 'latest'), ref('/attr/n', 'thing', 'v0'))).json).toEqual({
      vals: [1, 1],
    }))
})

describe('what is refused', () => {
  it('objects that are not there: 404, all of them named', async () => {
    const answer = await read(ref(), ref('', 'thing', 'b'), ref('/attr/x', 'other', 'a'))
    expect(answer).toMatchObject({ status: 404, json: { missing_object_digests: ['a', 'b'] } })
  })

  it.each([
    ['nothing of a ref', 'hello'],
    ['a call', 'weave:///acme/one/call/1'],
    ['a table', 'weave:///acme/one/table/1'],
  ])('%s: 400', async (_what, text) => {
    expect(await read(ref(), text)).toMatchObject({ status: 400, json: { code: 'BAD_REQUEST' } })
  })

  it.each([
    ['an index of an object', () => ref('/index/0')],
    ['a key of a list', () => ref('/attr/list/key/0')],
    ['a key that is not there', () => ref('/attr/x')],
    ['an index that is not there', () => ref('/attr/list/index/2')],
    ['a step into a number', () => ref('/attr/n/attr/x')],
    ['a row of what is no table', () => ref('/attr/r/id/x')],
    ['a step into an object that is not there', () => ref('/attr/r/attr/x')],
    ['objects that lead to each other', () => ref('/attr/a/attr/b', 'circle', 'latest')],
  ])('%s: null in its place, and the others are read', async (_what, text) => {
    expect((await read(ref('/attr/n'), text(), ref('/attr/n'))).json).toEqual({ vals: [1, null, 1] })
  })

  it('a row of a table in a project that the key may not read: null, as one that is not there', async () => {
    const table = { project_id: 'other/two', rows: [{ secret: 1 }] }
    const made = (await service.post('/table/create', { table })).json
    const rows = `weave:///other/two/table/${made.digest}`
    const version = await create('bait', JSON.stringify({ rows }))
    const row = ref(`/attr/rows/id/${made.row_digests[0]}`, 'bait', version)
    expect((await read(row)).json).toEqual({ vals: [{ secret: 1 }] })
    const answer = await service.send(
      'POST',
      '/refs/read_batch',
      { refs: [row] },
      { authorization: 'Bearer one' },
    )
    expect(answer.text).toBe('{"vals":[null]}')
  })
  it('an object inside an object, in a project that the key may not read: null, as one that is not there', async () => {
    const obj = { project_id: 'other/two', object_id: 'hidden', val: { secret: 1 } }
    const { digest: hidden } = (await service.post('/obj/create', { obj })).json
    const version = await create('lure', JSON.stringify({ to: `weave:///other/two/object/hidden:${hidden}` }))
    const inside = ref('/attr/to/attr/secret', 'lure', version)
    expect((await read(inside)).json).toEqual({ vals: [1] })
    const as = { authorization: 'Bearer one' }
    const answer = await service.send('POST', '/refs/read_batch', { refs: [inside] }, as)
    expect(answer.text).toBe('{"vals":[null]}')
  })

  it('1001 refs: 400', async () =>
    expect((await read(...Array.from({ length: 1001 }, () => ref()))).status).toBe(400))

  it('a project that the key may not read: 403', async () => {
    const body = { refs: [ref(), 'weave:///other/one/object/x:y'] }
    const answer = await service.send('POST', '/refs/read_batch', body, { authorization: 'Bearer reader' })
    expect(answer).toMatchObject({ status: 403, json: { code: 'NO_RIGHT' } })
  })
})

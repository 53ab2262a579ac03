import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReads } from '../../cli/serve/reads.js'
import { objectDigest, tableDigest } from '../../domain/refs/digest.js'
import { refsToInternal } from '../../domain/refs/refs.js'
import { sql } from '../../platform/clickhouse/sql.js'
import { parseTree } from '../../platform/json/tree.js'
import { startService, type TestService } from '../../query/testing/service.js'

let service: TestService
beforeAll(async () => {
  service = await startService((store) => createReads({ store, version: '' }).routes)
}, 120_000)
afterAll(() => service.stop())

const project_id = 'acme/one'
const create = (rows: string, more = '') =>
  service.post('/table/create', `{"table":{"project_id":"${project_id}","rows":${rows}${more}}}`)
const query = (digest: string, more = {}) => service.post('/table/query', { project_id, digest, ...more })
const vectors = JSON.parse(
  readFileSync(new URL('../../domain/refs/vectors.json', import.meta.url), 'utf8'),
) as { row: { json: string; digest: string }[]; table: { row_digests: string[]; digest: string }[] }
const vectorRows = `[${vectors.row.map(({ json }) => json).join(',')}]`

interface Row {
  digest: string
  val: Record<string, unknown>
  original_index: number
}
const rowsOf = async (digest: string, more = {}) => (await query(digest, more)).json.rows as Row[]
const indexes = async (digest: string, more = {}) =>
  (await rowsOf(digest, more)).map((row) => row.original_index)

describe('tables', () => {
  it('have the digests of their rows and of themselves, again and again', async () => {
    const { row_digests, digest } = vectors.table[0]!
    for (let again = 0; again < 2; again++) {
      const answer = await create(vectorRows, `,"expected_digest":"${digest}"`)
      expect(answer).toMatchObject({ status: 200, json: { digest, row_digests } })
    }
    const { text } = await query(digest)
    const lines = vectors.row.map(
      ({ json, digest }, i) => `{"digest":"${digest}","val":${json},"original_index":${i}}`,
    )
    expect(text).toBe(`{"rows":[${lines.join(',')}]}`)
    const stream = await service.post('/table/query_stream', { project_id, digest })
    expect(stream.headers.get('content-type')).toBe('application/jsonl')
    expect(stream.text).toBe(lines.map((line) => `${line}\n`).join(''))
  })

  it('may be empty', async () => {
    const { digest } = vectors.table[1]!
    expect((await create('[]')).json).toEqual({ digest, row_digests: [] })
    expect((await query(digest)).text).toBe('{"rows":[]}')
    expect((await service.post('/table/query_stats', { project_id, digest })).json).toEqual({ count: 0 })
  })

  it('that are not there have no rows', async () => {
    expect((await query('nothing')).json).toEqual({ rows: [] })
    expect((await service.post('/table/query_stream', { project_id, digest: 'nothing' })).text).toBe('')
    expect((await service.post('/table/query_stats', { project_id, digest: 'nothing' })).json).toEqual({
      count: 0,
    })
  })

  it('of another project are not there', async () => {
    const { digest } = (await create('[{"secret":1}]')).json
    expect((await service.post('/table/query', { project_id: 'acme/two', digest })).json).toEqual({
      rows: [],
    })
  })

  it('store a row once, whatever table it comes in, and as it was written', async () => {
    const odd =
      ' { "n" : 1.0 , "big":123456789012345678901234567890, "e":"\\u00e9\\ud83d\\ude00", "s":"a  b" } '
    const { digest, row_digests } = (await create(`[${odd},{"x":"stored once"},${odd}]`)).json
    await create(`[{"x":"stored once"},{"n":1.0,"e":"é😀","s":"a  b","big":123456789012345678901234567890}]`)
    const stored = await service.store.row(
      sql`SELECT count() AS count FROM table_rows WHERE val LIKE '%stored once%' OR val LIKE '%a  b%'`,
    )
    expect(stored).toEqual({ count: 2 })
    const answer = await query(digest)
    expect(answer.json.rows.map((row: Row) => row.digest)).toEqual(row_digests)
    expect(answer.text).toContain(
      '"val":{"n":1.0,"big":123456789012345678901234567890,"e":"\\u00e9\\ud83d\\ude00","s":"a  b"},',
    )
  })

  it('hold refs in internal form and give them back in that of the wire', async () => {
    const row = '{"r":"weave:///acme/never-seen/object/a:b","n":1.0}'
    const escaped = '{"r":"weave:\\/\\/\\/acme\\/never-seen\\/object\\/a:b","n":1.0}'
    const digest = objectDigest(refsToInternal(parseTree(row)))
    const made = (await create(`[${row},${escaped}]`)).json
    expect(made.row_digests).toEqual([digest, digest])
    const restarted = await service.again()
    const answer = await restarted.post('/table/query', { project_id, digest: made.digest })
    await restarted.stop()
    expect(answer.json.rows.map((found: Row) => JSON.stringify(found.val))).toEqual(
      Array(2).fill('{"r":"weave:///acme/never-seen/object/a:b","n":1}'),
    )
  })

  it('are read through refs of their rows', async () => {
    const made = (await create('[{"q":{"deep":[1.50]}},{"q":2}]')).json
    const ref = `weave:///acme/one/table/${made.digest}`
    const object = await service.post('/obj/create', {
      obj: { project_id, object_id: 'set', val: { rows: ref } },
    })
    const base = `weave:///acme/one/object/set:${object.json.digest}/attr/rows`
    const [first, second] = made.row_digests
    const read = (...refs: string[]) => service.post('/refs/read_batch', { refs })
    expect(
      (await read(base, `${base}/id/${first}/key/q/key/deep/index/0`, `${base}/id/${second}`)).text,
    ).toBe(`{"vals":["${ref}",1.50,{"q":2}]}`)
    expect((await read(`${base}/id/nothing`)).text).toBe('{"vals":[null]}')
  })
})

describe('rows by digest', () => {
  // Each request counts: after some, the places of the rows are in memory.
  const REQUESTS = 12

  it('are the same however often they are asked for', async () => {
    const rows = Array.from({ length: 40 }, (_, n) => ({ again: n % 30 }))
    const { digest, row_digests } = (await create(JSON.stringify(rows))).json as {
      digest: string
      row_digests: string[]
    }
    const stranger = (await create('[{"again":"in another table"}]')).json.row_digests[0] as string
    const object = await service.post('/obj/create', {
      obj: { project_id, object_id: 'again', val: { rows: `weave:///${project_id}/table/${digest}` } },
    })
    const base = `weave:///${project_id}/object/again:${object.json.digest}/attr/rows/id`
    const chosen = [row_digests[35]!, row_digests[20]!, 'nothing', row_digests[3]!, stranger, row_digests[5]!]
    const asked = { filter: { row_digests: chosen } }
    for (let n = 0; n < REQUESTS; n++) {
      expect(await indexes(digest, asked)).toEqual([3, 5, 20, 33, 35])
      expect(await indexes(digest, { ...asked, limit: 2, offset: 1 })).toEqual([5, 20])
      const sort_by = [{ field: 'again', direction: 'desc' }]
      expect(await indexes(digest, { ...asked, sort_by })).toEqual([20, 5, 35, 3, 33])
      const refs = chosen.map((row) => `${base}/${row}`)
      expect((await service.post('/refs/read_batch', { refs })).json.vals).toEqual([
        ...[{ again: 5 }, { again: 20 }, null, { again: 3 }, { again: 'in another table' }, { again: 5 }],
      ])
    }
  })
})

describe('tables of digests', () => {
  it('are made of rows that are there, in any order and number', async () => {
    const { row_digests } = (await create('[{"d":1},{"d":2},{"d":3}]')).json
    const list = [row_digests[2], row_digests[0], row_digests[2]]
    const made = await service.post('/table/create_from_digests', {
      project_id,
      row_digests: list,
      expected_digest: tableDigest(list),
    })
    expect(made.json).toEqual({ digest: tableDigest(list) })
    expect(
      (await rowsOf(made.json.digest)).map(({ val, original_index }) => [val.d, original_index]),
    ).toEqual([
      [3, 0],
      [1, 1],
      [3, 2],
    ])
    const stats = await service.post('/table/query_stats_batch', {
      project_id,
      digests: ['x', made.json.digest],
      include_storage_size: true,
    })
    expect(stats.json).toEqual({ tables: [{ digest: made.json.digest, count: 3, storage_size_bytes: 21 }] })
  })

  it('may be empty, as the SDK asks to see whether the route is there', async () =>
    expect((await service.post('/table/create_from_digests', { project_id, row_digests: [] })).json).toEqual({
      digest: vectors.table[1]!.digest,
    }))

  it('of tables and other rows, with some that came again, hold each row at its places', async () => {
    const rows = (from: number, count: number) =>
      JSON.stringify(Array.from({ length: count }, (_, i) => ({ pieced: from + i, text: 'é'.repeat(i % 3) })))
    const [first, second] = [(await create(rows(0, 30))).json, (await create(rows(20, 30))).json]
    const digests = (made: Record<string, unknown>) => made.row_digests as string[]
    const lists = [
      [...digests(first), ...digests(second), ...digests(first)],
      [...digests(second), ...digests(first).slice(3, 20), ...digests(second)],
      [...digests(first), ...digests(second).slice(0, 29)],
      [...digests(first), digests(second)[7]!],
    ]
    const anew = await service.again()
    for (const with_ of [service, anew])
      for (const list of lists) {
        const row_digests = with_ === anew ? [...list, digests(first)[1]!] : list
        const asked = { project_id, row_digests }
        const { digest } = (await with_.post('/table/create_from_digests', asked)).json
        expect((await with_.post('/table/create_from_digests', asked)).json).toEqual({ digest })
        const found = await rowsOf(digest)
        expect(found.map((row) => row.digest)).toEqual(row_digests)
        expect(found.map((row) => row.original_index)).toEqual(row_digests.map((_, i) => i))
        const stats = { project_id, digests: [digest], include_storage_size: true }
        const { tables } = (await with_.post('/table/query_stats_batch', stats)).json
        const bytes = found.reduce((sum, { val }) => sum + Buffer.byteLength(JSON.stringify(val)), 0)
        expect(tables).toEqual([{ digest, count: row_digests.length, storage_size_bytes: bytes }])
        const sorted = await rowsOf(digest, {
          sort_by: [{ field: 'pieced', direction: 'desc' }],
          limit: 9,
          offset: 2,
        })
        const ordered = [...found].sort((a, b) => Number(b.val.pieced) - Number(a.val.pieced))
        expect(sorted).toEqual(ordered.slice(2, 11))
      }
    await anew.stop()
  })

  it('of chunks that were uploaded side by side come whole', async () => {
    const chunks = Array.from({ length: 8 }, (_, c) =>
      Array.from({ length: 2500 }, (_, i) => ({ id: c * 2500 + i, same: i % 10 })),
    )
    const uploads = await Promise.all(chunks.map((rows) => create(JSON.stringify(rows))))
    const list = uploads.flatMap(({ json }) => json.row_digests as string[])
    const { digest } = (await service.post('/table/create_from_digests', { project_id, row_digests: list }))
      .json
    const { text } = await service.post('/table/query_stream', { project_id, digest })
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row)
    expect(lines.map(({ val }) => val.id)).toEqual(Array.from({ length: 20_000 }, (_, i) => i))
    expect(lines.map((line) => line.digest)).toEqual(list)
    expect(await indexes(digest, { offset: 19_990, limit: 100 })).toEqual(
      Array.from({ length: 10 }, (_, i) => 19_990 + i),
    )
    expect(
      (await rowsOf(digest, { sort_by: [{ field: 'id', direction: 'desc' }], limit: 2, offset: 1 })).map(
        ({ val }) => val.id,
      ),
    ).toEqual([19_998, 19_997])
  }, 60_000)
})

describe('changes of tables', () => {
  const update = (base_digest: string, updates: unknown) =>
    service.post('/table/update', { project_id, base_digest, updates })

  it('make another table, in the order they come', async () => {
    const base = (await create('[{"u":0},{"u":1},{"u":2}]')).json
    const answer = await update(base.digest, [
      { append: { row: { u: 3 } } },
      { pop: { index: 0 } },
      { insert: { index: 1, row: { u: 9 } } },
      { insert: { index: 4, row: { u: 1 } } },
    ])
    expect(answer.status).toBe(200)
    const rows = await rowsOf(answer.json.digest)
    expect(rows.map(({ val }) => val.u)).toEqual([1, 9, 2, 3, 1])
    expect(answer.json.digest).toBe(tableDigest(rows.map(({ digest }) => digest)))
    expect(answer.json.updated_row_digests).toEqual([
      rows[3]!.digest,
      base.row_digests[0],
      rows[1]!.digest,
      base.row_digests[1],
    ])
    expect((await rowsOf(base.digest)).map(({ val }) => val.u)).toEqual([0, 1, 2])
  })

  it('that are none make the same table', async () => {
    const base = (await create('[{"u":0}]')).json
    expect((await update(base.digest, [])).json).toEqual({ digest: base.digest, updated_row_digests: [] })
  })

  it.each([
    ['pop', { pop: { index: 1 } }, 400],
    ['pop', { pop: { index: -1 } }, 400],
    ['insert', { insert: { index: 2, row: {} } }, 400],
    ['row', { append: { row: [] } }, 422],
    ['index', { pop: { index: '1' } }, 422],
    ['index', { pop: { index: 0.5 } }, 422],
    ['payload', { append: {} }, 422],
    ['kind', { remove: {} }, 422],
    ['change', 'pop', 422],
  ])('with a bad %s are refused, and nothing is stored', async (_what, change, status) => {
    const base = (await create('[{"u":0}]')).json
    expect(
      (await update(base.digest, [{ append: { row: { never: 1 } } }, { pop: { index: 0 } }, change])).status,
    ).toBe(status)
    const answer = await service.store.row(sql`SELECT 1 FROM table_rows WHERE val LIKE '%never%'`)
    expect(answer).toBeUndefined()
  })

  it('of a table that is not there: 404', async () => expect((await update('nothing', [])).status).toBe(404))

  it('of many pieces come whole', async () => {
    const base = (await create(JSON.stringify(Array.from({ length: 400 }, (_, i) => ({ piece: i }))))).json
    const updates = Array.from({ length: 120 }, (_, i) => ({ insert: { index: i * 4, row: { put: i } } }))
    const { json } = await update(base.digest, updates)
    const expected: unknown[] = Array.from({ length: 400 }, (_, i) => i)
    for (let i = 0; i < 120; i++) expected.splice(i * 4, 0, `put ${i}`)
    const rows = await rowsOf(json.digest)
    expect(rows.map(({ val }) => val.piece ?? `put ${val.put}`)).toEqual(expected)
  })
})

describe('rows that are chosen', () => {
  let digest = ''
  let digests: string[] = []
  beforeAll(async () => {
    const made = await create(
      '[{"k":"b","n":10,"o":{"l":[5]}},{"k":"a","n":9.5},{"n":null,"k":"c"},{"k":"a","n":"x","a.b":1},{"k":"d"}]',
    )
    digest = made.json.digest
    digests = made.json.row_digests
  })

  it.each([
    [{}, [0, 1, 2, 3, 4]],
    [{ limit: 2 }, [0, 1]],
    [{ limit: 0 }, []],
    [{ limit: -1 }, [0, 1, 2, 3, 4]],
    [{ offset: 3 }, [3, 4]],
    [{ offset: 9 }, []],
    [{ limit: 2, offset: 1 }, [1, 2]],
    [{ sort_by: [{ field: 'k' }] }, [1, 3, 0, 2, 4]],
    [
      {
        sort_by: [
          { field: 'k', direction: 'desc' },
          { field: 'n', direction: 'asc' },
        ],
      },
      [4, 2, 0, 1, 3],
    ],
    [{ sort_by: [{ field: 'n', direction: 'asc' }] }, [1, 0, 3, 2, 4]],
    [{ sort_by: [{ field: 'n', direction: 'desc' }] }, [0, 1, 3, 2, 4]],
    [{ sort_by: [{ field: 'o.l.0' }], limit: 1 }, [0]],
    [{ sort_by: [] }, [0, 1, 2, 3, 4]],
  ])('%j', async (asked, expected) => expect(await indexes(digest, asked)).toEqual(expected))

  it('in one order, page by page', async () => {
    const sort_by = [{ field: 'n', direction: 'desc' }]
    const pages = [0, 1, 2, 3, 4, 5].map((offset) => indexes(digest, { sort_by, limit: 1, offset }))
    expect((await Promise.all(pages)).flat()).toEqual([0, 1, 3, 2, 4])
  })
  it('in an order that was asked for before the table was there', async () => {
    const row = '{"late":1}'
    const late = tableDigest([objectDigest(Buffer.from(row))])
    const page = { sort_by: [{ field: 'late' }], limit: 10 }
    expect(await indexes(late, page)).toEqual([])
    await create(`[${row}]`)
    expect(await indexes(late, page)).toEqual([0])
  })
  it('by their digests', async () => {
    const filter = { row_digests: [digests[3], digests[1], 'nothing'] }
    expect(await indexes(digest, { filter })).toEqual([1, 3])
    expect(await indexes(digest, { filter, sort_by: [{ field: 'n', direction: 'desc' }], limit: 1 })).toEqual(
      [1],
    )
    expect(await indexes(digest, { filter: { row_digests: [] } })).toHaveLength(5)
  })

  it.each(['', '.a', 'a.', 'a..b', ' '])('by the path "%s": 400', async (field) =>
    expect((await query(digest, { sort_by: [{ field }] })).status).toBe(400),
  )
  it("by a hostile path: as if it weren't there", async () =>
    expect(await indexes(digest, { sort_by: [{ field: `k') DESC; DROP TABLE tables; --` }] })).toHaveLength(
      5,
    ))
  it('in a direction that is none: 422', async () =>
    expect((await query(digest, { sort_by: [{ field: 'k', direction: 'up' }] })).status).toBe(422))
})

describe('what is refused', () => {
  it.each([
    ['no JSON', '{"table":{"rows":[{]}}', 400, undefined],
    ['no table', '{}', 422, ['body', 'table']],
    ['no rows', '{"table":{"project_id":"a/b"}}', 422, ['body', 'table', 'rows']],
    ['rows that are no list', '{"table":{"project_id":"a/b","rows":{}}}', 422, ['body', 'table', 'rows']],
    [
      'a row that is no object',
      '{"table":{"project_id":"a/b","rows":[{},1]}}',
      422,
      ['body', 'table', 'rows', '1'],
    ],
    ['a bad project', '{"table":{"project_id":"a","rows":[]}}', 422, ['body', 'table', 'project_id']],
    ['a number beyond doubles', '{"table":{"project_id":"a/b","rows":[{"n":1e999}]}}', 400, undefined],
  ])('%s', async (_what, body, status, loc) => {
    const answer = await service.post('/table/create', body)
    expect(answer.status).toBe(status)
    if (loc) expect(answer.json.detail[0].loc).toEqual(loc)
  })

  it('another digest than the one that is expected: 409, and nothing is stored', async () => {
    expect(await create('[{"unexpected":1}]', ',"expected_digest":"x"')).toMatchObject({
      status: 409,
      json: { code: 'CONFLICT' },
    })
    const list = { project_id, row_digests: ['a'], expected_digest: 'x' }
    expect((await service.post('/table/create_from_digests', list)).status).toBe(409)
  })

  it('writing without the right to: 403', async () => {
    const body = { table: { project_id: 'acme/two', rows: [] } }
    expect((await service.send('POST', '/table/create', body, { authorization: 'Bearer one' })).status).toBe(
      403,
    )
  })
})

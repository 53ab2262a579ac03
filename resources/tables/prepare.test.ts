import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { objectDigest, tableDigest } from '../../domain/refs/digest.js'
import { DigestList } from './digest-list.js'
import { makeUpdate, prepareTable } from './prepare.js'

const many = (one: string) => `[${`${one},`.repeat(1_000_000)}${one}]`

it.each([
  ['rows', () => prepareTable(Buffer.from(`{"table":{"project_id":"a/b","rows":${many('{}')}}}`))],
  ['changes', () => makeUpdate({ bytes: Buffer.from(`{"updates":${many('{}')}}`), base: new Uint8Array() })],
])('more %s than memory should hold are refused', (_, prepare) => {
  expect(prepare).toThrow('send at most 1000000 rows in one request.')
})

describe('a table', () => {
  const body = (rows: string) => Buffer.from(`{"table":{"rows":${rows},"project_id":"a/b"}}`)
  const texts = ({ rows: { texts, ends } }: ReturnType<typeof prepareTable>) =>
    Array.from(ends, (end, i) => Buffer.from(texts.subarray(ends[i - 1] ?? 0, end)).toString())

  it('has the digests of its rows in their order, and each text once, without spaces', () => {
    const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 15 }), { maxLength: 8 })
    fc.assert(
      fc.property(objects, fc.nat(), fc.constantFrom('', ' ', '\n  '), (some, again, space) => {
        const rows = some.concat(some.slice(again % (some.length + 1)))
        const made = prepareTable(body(JSON.stringify(rows, null, space)))
        const digests = rows.map((row) => objectDigest(Buffer.from(JSON.stringify(row))))
        const distinct = [...DigestList.over(made.rows.digests).texts()]
        expect(Array.from(made.order, (row) => distinct[row])).toEqual(digests)
        expect(distinct).toEqual([...new Set(digests)])
        expect(made.digest).toBe(tableDigest(digests))
        const first = distinct.map((digest) => JSON.stringify(rows[digests.indexOf(digest)]))
        expect(texts(made)).toEqual(first)
      }),
    )
  })

  it('is the last one where a key comes twice', () => {
    const twice =
      '{"table":7,"table":{"rows":[{"a":1}],"project_id":"a/b","rows":[{"b":1},{"c":1}]},"more":[]}'
    expect(texts(prepareTable(Buffer.from(twice)))).toEqual(['{"b":1}', '{"c":1}'])
  })

  it.each([
    ['{"table":{"project_id":"a/b","rows":[{}]}} 1', 'more text'],
    ['{"table":{"project_id":"a/b","rows":[{"a":1},]}}', 'JSON'],
    ['{"table":{"project_id":"a/b","rows":[{"a":01}]}}', 'comma'],
    [`{"table":{"project_id":"a/b","rows":[${'['.repeat(600)}`, 'nested'],
  ])('that is not JSON is refused: %.60s', (text, reason) => {
    expect(() => prepareTable(Buffer.from(text))).toThrow(reason)
  })

  it.each([
    ['[]', ['body']],
    ['{}', ['body', 'table']],
    ['{"table":[]}', ['body', 'table']],
    ['{"table":{"project_id":"a/b"}}', ['body', 'table', 'rows']],
    ['{"table":{"project_id":"a/b","rows":{}}}', ['body', 'table', 'rows']],
    ['{"table":{"project_id":"a/b","rows":[{},7]}}', ['body', 'table', 'rows', '1']],
    ['{"table":{"rows":[{}]}}', ['body', 'table', 'project_id']],
  ])('that is not as it should be is refused, with the place: %s', (text, loc) => {
    const prepare = () => prepareTable(Buffer.from(text))
    expect(prepare).toThrow(expect.objectContaining({ violations: [expect.objectContaining({ loc })] }))
  })
})

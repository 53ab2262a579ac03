/** The files are made by files/make.py. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetMetadata } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { checkBounds, LIMITS } from './bounds'
import { parquetRows } from './parquet'
import { timeOf } from './value'

const read = (name: string): ArrayBuffer =>
  new Uint8Array(readFileSync(join(import.meta.dirname, 'files', `${name}.parquet`))).buffer

const FULL = {
  q: 'Wo ist 北京? 🙂',
  kind: 'a',
  n: '9007199254740993',
  u: '18446744073709551615',
  small: -7,
  score: 0.1,
  ratio: 0.1,
  on: true,
  at: '2026-01-02T03:04:05.678901Z',
  local: '2026-01-02T03:04:05.678',
  precise: '2026-01-02T03:04:05.678901Z',
  day: '1969-12-31',
  clock: '23:59:59.000005',
  price: 19.99,
  wide: '-12345678901234567890.123',
  bytes: '/wA=',
  tags: ['x', null, ''],
  grid: [[1, 2], [], [3]],
  who: { name: 'Ada', ids: [1, 2] },
  messages: [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: null },
  ],
  labels: { a: 1, b: 2 },
  constructor: 'c',
}
const ROWS = [
  FULL,
  Object.fromEntries(Object.keys(FULL).map((name) => [name, null])),
  {
    ...FULL,
    kind: 'b',
    ...{
      n: -5,
      u: 3,
      score: null,
      on: false,
      at: '1950-01-01T00:00:00Z',
      price: -0.5,
      wide: 7,
      bytes: 'text',
    },
    ...{ tags: [], grid: [], who: { name: null, ids: null }, messages: [], labels: {} },
  },
]

describe('rows of a Parquet file', () => {
  it.each(['none', 'snappy', 'gzip', 'zstd', 'brotli', 'lz4'])('compressed by %s', async (codec) =>
    expect(await parquetRows(read(codec))).toEqual(ROWS),
  )

  it('with the encodings of newer writers', async () =>
    expect(await parquetRows(read('v2'))).toEqual(
      ROWS.map(({ q, n, score, on, tags, who }: Record<string, unknown>) => ({ q, n, score, on, tags, who })),
    ))

  it('in many groups and pages, with times of twelve bytes, and without the index of pandas', async () =>
    expect(await parquetRows(read('groups'))).toEqual(
      Array.from({ length: 300 }, (_, i) => ({
        i,
        word: ['loom', 'weft', null][i % 3],
        at: '2026-01-02T03:04:05.678901Z',
      })),
    ))

  it('of DuckDB', async () => {
    const row = {
      uuid: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
      gap: 'P1M2DT1.5S',
      json: { a: [1, null] },
      level: 'high',
      price: 1.1,
      map: { k: [1.5] },
      blob: 'AP4=',
      list: [{ a: 1 }, null],
      day: '2026-01-02',
      at: '2026-01-02T03:04:05Z',
    }
    expect(await parquetRows(read('duckdb'))).toEqual([1, 2].map((id) => ({ id, ...row })))
  })

  it('of Polars', async () =>
    expect(await parquetRows(read('polars'))).toEqual([
      { q: 'a', tags: ['x'], who: { n: 1 }, at: '2026-01-02T03:04:05.678901', kind: 'u' },
      { q: null, tags: [], who: null, at: null, kind: 'v' },
    ]))

  it('survive JSON', async () => {
    const rows = await parquetRows(read('snappy'))
    expect(JSON.parse(JSON.stringify(rows))).toEqual(rows)
  })
})

it.each<[bigint, number, string]>([
  [-1n, 3, '1969-12-31T23:59:59.999'],
  [0n, 9, '1970-01-01T00:00:00'],
  [1n, 9, '1970-01-01T00:00:00.000000001'],
  [10n ** 18n, 3, '1000000000000000000'],
])('%d units after the epoch, %d digits, are %s', (count, digits, text) =>
  expect(timeOf(count, digits)).toBe(text),
)

describe('a broken file', () => {
  /** Rows, or a sentence that says what to do. */
  const settles = async (bytes: ArrayBuffer) => {
    const problem = await parquetRows(bytes).then(
      () => undefined,
      (error: Error) => error.message,
    )
    if (problem !== undefined) expect(problem).toMatch(/JSON lines of it|Choose a part/)
    return problem
  }

  it('that is cut is refused', async () => {
    const whole = read('snappy')
    for (const length of [4, 8, 100, whole.byteLength - 1])
      expect(await settles(whole.slice(0, length))).toContain('damaged')
  })

  it.each(['none', 'snappy', 'duckdb'])('with any one byte changed ends: %s', async (name) => {
    const whole = new Uint8Array(read(name))
    for (let at = 4; at < whole.length; at += 7) {
      const broken = whole.slice()
      broken[at]! ^= 0xff
      await settles(broken.buffer)
    }
  })
})

it.each<[keyof typeof LIMITS, number, string]>([
  ['rows', 299, '300 rows; at most 299'],
  ['values', 1199, 'more than 1199 values'],
  ['bytes', 5000, 'more than 0.005 MB, inflated'],
])('more %s than %d are refused before they are read', (what, most, message) => {
  const file = read('groups')
  const check = (limits: typeof LIMITS) => checkBounds(file, parquetMetadata(file), limits)
  expect(() => check({ ...LIMITS, [what]: most })).toThrow(message)
  expect(() => check(LIMITS)).not.toThrow()
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { samplePage } from './page.js'

async function* inPieces(bytes: Buffer, piece: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
}

/** All pages, one after the other. */
async function paged(file: Buffer, limit: number, piece: number): Promise<unknown[]> {
  const found: unknown[] = []
  for (let from = 0; ; ) {
    const text = await samplePage(inPieces(file.subarray(from), piece), { from, to: file.length }, limit)
    const page = JSON.parse(text)
    expect(page.first_id).toBe(page.data[0]?.id ?? '')
    expect(page.data.length).toBeLessThanOrEqual(limit)
    found.push(...page.data.map(({ sample }: { sample: unknown }) => sample))
    if (!page.has_more) return found
    from = Number(page.last_id)
  }
}

it('pages of any size give each line once, in order, however the bytes come', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }) }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 9 }),
      async (rows, limit, piece) => {
        const file = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
        expect(await paged(file, limit, piece)).toEqual(rows)
      },
    ),
  ))

it('a long line is named, and a page ends before it holds much', async () => {
  const long = JSON.stringify({ text: 'x'.repeat(2 ** 20) })
  const wide = JSON.stringify({ text: 'y'.repeat(900_000) })
  const file = Buffer.from([long, wide, wide, wide, wide, wide, '{}'].map((line) => `${line}\n`).join(''))
  const { data, has_more } = JSON.parse(
    await samplePage(inPieces(file, 65_536), { from: 0, to: file.length }, 20),
  )
  expect(data[0]).toEqual({ id: String(long.length + 1), bytes: long.length + 1, sample: null })
  expect([data.length, has_more]).toEqual([5, true])
  expect(await paged(file, 20, 65_536)).toHaveLength(7)
})

it('a file without lines has none', async () => {
  expect(JSON.parse(await samplePage(undefined, { from: 0, to: 0 }, 5))).toMatchObject({
    data: [],
    has_more: false,
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tableDigest } from '../../domain/refs/digest.js'
import { DigestList } from './digest-list.js'
import { applyChanges, type Change, type Changed, portions } from './update.js'

const listOf = (digests: readonly string[]) =>
  DigestList.ofLines(Buffer.from(digests.map((one) => `${one}\n`).join('')))
/** What came along: the digests of some rows. */
const along = (digests: readonly string[]) => ({ digestOf: (row: number) => digests[row]! })
const rowsOf = (base: DigestList, given: readonly string[], { kept, order, positions }: Changed) => {
  const rows: string[] = []
  for (const { range, at } of kept)
    for (let i = range.from; i < range.to; i++) rows[at + i - range.from] = base.at(i)
  order.forEach((row, i) => {
    rows[positions[i]!] = given[row]!
  })
  return rows
}
const digest = fc.stringMatching(/^[A-Za-z0-9é]{1,6}$/)

describe('lists of digests', () => {
  it('hold what they were made of', () => {
    fc.assert(
      fc.property(fc.array(digest), (digests) => {
        const list = listOf(digests)
        expect(Array.from({ length: list.length }, (_, i) => list.at(i))).toEqual(digests)
        expect(Buffer.from(list.joined(0, list.length)).toString()).toBe(digests.join(''))
      }),
    )
  })
})

describe('changes', () => {
  it('do to pieces what they do to a list', () => {
    const change = fc.record({ at: fc.nat(), kind: fc.constantFrom('append', 'pop', 'insert'), digest })
    fc.assert(
      fc.property(
        fc.array(digest, { maxLength: 30 }),
        fc.array(change, { maxLength: 80 }),
        (digests, wanted) => {
          const model = [...digests]
          const touched: string[] = []
          const changes: Change[] = []
          const given: string[] = []
          for (const { at, kind, digest } of wanted) {
            if (kind === 'append') {
              changes.push({ kind, row: given.push(digest) - 1 })
              model.push(digest)
              touched.push(digest)
            } else if (kind === 'insert') {
              const index = at % (model.length + 1)
              changes.push({ kind, index, row: given.push(digest) - 1 })
              model.splice(index, 0, digest)
              touched.push(digest)
            } else if (model.length > 0) {
              const index = at % model.length
              changes.push({ kind: 'pop', index })
              touched.push(...model.splice(index, 1))
            }
          }
          const base = listOf(digests)
          const changed = applyChanges(base, changes, along(given))
          expect(rowsOf(base, given, changed)).toEqual(model)
          expect(changed).toMatchObject({ touched, length: model.length, digest: tableDigest(model) })
        },
      ),
      { numRuns: 500 },
    )
  })

  it('that are very many inside are refused, appended ones are not', () => {
    const many = Array.from({ length: 10_001 })
    const base = listOf(['a'])
    expect(() =>
      applyChanges(
        base,
        many.map(() => ({ kind: 'insert', index: 0, row: 0 })),
        along(['b']),
      ),
    ).toThrow('at most 10000')
    expect(
      applyChanges(
        base,
        many.map(() => ({ kind: 'append', row: 0 })),
        along(['b']),
      ).length,
    ).toBe(10_002)
  })

  it('of a million rows are quick to find', () => {
    const base = listOf(Array.from({ length: 100_000 }, (_, i) => `d${i}`))
    const changes = Array.from(
      { length: 10_000 },
      (_, i): Change => ({ kind: 'insert', index: (i * 7919) % 100_000, row: 0 }),
    )
    expect(applyChanges(base, changes, along(['n'])).length).toBe(110_000)
  })
})

describe('portions', () => {
  it('hold the same rows at the same places, no more of them than they may', () => {
    const piece = fc.record({ from: fc.nat(50), size: fc.nat(30), at: fc.nat(1000) })
    const placesOf = (copied: readonly { range: { from: number; to: number }; at: number }[]) =>
      copied.flatMap(({ range, at }) =>
        Array.from({ length: range.to - range.from }, (_, i) => [range.from + i, at + i]),
      )
    fc.assert(
      fc.property(
        fc.array(piece),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 5 }),
        (all, rows, pieces) => {
          const copied = all.map(({ from, size, at }) => ({
            table: 't',
            range: { from, to: from + size },
            at,
          }))
          const cut = [...portions(copied, rows, pieces)]
          expect(placesOf(cut.flat())).toEqual(placesOf(copied))
          for (const portion of cut) {
            expect(portion.length).toBeLessThanOrEqual(pieces)
            expect(placesOf(portion).length).toBeLessThanOrEqual(rows)
          }
        },
      ),
    )
  })
})

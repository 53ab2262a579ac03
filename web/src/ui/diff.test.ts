import { describe, expect, it } from 'vitest'
import { changesOf, linesOf, rowChanges } from './diff'

describe('diff', () => {
  it('names what was added, removed and changed, at the highest place', () => {
    expect(changesOf({ a: 1, b: { c: [1, 2] }, d: 0 }, { a: 1, b: { c: [1, 3, 4] }, e: { f: 1 } })).toEqual([
      { path: 'b.c.1', kind: 'changed', before: 2, after: 3 },
      { path: 'b.c.2', kind: 'added', after: 4 },
      { path: 'd', kind: 'removed', before: 0 },
      { path: 'e', kind: 'added', after: { f: 1 } },
    ])
    expect(changesOf([], {})).toEqual([{ path: '', kind: 'changed', before: [], after: {} }])
    expect(changesOf({ a: [null] }, { a: [null] })).toEqual([])
  })

  it('keeps the lines that two texts have in common', () => {
    expect(linesOf('a\nb\nc', 'a\nc\nd')).toEqual([
      { kind: 'same', text: 'a' },
      { kind: 'removed', text: 'b' },
      { kind: 'same', text: 'c' },
      { kind: 'added', text: 'd' },
    ])
    const long = 'x\n'.repeat(3_000)
    expect(linesOf(long, `${long}y`).filter(({ kind }) => kind === 'same')).toEqual([])
  })

  it('counts a row that is there twice twice', () => {
    const rows = (...digests: string[]) => digests.map((digest) => ({ digest }))
    expect(rowChanges(rows('a', 'b', 'b'), rows('b', 'c'))).toEqual({
      added: rows('c'),
      removed: rows('a', 'b'),
    })
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExactNumber } from '../api/json'
import { hitsOf, NO_HITS, rowsOf } from './json-rows'

const known = { loaded: new Map<string, unknown>(), refs: new Map<string, unknown>(), isCut: () => false }
const closed = { ...known, toggled: new Set<string>(), hits: NO_HITS }

it('shows a long number with all its digits, as a number', () => {
  const [, row] = rowsOf({ id: new ExactNumber('1234567890123456789') }, closed)
  expect(row).toMatchObject({ kind: 'number', shown: '1234567890123456789', opens: false })
})

describe('a search', () => {
  const value = { a: { b: { c: ['one', { two: 'TWO' }] } }, d: 'two' }
  it('finds keys and values in the order of the rows', () =>
    expect(hitsOf(value, 'two', known).paths).toEqual(['/a/b/c/1/two', '/d']))
  it('opens what is above them, and hides nothing', () => {
    const rows = rowsOf(value, { ...closed, hits: hitsOf(value, 'two', known) })
    expect(rows.map(({ path }) => path)).toContain('/a/b/c/1/two')
    expect(rows.map(({ path }) => path)).toContain('/a/b/c/0')
    expect(rowsOf(value, closed).map(({ path }) => path)).not.toContain('/a/b/c')
  })
  it('says that it is of a part, where something was left out', () => {
    const isCut = (value: unknown) => typeof value === 'object' && value !== null && 'cut' in value
    expect(hitsOf({ a: { cut: 1 } }, 'a', { ...known, isCut })).toMatchObject({ paths: ['/a'], isPart: true })
    const loaded = new Map([['/a', { b: 'a' }]])
    const read = hitsOf({ a: { cut: 1 } }, 'a', { ...known, isCut, loaded })
    expect(read).toMatchObject({ paths: ['/a', '/a/b'], isPart: false })
  })
  it('does not follow refs that lead in a circle', () => {
    const ref = 'weave:///e/p/object/o:1'
    const refs = new Map<string, unknown>([[ref, { again: ref, more: ref, at: 'here' }]])
    expect(hitsOf({ ref }, 'here', { ...known, refs }).paths).toEqual(['/ref/at'])
  })
})

it('every hit is a row, and every row with the text is a hit', () => {
  const key = fc.stringMatching(/^[ab]{1,2}$/)
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom('a', 'b', 'xa', 1, null),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 3 }),
    ),
  }))
  fc.assert(
    fc.property(tree, (value) => {
      const hits = hitsOf(value, 'a', known)
      const rows = rowsOf(value, { ...closed, hits })
      const inOrder = rows.filter(({ path }) => hits.paths.includes(path)).map(({ path }) => path)
      expect(inOrder).toEqual(hits.paths)
      for (const { path, kind, shown } of rows)
        if (kind === 'string' && shown.includes('a')) expect(hits.paths).toContain(path)
    }),
  )
})

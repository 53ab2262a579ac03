import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { criticalPath, logRows, type Span, ticksOf, treeOf, visibleRows } from './tree.js'

const span = (
  id: string,
  parent: string | null,
  start = 0,
  end: number | undefined = start + 1,
  failed = false,
): Span => ({
  ...{ id, parent, start, end, failed, name: `name of ${id}` },
})
const all = { collapsed: new Set<string>(), text: '', errorsOnly: false }

describe('a tree', () => {
  const tree = treeOf([
    span('c', 'a', 2),
    span('b', 'a', 1),
    span('a', null, 0, 10),
    span('d', 'c', 3, 9, true),
    span('x', 'gone', 5),
  ])
  const names = (rows: Int32Array) => [...rows].map((i) => tree.spans[i]!.id).join('')

  it('has parents before children, in the order of time', () => {
    expect(tree.spans.map(({ id }) => id).join('')).toBe('abcdx')
    expect([...tree.depth]).toEqual([0, 1, 1, 2, 0])
    expect([...tree.below]).toEqual([3, 0, 1, 0, 0])
    expect([tree.start, tree.end]).toEqual([0, 10])
  })
  it('shows what is not collapsed', () => {
    expect(names(visibleRows(tree, { ...all, collapsed: new Set(['c']) }))).toBe('abcx')
    expect(names(visibleRows(tree, { ...all, collapsed: new Set(['a']) }))).toBe('ax')
  })
  it('shows what matches with all above it', () => {
    expect(names(visibleRows(tree, { ...all, errorsOnly: true }))).toBe('acd')
    expect(names(visibleRows(tree, { ...all, text: 'of b' }))).toBe('ab')
    expect(names(visibleRows(tree, { ...all, text: 'said', inside: new Set(['d']) }))).toBe('acd')
  })
  it('is a log of what matches, by the start', () => {
    expect(names(logRows(tree, all))).toBe('abcdx')
    expect(names(logRows(tree, { ...all, text: 'said', inside: new Set(['x', 'd']) }))).toBe('dx')
    expect(names(logRows(tree, { ...all, errorsOnly: true }))).toBe('d')
  })
  it('has a critical path: what ended last, and before that', () =>
    expect(
      [...criticalPath(tree)]
        .map((i) => tree.spans[i]!.id)
        .sort()
        .join(''),
    ).toBe('abc'))
})

it('any parents make a tree that has every span once', () => {
  const id = fc.integer({ min: 0, max: 12 }).map(String)
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(id, fc.option(id), fc.nat(9)), { selector: ([one]) => one }),
      (raw) => {
        const spans = raw.map(([one, parent, start]) => span(one, parent, start))
        const tree = treeOf(spans)
        expect(new Set(tree.spans)).toEqual(new Set(spans))
        expect(visibleRows(tree, all).length).toBe(spans.length)
        for (const [i, parent] of tree.parent.entries()) expect(parent).toBeLessThan(i)
      },
    ),
  )
})

it('a chain as deep as it likes', () => {
  const deep = Array.from({ length: 30_000 }, (_, i) => span(String(i), i === 0 ? null : String(i - 1), i))
  expect(treeOf(deep).below[0]).toBe(29_999)
})

it('an axis has round times', () => {
  expect(ticksOf(0, 1000, 5)).toEqual([0, 200, 400, 600, 800, 1000])
  expect(ticksOf(150, 340, 4)).toEqual([150, 200, 250, 300])
  const minutes = (...all: number[]) => all.map((one) => one * 60_000)
  expect(ticksOf(0, 3_600_000, 5)).toEqual(minutes(0, 15, 30, 45, 60))
  expect(ticksOf(0, 90_000, 3)).toEqual(minutes(0, 0.5, 1, 1.5))
  expect(ticksOf(0, 10 * 86_400_000, 5)).toEqual(minutes(0, 2880, 5760, 8640, 11_520, 14_400))
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { alignTrees } from './align'
import { type Span, treeOf } from './tree'

/** @param calls the name of each, and the place of its parent among them */
const tree = (calls: readonly (readonly [name: string, parent: number])[]) =>
  treeOf(
    calls.map(
      ([name, parent], i): Span => ({
        ...{ id: String(i).padStart(3, '0'), parent: parent < 0 ? null : String(parent).padStart(3, '0') },
        ...{ name, start: i, end: i + 1, failed: false },
      }),
    ),
  )

it('calls stand beside each other by name and place, and what only one has stands where it was', () => {
  const before = tree([
    ['main', -1],
    ['plan', 0],
    ['chat', 1],
    ['search', 0],
    ['search', 0],
    ['answer', 0],
  ])
  const after = tree([
    ['other', -1],
    ['plan', 0],
    ['chat', 1],
    ['chat', 1],
    ['search', 0],
    ['check', 0],
    ['answer', 0],
  ])
  const shown = alignTrees(before, 0, after, 0).map(({ depth, before: old, after: now }) => {
    const [left, right] = [before.spans[old]?.name ?? '', after.spans[now]?.name ?? '']
    return `${' '.repeat(depth)}${left}|${right}`
  })
  expect(shown).toEqual([
    'main|other',
    ' plan|plan',
    '  chat|chat',
    '  |chat',
    ' search|search',
    ' |check',
    ' search|',
    ' answer|answer',
  ])
})

it('each call of either is there once, beside one of its name below the same parents', () => {
  const calls = fc
    .array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat()), { minLength: 1, maxLength: 40 })
    .map((raw) => raw.map(([name, parent], i): [string, number] => [name, i === 0 ? -1 : parent % i]))
  fc.assert(
    fc.property(calls, calls, (olds, news) => {
      const [before, after] = [tree(olds), tree(news)]
      const rows = alignTrees(before, 0, after, 0)
      const all = (of: 'before' | 'after') => rows.map((row) => row[of]).filter((place) => place >= 0)
      expect(all('before').toSorted((a, b) => a - b)).toEqual(before.spans.map((_, i) => i))
      expect(all('after')).toEqual(after.spans.map((_, i) => i))
      for (const row of rows.slice(1)) {
        if (row.before < 0 || row.after < 0) continue
        expect(before.spans[row.before]!.name).toBe(after.spans[row.after]!.name)
        const above = rows.find((one) => one.after === after.parent[row.after])!
        expect(above.before).toBe(before.parent[row.before])
      }
      expect(alignTrees(before, 0, before, 0).every((row) => row.before === row.after)).toBe(true)
    }),
  )
})

it('many calls take no longer than they must', () => {
  const many = tree(Array.from({ length: 20_000 }, (_, i) => ['a', i === 0 ? -1 : i % 2 === 0 ? 0 : i - 1]))
  expect(alignTrees(many, 0, many, 0)).toHaveLength(20_000)
})

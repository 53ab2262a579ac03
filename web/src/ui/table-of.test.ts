import { expect, it } from 'vitest'
import { isMarkdown, tableOf } from './table-of'

it('a list of objects is a table with a column for each field', () =>
  expect(tableOf([{ a: 1, b: { c: 2 } }, { a: 3 }])).toEqual({
    ...{
      columns: ['a', 'b.c'],
      rows: [
        [1, 2],
        [3, undefined],
      ],
      isPart: false,
    },
  }))
it('an object has a row for each member at any depth', () =>
  expect(tableOf({ a: { b: 1 }, c: [2] })?.rows).toEqual([
    ['a.b', 1],
    ['c', [2]],
  ]))
it('what is no table is none, and a long one ends', () => {
  for (const value of [1, 'x', null, [], {}]) expect(tableOf(value)).toBeUndefined()
  expect(tableOf(Array.from({ length: 501 }, (_, i) => i))).toMatchObject({ isPart: true })
})

it.each(['# Title', 'a **bold** word', '- one\n- two', 'see [it](https://a.b)', '```py\nx\n```'])(
  '%j is markdown',
  (text) => expect(isMarkdown(text)).toBe(true),
)
it.each(['plain', 'a * b * c', '2026-01-01 12:00 ERROR', '[x](y)', '__init__'])('%j is not', (text) =>
  expect(isMarkdown(text)).toBe(false),
)

import { expect, it } from 'vitest'
import { agreementOf } from './kappa.js'

const cells = (table: Record<string, Record<string, number>>) =>
  Object.entries(table).flatMap(([first, row]) =>
    Object.entries(row).map(([second, count]) => ({ first, second, count })),
  )

it.each([
  ['a textbook’s 50 grants', { yes: { yes: 20, no: 5 }, no: { yes: 10, no: 15 } }, 0.4],
  ['as by chance', { yes: { yes: 25, no: 25 }, no: { yes: 25, no: 25 } }, 0],
  ['never', { yes: { no: 10 }, no: { yes: 10 } }, -1],
  ['always', { yes: { yes: 7 }, no: { no: 3 } }, 1],
  ['three labels', { a: { a: 10, b: 2 }, b: { b: 8, c: 3 }, c: { a: 1, c: 6 } }, 0.6975],
  ['nothing else was said', { yes: { yes: 7 } }, null],
  ['nothing', {}, null],
])('%s', (_, table, kappa) => {
  const found = agreementOf(cells(table)).kappa
  expect(found === null ? null : Number(found.toFixed(4))).toBe(kappa)
})

import { expect, it } from 'vitest'
import type { Call } from '../../api/client.js'
import { bySum } from './summed.js'

const calls = ['a', 'b', 'c', 'd'].map((id) => ({ id }) as Call)
const usage = new Map([
  ['a', { tokens: 1, cost: undefined }],
  ['b', { tokens: 30, cost: 0.1 }],
  ['c', { tokens: 2, cost: 0.5 }],
])

it.each([
  ['-trace_cost', 'cbad'],
  ['trace_cost', 'bcad'],
  ['-trace_tokens', 'bcad'],
  ['trace_tokens', 'acbd'],
])('traces in the order of %s are %s', (sort, expected) => {
  expect(
    bySum(calls, usage, { sort })
      .map(({ id }) => id)
      .join(''),
  ).toBe(expected)
})

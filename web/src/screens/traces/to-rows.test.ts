import { expect, it } from 'vitest'
import type { Call } from '../../api/client'
import { rowsOfCalls, usualColumns } from './to-rows'

const call = (inputs: object, output: unknown) => ({ inputs, output }) as unknown as Call
const calls = [call({ q: 'a', deep: { n: 1 } }, 'x'), call({ q: 'b', k: null }, { y: 2 })]

it('calls are rows by the fields of their inputs, or by columns that are chosen', () => {
  const columns = usualColumns(calls)
  expect(columns.map(({ name }) => name)).toEqual(['q', 'deep', 'k', 'output'])
  expect(rowsOfCalls(calls, columns)).toEqual([
    { q: 'a', deep: { n: 1 }, output: 'x' },
    { q: 'b', k: null, output: { y: 2 } },
  ])
  const chosen = [
    { name: 'n', path: 'inputs.deep.n' },
    { name: '', path: 'output' },
  ]
  expect(rowsOfCalls(calls, chosen)).toEqual([{ n: 1 }, {}])
  expect(usualColumns([call({ output: 1 }, 2)]).map(({ name }) => name)).toEqual(['output', 'answer'])
})

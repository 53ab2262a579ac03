/** Calls as rows of a dataset: which value of a call goes into which column. Pure. */

import type { Call } from '../../api/client'
import type { Row } from '../../api/datasets'
import { valueAt } from './columns'

export interface Column {
  name: string
  /** into the call: `inputs.question` */
  path: string
}

const MOST = 20

/** The fields of the inputs under their names, and the output. */
export function usualColumns(calls: readonly Call[]): Column[] {
  const names = [...new Set(calls.flatMap(({ inputs }) => Object.keys(inputs)))].slice(0, MOST)
  const inputs = names.map((name) => ({ name, path: `inputs.${name}` }))
  return [...inputs, { name: names.includes('output') ? 'answer' : 'output', path: 'output' }]
}

/** A call without a value has no such field. */
export function rowsOfCalls(calls: readonly Call[], columns: readonly Column[]): Row[] {
  return calls.map((call) =>
    Object.fromEntries(
      columns.flatMap(({ name, path }) => {
        const value = valueAt(call, path)
        return name === '' || value === undefined ? [] : [[name, value]]
      }),
    ),
  )
}

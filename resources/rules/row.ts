/** The row of a dataset that a call becomes. Pure. */
import { type CallRow, jsonAt } from '../evaluation/call-row.js'

type Call = Pick<
  CallRow,
  'id' | 'trace_id' | 'op_name' | 'exception' | 'inputs' | 'output' | 'attributes' | 'summary'
>

const TEXTS = ['id', 'trace_id', 'op_name', 'exception'] as const
const DOCUMENTS = ['inputs', 'output', 'attributes', 'summary'] as const

/** The paths that columns may have: the first name of each. */
export const ROOTS: readonly string[] = [...TEXTS, ...DOCUMENTS]

/** @param columns a path into the call for each; null: inputs and output @returns JSON object; what is missing is null */
export function rowOf(call: Call, columns: Readonly<Record<string, string>> | null): string {
  const members = Object.entries(columns ?? { inputs: 'inputs', output: 'output' })
  return `{${members.map(([name, path]) => `${JSON.stringify(name)}:${valueAt(call, path)}`).join(',')}}`
}

function valueAt(call: Call, path: string): string {
  const [root = '', ...rest] = path.split('.')
  const name = TEXTS.find((one) => one === root)
  if (name !== undefined) return call[name] === '' ? 'null' : JSON.stringify(call[name])
  const document = DOCUMENTS.find((one) => one === root)
  if (document === undefined || call[document] === '') return 'null'
  return rest.length === 0 ? call[document] : (jsonAt(call[document], rest) ?? 'null')
}

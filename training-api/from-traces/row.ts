/** What training data is made from, as the tracing interface has it. */
export interface Row {
  /** the call's id, or the row's number from 0 */
  id: string
  kind: 'call' | 'row'
  value: Record<string, unknown>
}

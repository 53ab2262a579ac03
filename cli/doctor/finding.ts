/** A check and its result. `todo` is set unless all is well. */
export interface Finding {
  name: string
  state: 'ok' | 'warn' | 'fail'
  text: string
  todo?: string
}

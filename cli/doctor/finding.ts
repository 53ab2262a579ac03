/** What was looked at and found. `todo` is there unless all is well. */
export interface Finding {
  name: string
  state: 'ok' | 'warn' | 'fail'
  text: string
  todo?: string
}

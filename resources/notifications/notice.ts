/** What a notification says, whatever the channel: an alert's change, what set off a rule, or a test. Pure. */
import type { AlertState } from '../../contract/alerts.js'
import type { RuleSubject } from '../../contract/rules.js'

export interface Notice {
  /** the same at each attempt, so that receivers recognise repetitions */
  id: string
  /** µs since the epoch */
  at: number
  /** one sentence or more */
  text: string
  /** of a page about it; empty: not known */
  url: string
  project: string
  /** what set off a rule */
  rule?: { rule: string; subject: RuleSubject }
  /** what changed; with neither it is a test */
  change?: {
    alert: string
    /** empty: it is not grouped */
    group: string
    state: AlertState
    previous_state: AlertState
    value: number | null
    threshold: number | null
    reason: string
  }
}

/** One line of it. */
export function titleOf({ text }: Pick<Notice, 'text'>): string {
  const [line = ''] = text.split('\n')
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}

/** How an alert stands, as a text in its colour. */
import type { AlertState } from '../../api/alerts'
import { STATES } from './shown'
import './alerts.css'

export function Badge({ state, of }: { state: AlertState; of?: string }) {
  return (
    <span className={`chip alerts-${state}`}>
      {STATES[state]}
      {of !== undefined && `: ${of}`}
    </span>
  )
}

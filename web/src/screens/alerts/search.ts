/** What the address of the alerts holds. Pure. */
import { textsOf } from '../../app/search-text'

export interface AlertsSearch {
  tab?: 'history' | 'channels' | undefined
  /** of the history: the alert that it is of */
  alert?: string | undefined
}

export const readAlertsSearch = ({ tab, ...given }: Record<string, unknown>): AlertsSearch => ({
  ...((tab === 'history' || tab === 'channels') && { tab }),
  ...textsOf(given, ['alert']),
})

/** What the address of the alerts holds. Pure. */

export interface AlertsSearch {
  tab?: 'history' | 'channels' | undefined
  /** of the history: the alert that it is of */
  alert?: string | undefined
}

export const readAlertsSearch = ({ tab, alert }: Record<string, unknown>): AlertsSearch => ({
  ...((tab === 'history' || tab === 'channels') && { tab }),
  ...(typeof alert === 'string' && alert !== '' && { alert }),
})

/** What the address of the monitors holds. Pure. */
import { isRange } from '../../../../domain/dashboards/requests'

export interface MonitorsSearch {
  /** name of the monitor whose scores are shown */
  scores?: string | undefined
  /** of these scores; default: the last day */
  range?: string | undefined
}

export const readMonitorsSearch = ({ scores, range }: Record<string, unknown>): MonitorsSearch => ({
  ...(typeof scores === 'string' && scores !== '' && { scores }),
  ...(isRange(range) && { range }),
})

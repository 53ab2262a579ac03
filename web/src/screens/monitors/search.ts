/** What the address of the monitors holds. Pure. */
import { isRange } from '../../../../domain/dashboards/requests'
import { textsOf } from '../../app/search-text'

export interface MonitorsSearch {
  /** name of the monitor whose scores are shown */
  scores?: string | undefined
  /** of these scores; default: the last day */
  range?: string | undefined
}

export const readMonitorsSearch = ({ range, ...given }: Record<string, unknown>): MonitorsSearch => ({
  ...textsOf(given, ['scores']),
  ...(isRange(range) && { range }),
})

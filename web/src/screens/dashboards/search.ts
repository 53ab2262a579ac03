/** What the address of a dashboard holds. Pure. */

import { type Panel, readPanels } from '../../../../domain/dashboards/panels'
import { isRange } from '../../../../domain/dashboards/requests'

export interface DashboardSearch {
  range?: string | undefined
  /** as they were changed, before they are saved */
  panels?: readonly Panel[] | undefined
}

export function readDashboardSearch({ range, panels }: Record<string, unknown>): DashboardSearch {
  const changed = readPanels(panels)
  return { ...(isRange(range) && { range }), ...(changed !== undefined && { panels: changed }) }
}

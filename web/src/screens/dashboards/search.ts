/** What the address of a dashboard holds. Pure. */
import { RANGES } from '../../ui/ranges'
import { type Panel, readPanels } from './panels'

export interface DashboardSearch {
  range?: string | undefined
  /** as they were changed, before they are saved */
  panels?: readonly Panel[] | undefined
}

export const isRange = (given: unknown): given is string =>
  typeof given === 'string' && Object.hasOwn(RANGES, given)

export function readDashboardSearch({ range, panels }: Record<string, unknown>): DashboardSearch {
  const changed = readPanels(panels)
  return { ...(isRange(range) && { range }), ...(changed !== undefined && { panels: changed }) }
}

/** What the addresses of agents hold. Pure. */
import { AGENT_SORTS } from '../../api/agents'
import { textsOf } from '../../app/search-text'
import { RANGES } from '../../ui/ranges'

export interface AgentsSearch {
  sort?: string | undefined
  /** part of a message */
  q?: string | undefined
}

export interface AgentSearch {
  tab?: string | undefined
  range?: string | undefined
  /** only spans that failed */
  errors?: true | undefined
}

export const AGENT_TABS = [
  ['overview', 'Overview'],
  ['versions', 'Versions'],
  ['conversations', 'Conversations'],
  ['spans', 'Spans'],
] as const

type Given = Record<string, unknown>

export const readAgentsSearch = ({ sort, ...given }: Given): AgentsSearch => ({
  ...(AGENT_SORTS.some(([field]) => field === sort) && { sort: String(sort) }),
  ...textsOf(given, ['q']),
})

export const readAgentSearch = ({ tab, range, errors }: Given): AgentSearch => ({
  ...(AGENT_TABS.some(([name]) => name === tab) && { tab: String(tab) }),
  ...(typeof range === 'string' && Object.hasOwn(RANGES, range) && { range }),
  ...(errors === true && { errors }),
})

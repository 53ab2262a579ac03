/** What the addresses of agents hold. Pure. */
import { AGENT_SORTS } from '../../api/agents'
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

type Given = Record<string, unknown>

export const readAgentsSearch = ({ sort, q }: Given): AgentsSearch => ({
  ...(AGENT_SORTS.some(([field]) => field === sort) && { sort: String(sort) }),
  ...(q !== undefined && q !== '' && { q: String(q) }),
})

export const readAgentSearch = ({ tab, range, errors }: Given): AgentSearch => ({
  ...(typeof tab === 'string' && { tab }),
  ...(typeof range === 'string' && Object.hasOwn(RANGES, range) && { range }),
  ...(errors === true && { errors }),
})

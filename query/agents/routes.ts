import { agentSpansQuery, agentsQuery, agentVersionsQuery } from '../../contract/agents.js'
import { wrong } from '../../domain/calls/read/span.js'
import { type Bound, serve } from '../../platform/http/request.js'
import type { CallsParts } from '../calls/routes.js'
import { AgentList } from './agent-list.js'
import { agentChatRoutes } from './chat-routes.js'
import { GroupList } from './group-list.js'
import { AgentReader } from './read.js'
import { agentStatsRoutes } from './stats-routes.js'

export function agentRoutes({ store, limits }: CallsParts): Bound[] {
  const reader = new AgentReader(store, limits)
  const list = new AgentList(store, reader)
  const groups = new GroupList(store, reader)
  return [
    ...agentStatsRoutes(reader),
    ...agentChatRoutes(reader),
    serve(agentsQuery, async ({ body, signal }) => {
      const { rows, total_count } = await list.agents(body, signal)
      return { agents: rows, total_count }
    }),
    serve(agentVersionsQuery, async ({ body, signal }) => {
      const { rows, total_count } = await list.versions(body, signal)
      return { versions: rows, total_count }
    }),
    serve(agentSpansQuery, async ({ body, signal }) => {
      if (body.group_by?.length) {
        if (body.include_details) throw wrong('include_details', 'is for spans, not for groups of them')
        if (body.custom_attr_columns.length > 0)
          throw wrong('custom_attr_columns', 'is for spans, not for groups of them')
        return { spans: [], ...(await groups.groups(body, signal)) }
      }
      for (const field of OF_GROUPS) {
        const value = body[field]
        if (Array.isArray(value) ? value.length > 0 : value != null) throw wrong(field, 'needs group_by')
      }
      return { groups: [], ...(await reader.spans(body, signal)) }
    }),
  ]
}

const OF_GROUPS = [
  'measures',
  'group_filters',
  'group_distributions',
  'signal_filters',
  'insight_filters',
] as const

/** The agents of a project, with what their spans add up to. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { AGENT_SORTS, agentCostsQuery, agentsQuery } from '../../api/agents'
import type { Schemas } from '../../api/client'
import { pollInterval } from '../../api/poll-interval'
import { weavePath } from '../../app/address'
import { useProject } from '../../app/project'
import { counted } from '../../ui/format'
import { SortSelect } from '../../ui/sort-select'
import { Empty } from '../../ui/states'
import { type Column, TableOf, timeColumn } from '../../ui/table'
import './agents.css'
import { AgentsTabs } from './agents-tabs'
import { SUMS } from './columns'

export function Agents() {
  const project = useProject()
  const { sort = 'last_seen' } = useSearch({ from: '/inside/$entity/$project/weave/agents' })
  const navigate = useNavigate()
  const query = useInfiniteQuery({
    ...agentsQuery(project.id, sort),
    refetchInterval: pollInterval(10_000),
  })
  const { data } = query
  const { data: costs } = useQuery({
    ...agentCostsQuery(project.id, sort, data?.pages.length ?? 1),
    enabled: data !== undefined,
    refetchInterval: pollInterval(60_000),
  })
  return (
    <div className="page">
      <div className="page-head">
        <h1>Agents</h1>
        <SortSelect
          sorts={AGENT_SORTS}
          sort={sort}
          choose={(sort) => void navigate({ to: '.', search: { sort }, replace: true })}
        />
        {data && <span className="muted">{counted(data.pages[0]!.total_count, 'agent')}</span>}
      </div>
      <AgentsTabs chosen="agents" />
      <div className="page-body" tabIndex={0} role="tabpanel">
        <TableOf
          query={query}
          rows={data?.pages
            .flatMap((page) => page.agents)
            .map((agent) => ({ ...agent, total_cost_usd: costs?.get(agent.agent_name) ?? null }))}
          keyOf={({ agent_name: name }) => name}
          columns={COLUMNS}
          empty={
            <Empty title="No agent yet">
              <p>
                Spans that arrive by OpenTelemetry and have <code>gen_ai.agent.name</code>, or the name{' '}
                <code>invoke_agent …</code>, are an agent's.
              </p>
            </Empty>
          }
        />
      </div>
    </div>
  )
}

const COLUMNS: Column<Schemas['AgentSchema']>[] = [
  { title: 'Agent', cell: ({ agent_name: agent }) => <AgentLink agent={agent} /> },
  ...SUMS,
  timeColumn('Last seen', ({ last_seen: at }) => at),
]

function AgentLink({ agent }: { agent: string }) {
  const { id } = useProject()
  return (
    <Link className="agents-name brief" to={weavePath(id, 'agents', 'named', agent)}>
      {agent}
    </Link>
  )
}

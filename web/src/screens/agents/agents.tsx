/** The agents of a project, with what their spans add up to. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { AGENT_SORTS, agentsQuery } from '../../api/agents'
import { useProject } from '../../app/project'
import { NextPage } from '../../ui/button'
import { count, duration, money } from '../../ui/format'
import { Empty, Failed, Loading } from '../../ui/states'
import { Time } from '../../ui/time'
import './agents.css'
import { AgentsTabs } from './agents-tabs'
import type { AgentsSearch } from './search'

export function Agents() {
  const project = useProject()
  const { sort = 'last_seen' } = useSearch({ strict: false }) as AgentsSearch
  const navigate = useNavigate()
  const query = useInfiniteQuery({
    ...agentsQuery(project.id, sort),
    refetchInterval: 10_000,
  })
  const { data, error, refetch } = query
  const agents = data?.pages.flatMap((page) => page.agents)
  return (
    <div className="page">
      <div className="page-head">
        <h1>Agents</h1>
        <select
          className="select"
          aria-label="Sort"
          value={sort}
          onChange={({ target }) => void navigate({ to: '.', search: { sort: target.value }, replace: true })}
        >
          {AGENT_SORTS.map(([field, title]) => (
            <option key={field} value={field}>
              {title}
            </option>
          ))}
        </select>
        {data && <span className="muted">{count(data.pages[0]!.total_count)} agents</span>}
      </div>
      <AgentsTabs chosen="agents" />
      <div className="page-body" tabIndex={0} role="tabpanel">
        {error ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : agents === undefined ? (
          <Loading />
        ) : agents.length === 0 ? (
          <Empty title="No agent yet">
            <p>
              Spans that arrive by OpenTelemetry and have <code>gen_ai.agent.name</code>, or the name{' '}
              <code>invoke_agent …</code>, are an agent's.
            </p>
          </Empty>
        ) : (
          <table className="table agents-table">
            <thead>
              <tr>
                <th>Agent</th>
                <th className="right">Invocations</th>
                <th className="right">Spans</th>
                <th className="right">Errors</th>
                <th className="right">Mean latency</th>
                <th className="right">Tokens</th>
                <th className="right">Cost</th>
                <th>Last seen</th>
              </tr>
            </thead>
            <tbody>
              {agents.map((agent) => (
                <tr key={agent.agent_name}>
                  <td>
                    <Link
                      className="agents-name"
                      to="/$entity/$project/weave/agents/named/$agentName"
                      params={{
                        entity: project.entity,
                        project: project.name,
                        agentName: agent.agent_name,
                      }}
                    >
                      {agent.agent_name}
                    </Link>
                  </td>
                  <td className="right">{count(agent.invocation_count)}</td>
                  <td className="right">{count(agent.span_count)}</td>
                  <td className={agent.error_count > 0 ? 'right bad' : 'right'}>
                    {count(agent.error_count)}
                  </td>
                  <td className="right">
                    {duration(agent.total_duration_ms / Math.max(1, agent.span_count))}
                  </td>
                  <td className="right">{count(agent.total_input_tokens + agent.total_output_tokens)}</td>
                  <td className="right">
                    {agent.total_cost_usd === null ? '' : money(agent.total_cost_usd)}
                  </td>
                  <td className="muted">{agent.last_seen && <Time at={agent.last_seen} relative />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <NextPage of={query} />
      </div>
    </div>
  )
}

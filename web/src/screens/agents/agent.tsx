/** An agent: its versions, what it did over time, its conversations and spans. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { agentVersionsQuery } from '../../api/agents'
import { useShortcuts } from '../../app/keys'
import { useProject } from '../../app/project'
import { count, duration, money } from '../../ui/format'
import { RangeSelect } from '../../ui/ranges'
import { Failed, Loading } from '../../ui/states'
import { Tabs } from '../../ui/tabs'
import { Time } from '../../ui/time'
import { AgentCharts } from './agent-charts'
import './agents.css'
import { ConversationList } from './conversations'
import type { AgentSearch } from './search'
import { Spans } from './spans'

const TABS = [
  ['overview', 'Overview'],
  ['versions', 'Versions'],
  ['conversations', 'Conversations'],
  ['spans', 'Spans'],
] as const

export function AgentPage() {
  const project = useProject()
  const { agentName = '' } = useParams({ strict: false })
  const { tab = 'overview', range = '7d', errors } = useSearch({ strict: false }) as AgentSearch
  const navigate = useNavigate()
  const change = (more: AgentSearch) => void navigate({ to: '.', search: { tab, range, ...more } })
  const at = TABS.findIndex(([name]) => name === tab)
  const turn = (by: number) => change({ tab: TABS[(at + by + TABS.length) % TABS.length]![0] })
  useShortcuts([
    { keys: ']', what: 'Next tab', run: () => turn(1) },
    { keys: '[', what: 'Tab before', run: () => turn(-1) },
  ])
  return (
    <div className="page">
      <div className="page-head">
        <Link to={`/${project.id}/weave/agents` as string}>Agents</Link>
        <span className="muted">/</span>
        <h1 className="cut">{agentName}</h1>
        <span className="grow" />
        {tab === 'overview' && <RangeSelect range={range} choose={(next) => change({ range: next })} />}
        {tab === 'spans' && (
          <label className="check">
            <input
              type="checkbox"
              checked={errors === true}
              onChange={({ target }) => change({ errors: target.checked || undefined })}
            />
            only errors
          </label>
        )}
      </div>
      <Tabs tabs={TABS} chosen={TABS[Math.max(0, at)]![0]} choose={(next) => change({ tab: next })} />
      <div className="page-body" tabIndex={0} role="tabpanel">
        {tab === 'versions' ? (
          <Versions agent={agentName} />
        ) : tab === 'conversations' ? (
          <ConversationList agent={agentName} />
        ) : tab === 'spans' ? (
          <Spans agent={agentName} only={errors ? 'errors' : 'all'} />
        ) : (
          <AgentCharts agent={agentName} range={range} />
        )}
      </div>
    </div>
  )
}

function Versions({ agent }: { agent: string }) {
  const project = useProject()
  const { data, error, refetch } = useQuery(agentVersionsQuery(project.id, agent))
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  return (
    <table className="table agents-table">
      <thead>
        <tr>
          <th>Version</th>
          <th className="right">Invocations</th>
          <th className="right">Spans</th>
          <th className="right">Errors</th>
          <th className="right">Mean latency</th>
          <th className="right">Tokens</th>
          <th className="right">Cost</th>
          <th>First seen</th>
          <th>Last seen</th>
        </tr>
      </thead>
      <tbody>
        {data.versions.map((one) => (
          <tr key={one.agent_version}>
            <td>{one.agent_version || <span className="muted">none</span>}</td>
            <td className="right">{count(one.invocation_count)}</td>
            <td className="right">{count(one.span_count)}</td>
            <td className={one.error_count > 0 ? 'right bad' : 'right'}>{count(one.error_count)}</td>
            <td className="right">{duration(one.total_duration_ms / Math.max(1, one.span_count))}</td>
            <td className="right">{count(one.total_input_tokens + one.total_output_tokens)}</td>
            <td className="right">{one.total_cost_usd === null ? '' : money(one.total_cost_usd)}</td>
            <td className="muted">{one.first_seen && <Time at={one.first_seen} relative />}</td>
            <td className="muted">{one.last_seen && <Time at={one.last_seen} relative />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

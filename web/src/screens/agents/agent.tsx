/** An agent: its versions, what it did over time, its conversations and spans. */

import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { agentVersionsQuery } from '../../api/agents'
import type { Schemas } from '../../api/client'
import { weavePath } from '../../app/address'
import { useShortcuts } from '../../app/keys'
import { useProject, useShownId } from '../../app/project'
import { RangeSelect } from '../../ui/ranges'
import { Empty } from '../../ui/states'
import { type Column, TableOf, timeColumn } from '../../ui/table'
import { Tabs } from '../../ui/tabs'
import { AgentCharts } from './agent-charts'
import './agents.css'
import { SUMS } from './columns'
import { ConversationList } from './conversations'
import { type AgentSearch, AGENT_TABS as TABS } from './search'
import { Spans } from './spans'

export function AgentPage() {
  const project = useProject()
  const agentName = useShownId()
  const {
    tab = 'overview',
    range = '7d',
    errors,
  } = useSearch({ from: '/inside/$entity/$project/weave/agents/named/$id' })
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
        <Link to={weavePath(project.id, 'agents')}>Agents</Link>
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
      <Tabs tabs={TABS} chosen={TABS[at]![0]} choose={(next) => change({ tab: next })} />
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
  const query = useQuery(agentVersionsQuery(project.id, agent))
  return (
    <TableOf
      query={query}
      rows={query.data?.versions}
      keyOf={({ agent_version: version }) => version}
      columns={VERSION_COLUMNS}
      empty={<Empty title="No version" />}
    />
  )
}

const VERSION_COLUMNS: Column<Schemas['AgentVersionSchema']>[] = [
  { title: 'Version', cell: ({ agent_version: version }) => version || <span className="muted">none</span> },
  ...SUMS,
  timeColumn('First seen', ({ first_seen: at }) => at, { isWide: true }),
  timeColumn('Last seen', ({ last_seen: at }) => at),
]

/** Alerts of a project: the list, what they noticed, and the channels by which people are notified. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useProject } from '../../app/project'
import { Tabs } from '../../ui/tabs'
import { Channels } from './channels'
import { History } from './history'
import { List } from './list'
import type { AlertsSearch } from './search'

const TABS = [
  ['list', 'Alerts'],
  ['history', 'History'],
  ['channels', 'Channels'],
] as const

export function Alerts() {
  const { id: project } = useProject()
  const { tab = 'list', alert } = useSearch({ from: '/inside/$entity/$project/weave/alerts' })
  const navigate = useNavigate()
  const go = (search: AlertsSearch) => void navigate({ to: '.', search })
  return (
    <div className="page">
      <div className="page-head">
        <h1>Alerts</h1>
      </div>
      <Tabs tabs={TABS} chosen={tab} choose={(next) => go({ ...(next !== 'list' && { tab: next }) })} />
      <div className="page-body" tabIndex={0} role="tabpanel">
        {tab === 'list' && (
          <List project={project} showHistory={(name) => go({ tab: 'history', alert: name })} />
        )}
        {tab === 'history' && (
          <History project={project} alert={alert} choose={(name) => go({ tab: 'history', alert: name })} />
        )}
        {tab === 'channels' && <Channels project={project} />}
      </div>
    </div>
  )
}

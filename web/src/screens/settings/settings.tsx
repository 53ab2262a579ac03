/** Settings of the service: keys, and the names of secrets. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Tabs } from '../../ui/tabs'
import { Keys } from './keys'
import type { SettingsSearch } from './search'
import { Secrets } from './secrets'
import './settings.css'

const TABS = [
  ['keys', 'Keys'],
  ['secrets', 'Secrets'],
] as const

export function Settings() {
  const { tab = 'keys' } = useSearch({ strict: false }) as SettingsSearch
  const navigate = useNavigate()
  return (
    <div className="page">
      <div className="page-head">
        <h1>Settings</h1>
      </div>
      <Tabs
        tabs={TABS}
        chosen={tab === 'secrets' ? 'secrets' : 'keys'}
        choose={(next) => void navigate({ to: '/settings', search: { tab: next } })}
      />
      <div className="page-body" tabIndex={0} role="tabpanel">
        {tab === 'secrets' ? <Secrets /> : <Keys />}
      </div>
    </div>
  )
}

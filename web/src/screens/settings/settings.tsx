/** Settings of the service: keys, people, the names of secrets, one's own sessions, masking, and who did what. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Tabs } from '../../ui/tabs'
import { Audit } from '../audit/audit'
import { Masking } from '../masking/masking'
import { People } from '../people/people'
import { Keys } from './keys'
import { Secrets } from './secrets'
import { Sessions } from './sessions'
import './settings.css'

const TABS = [
  ['keys', 'Keys'],
  ['people', 'People'],
  ['secrets', 'Secrets'],
  ['sessions', 'Sessions'],
  ['masking', 'Masking'],
  ['audit', 'Audit log'],
] as const

export function Settings() {
  const { tab = 'keys' } = useSearch({ from: '/inside/settings' })
  const navigate = useNavigate()
  return (
    <div className="page">
      <div className="page-head">
        <h1>Settings</h1>
      </div>
      <Tabs
        tabs={TABS}
        chosen={tab}
        choose={(next) => void navigate({ to: '/settings', search: { tab: next } })}
      />
      <div className="page-body" tabIndex={0} role="tabpanel">
        {tab === 'keys' && <Keys />}
        {tab === 'people' && <People />}
        {tab === 'secrets' && <Secrets />}
        {tab === 'sessions' && <Sessions />}
        {tab === 'masking' && <Masking />}
        {tab === 'audit' && <Audit />}
      </div>
    </div>
  )
}

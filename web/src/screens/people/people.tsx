/** People: who has which role where, who is invited, teams, roles and users. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useIsAdmin } from '../../api/session'
import { Tabs } from '../../ui/tabs'
import { Invitations } from './invitations'
import { Members } from './members'
import { AREA } from './parts'
import { Roles } from './role-list'
import { Teams } from './teams'
import { Users } from './users'

const PARTS = [
  ['members', 'Members'],
  ['invitations', 'Invitations'],
  ['teams', 'Teams'],
  ['roles', 'Roles'],
  ['users', 'Users'],
] as const

/** Those that people without admin rights see, too. */
const OPEN = ['members', 'roles']

export function People() {
  const { part = 'members' } = useSearch({ from: '/inside/settings' })
  const navigate = useNavigate()
  const isAdmin = useIsAdmin(AREA)
  const parts = PARTS.filter(([name]) => isAdmin || OPEN.includes(name))
  const chosen = parts.find(([name]) => name === part)?.[0] ?? 'members'
  return (
    <>
      <Tabs
        tabs={parts}
        chosen={chosen}
        choose={(next) => void navigate({ to: '/settings', search: { tab: 'people', part: next } })}
      />
      {chosen === 'members' && <Members />}
      {chosen === 'invitations' && <Invitations />}
      {chosen === 'teams' && <Teams />}
      {chosen === 'roles' && <Roles />}
      {chosen === 'users' && <Users />}
    </>
  )
}

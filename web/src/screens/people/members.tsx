/** Who has roles over a scope: given, changed and taken away by who administers it. */
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  leaveScope,
  type Member,
  membersQuery,
  rolesQuery,
  setRole,
  teamsQuery,
  userNamed,
  usersQuery,
} from '../../api/people'
import { sessionQuery, useMay } from '../../api/session'
import { Button, IconButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { ChoiceField, NameField, titled } from '../../ui/fields'
import { SearchInput } from '../../ui/search-input'
import { useSettled } from '../../ui/settled'
import { Empty } from '../../ui/states'
import { TableOf } from '../../ui/table'
import { AREA, Form, RoleField, useChange, useScopes, Wrong } from './parts'
import { rolesFor } from './roles'

export function Members() {
  const scopes = useScopes()
  const [asked, setAsked] = useState<string>()
  const scope = asked ?? scopes[0] ?? '*'
  const settled = useSettled(scope.trim())
  const mayChange = useMay('admin', settled, AREA)
  const [text, setText] = useState('')
  const sought = useSettled(text.trim())
  const query = useInfiniteQuery({ ...membersQuery(settled, sought), enabled: settled !== '' })
  const { data: { roles } = { roles: [] } } = useQuery(rolesQuery)
  const { data: session } = useQuery(sessionQuery)
  const [isAdding, setAdding] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const change = useChange(({ of, role }: { of: Member; role: string | null }) => setRole(of, role))
  const isOwn = (one: Member) => mayChange && one.scope === settled && one.source === ''
  return (
    <>
      <div className="row settings-bar">
        <NameField
          label="Scope: * (everything), an entity, or a project"
          names={scopes}
          value={scope}
          set={setAsked}
        />
        <SearchInput label="Find a member" text={text} setText={setText} />
        <span className="grow" />
        {session?.user_id != null && settled !== '' && (
          <Button onClick={() => setLeaving(true)}>Leave</Button>
        )}
        {mayChange && (
          <Button tone="primary" icon="plus" onClick={() => setAdding(true)}>
            Add a member
          </Button>
        )}
      </div>
      <Wrong error={change.error} className="settings-bar" />
      <TableOf
        label="Members"
        query={query}
        rows={query.data?.pages.flatMap(({ members }) => members)}
        empty={
          sought === '' ? (
            <Empty title="Nobody has a role here">
              <p>Keys work without users. People come by an invitation, or by signing in.</p>
            </Empty>
          ) : (
            <Empty title="No member matches" />
          )
        }
        keyOf={({ scope: of, user_id, team_id, source }) => [of, user_id, team_id, source].join(' ')}
        columns={[
          {
            title: 'Who',
            cell: ({ name, team_id: team }) => (
              <>
                {name} {team !== null && <span className="chip">team</span>}
              </>
            ),
          },
          {
            title: 'Over',
            isMuted: true,
            isWide: true,
            cell: ({ scope: of }) => (of === '*' ? 'everything' : of),
          },
          {
            title: 'Role',
            cell: (one) =>
              isOwn(one) ? (
                <select
                  className="select"
                  aria-label={`Role of ${one.name}`}
                  disabled={change.isPending}
                  value={one.roles.length === 1 ? one.roles[0] : ''}
                  onChange={({ target }) => change.mutate({ of: one, role: target.value })}
                >
                  {one.roles.length !== 1 && <option value="">{one.roles.join(' and ')}</option>}
                  {Object.keys(titled(rolesFor(roles, settled), one.roles[0] ?? '')).map((role) => (
                    <option key={role}>{role}</option>
                  ))}
                </select>
              ) : (
                one.roles.map((role) => (
                  <span key={role} className="chip">
                    {role}
                  </span>
                ))
              ),
          },
          { title: 'Given', isMuted: true, isWide: true, cell: ({ source }) => source || 'by hand' },
          {
            title: <span className="unseen">Remove</span>,
            isNumber: true,
            cell: (one) =>
              isOwn(one) && (
                <IconButton
                  icon="close"
                  label={`Remove ${one.name}`}
                  disabled={change.isPending}
                  onClick={() => change.mutate({ of: one, role: null })}
                />
              ),
          },
        ]}
      />
      <Dialog title="Add a member" open={isAdding} close={() => setAdding(false)}>
        <NewMember scope={settled} done={() => setAdding(false)} />
      </Dialog>
      <Dialog
        title={`Leave ${settled === '*' ? 'everything' : settled}`}
        open={isLeaving}
        close={() => setLeaving(false)}
      >
        <Leaving scope={settled} done={() => setLeaving(false)} />
      </Dialog>
    </>
  )
}

function Leaving({ scope, done }: { scope: string; done: () => void }) {
  const client = useQueryClient()
  const leaving = useChange(
    () => leaveScope(scope),
    async () => {
      done()
      // What one may do is less now.
      await client.invalidateQueries()
    },
  )
  return (
    <Form of={leaving} send={() => leaving.mutate(undefined)} does="Leave">
      <p>
        You give up the roles over {scope === '*' ? 'everything' : scope} that you were given by hand, and
        your places in its teams. Only others can give them back.
      </p>
    </Form>
  )
}

function NewMember({ scope, done }: { scope: string; done: () => void }) {
  const [kind, setKind] = useState<'user' | 'team'>('user')
  const [name, setName] = useState('')
  const [role, setChosen] = useState('')
  const { data: teams = [] } = useQuery(teamsQuery)
  const users = useInfiniteQuery(usersQuery(useSettled(name.trim()))).data?.pages[0]?.users ?? []
  const entity = scope.split('/')[0]
  const fit = teams.filter((team) => team.entity === '*' || team.entity === entity)
  const adding = useChange(async () => {
    const seat =
      kind === 'team'
        ? { user_id: null, team_id: name }
        : { user_id: (await userNamed(name)).user_id, team_id: null }
    return setRole({ scope, ...seat }, role)
  }, done)
  return (
    <Form of={adding} send={() => adding.mutate(undefined)} does="Add">
      <p className="muted">Over {scope === '*' ? 'everything' : scope}, and all that lies in it.</p>
      <ChoiceField
        label="Who"
        of={{ user: 'A user', team: 'A team' }}
        value={kind}
        choose={(next) => {
          setKind(next)
          setName('')
        }}
      />
      {kind === 'user' ? (
        <NameField label="User" names={users.map((one) => one.username)} value={name} set={setName} />
      ) : (
        <ChoiceField
          label="Team"
          of={Object.fromEntries(fit.map((team) => [team.team_id, team.name]))}
          value={name}
          choose={setName}
          first="Choose a team"
        />
      )}
      <RoleField scope={scope} role={role} choose={setChosen} />
    </Form>
  )
}

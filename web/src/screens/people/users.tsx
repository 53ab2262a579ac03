/** Users: found, deactivated and activated; service accounts are made here. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createServiceAccount, handOver, setActive, type User, userNamed, usersQuery } from '../../api/people'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { ChoiceField, NameField } from '../../ui/fields'
import { counted } from '../../ui/format'
import { SearchInput } from '../../ui/search-input'
import { useSettled } from '../../ui/settled'
import { Empty } from '../../ui/states'
import { TableOf, timeColumn } from '../../ui/table'
import { Form, RoleField, useChange, useScopes, Wrong } from './parts'

export function Users() {
  const [text, setText] = useState('')
  const query = useInfiniteQuery(usersQuery(useSettled(text.trim())))
  const [isMaking, setMaking] = useState(false)
  const [leaving, setLeaving] = useState<User>()
  const change = useChange(({ user_id: id, active }: User) => setActive(id, !active))
  return (
    <>
      <div className="row settings-bar">
        <SearchInput label="Find a user" text={text} setText={setText} />
        <span className="grow" />
        <Button tone="primary" icon="plus" onClick={() => setMaking(true)}>
          Make a service account
        </Button>
      </div>
      <Wrong error={change.error} className="settings-bar" />
      <TableOf
        label="Users"
        query={query}
        rows={query.data?.pages.flatMap(({ users }) => users)}
        empty={<Empty title="No user matches" />}
        keyOf={({ user_id: id }) => id}
        columns={[
          {
            title: 'User',
            cell: ({ username, kind, active }) => (
              <>
                {username} {kind === 'service' && <span className="chip">service</span>}{' '}
                {!active && <span className="chip bad">deactivated</span>}
              </>
            ),
          },
          { title: 'Name', isWide: true, cell: ({ name }) => name },
          {
            title: 'Roles',
            cell: ({ roles }) =>
              roles.map(({ scope, roles: held, source, team_id: team }) => (
                <span key={[scope, source, team].join(' ')} className="chip">
                  {held.join(', ')}: {scope}
                </span>
              )),
          },
          { title: 'Made', isMuted: true, isWide: true, cell: ({ source }) => source || 'by hand' },
          timeColumn<User>('Last seen', ({ last_seen: at }) => at, { isWide: true }),
          {
            title: <span className="unseen">Change</span>,
            isNumber: true,
            cell: (user) => (
              <>
                <Button aria-label={`Hand over from ${user.username}`} onClick={() => setLeaving(user)}>
                  Hand over
                </Button>{' '}
                <Button
                  tone={user.active ? 'danger' : 'plain'}
                  aria-label={`${user.active ? 'Deactivate' : 'Activate'} ${user.username}`}
                  disabled={change.isPending}
                  onClick={() => change.mutate(user)}
                >
                  {user.active ? 'Deactivate' : 'Activate'}
                </Button>
              </>
            ),
          },
        ]}
      />
      <Dialog title="Make a service account" open={isMaking} close={() => setMaking(false)}>
        <NewAccount done={() => setMaking(false)} />
      </Dialog>
      <Dialog title="Hand over" open={leaving !== undefined} close={() => setLeaving(undefined)}>
        {leaving && <HandOver from={leaving} />}
      </Dialog>
    </>
  )
}

function HandOver({ from }: { from: User }) {
  const [name, setName] = useState('')
  const [then, setThen] = useState<'stays' | 'ends'>('stays')
  const users = useInfiniteQuery(usersQuery(useSettled(name.trim()))).data?.pages[0]?.users ?? []
  const others = users.filter(({ user_id: id, active }) => active && id !== from.user_id)
  const handing = useChange(async () => handOver(from, await userNamed(name), then === 'ends'))
  if (handing.data) {
    const { scopes, key_ids: keys } = handing.data
    return (
      <p role="status">
        {name} has got {scopes.length === 0 ? 'no roles' : `roles over ${scopes.join(', ')}`}, and{' '}
        {counted(keys.length, 'key')}.
      </p>
    )
  }
  return (
    <Form of={handing} send={() => handing.mutate(undefined)} does="Hand over">
      <p>
        The roles that {from.username} was given by hand, such as being an owner, and its keys but for the
        personal ones go to another user. It has them no longer then.
      </p>
      <NameField label="To the user" names={others.map((one) => one.username)} value={name} set={setName} />
      <ChoiceField
        label={`What becomes of ${from.username}`}
        of={{ stays: 'It stays as it is', ends: 'It is deactivated' }}
        value={then}
        choose={setThen}
      />
    </Form>
  )
}

function NewAccount({ done }: { done: () => void }) {
  const scopes = useScopes()
  const [username, setUsername] = useState('')
  const [scope, setScope] = useState(scopes[0] ?? '')
  const [role, setRole] = useState('')
  const making = useChange(
    () =>
      createServiceAccount({ username: username.trim(), name: '', scope: scope.trim(), role: role || null }),
    done,
  )
  return (
    <Form of={making} send={() => making.mutate(undefined)} does="Make it">
      <p className="muted">Nobody signs in to it: make keys for it, under Keys.</p>
      <label>
        User name
        <input
          className="input"
          required
          maxLength={128}
          value={username}
          onChange={({ target }) => setUsername(target.value)}
        />
      </label>
      <NameField
        label="Scope: * (everything), an entity, or a project"
        names={scopes}
        value={scope}
        set={setScope}
      />
      <RoleField scope={scope} role={role} choose={setRole} />
    </Form>
  )
}

/** Invitations that nobody has used yet: made, with a link that is shown once, and revoked. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Invitation, invitationsQuery, invite, revokeInvitation } from '../../api/people'
import { Button } from '../../ui/button'
import { Snippet } from '../../ui/copy'
import { Dialog } from '../../ui/dialog'
import { NameField, NumberField } from '../../ui/fields'
import { Empty } from '../../ui/states'
import { TableOf, timeColumn } from '../../ui/table'
import { Time } from '../../ui/time'
import { Form, RoleField, useChange, useScopes, Wrong } from './parts'

export function Invitations() {
  const query = useQuery(invitationsQuery)
  const [isMaking, setMaking] = useState(false)
  const revocation = useChange(revokeInvitation)
  return (
    <>
      <div className="row settings-bar">
        <span className="muted">Each link works once</span>
        <span className="grow" />
        <Button tone="primary" icon="plus" onClick={() => setMaking(true)}>
          Invite somebody
        </Button>
      </div>
      <Wrong error={revocation.error} className="settings-bar" />
      <TableOf
        label="Invitations"
        query={query}
        rows={query.data}
        empty={<Empty title="No invitation is open" />}
        keyOf={({ invitation_id: id }) => id}
        columns={[
          { title: 'For', cell: ({ email }) => email || 'who has the link' },
          { title: 'Over', cell: ({ scope }) => (scope === '*' ? 'everything' : scope) },
          { title: 'Role', cell: ({ role }) => <span className="chip">{role}</span> },
          timeColumn<Invitation>('Made', ({ created_at: at }) => at, { isWide: true }),
          { title: 'Ends', isMuted: true, isWide: true, cell: ({ expires_at: at }) => <Time at={at} /> },
          {
            title: <span className="unseen">Revoke</span>,
            isNumber: true,
            cell: ({ invitation_id: id, email, scope }) => (
              <Button
                tone="danger"
                aria-label={`Revoke the invitation of ${email || 'who has the link'} to ${scope}`}
                disabled={revocation.isPending}
                onClick={() => revocation.mutate(id)}
              >
                Revoke
              </Button>
            ),
          },
        ]}
      />
      <InviteDialog open={isMaking} close={() => setMaking(false)} />
    </>
  )
}

/** Makes an invitation and shows its link, once. @param props.scope what it is for at first; default: the first that there is */
export function InviteDialog({ scope, open, close }: { scope?: string; open: boolean; close: () => void }) {
  const [link, setLink] = useState('')
  return (
    <Dialog
      title="Invite somebody"
      open={open}
      close={() => {
        close()
        setLink('')
      }}
    >
      {link === '' ? (
        <NewInvitation first={scope} done={setLink} />
      ) : (
        <div className="settings-form">
          <p>Send this link. It works once, and is not shown again.</p>
          <Snippet text={link} />
        </div>
      )}
    </Dialog>
  )
}

/** @param props.done gets the link */
function NewInvitation({ first, done }: { first: string | undefined; done: (link: string) => void }) {
  const scopes = useScopes()
  const [scope, setScope] = useState(first ?? scopes[0] ?? '')
  // The least right.
  const [role, setRole] = useState('viewer')
  const [email, setEmail] = useState('')
  const [days, setDays] = useState<number | null>(7)
  const making = useChange(
    () => invite({ scope: scope.trim(), role, email: email.trim(), days: days ?? 7 }),
    ({ path }) => done(location.origin + path),
  )
  return (
    <Form of={making} send={() => making.mutate(undefined)} does="Make a link">
      <NameField
        label="Scope: * (everything), an entity, or a project"
        names={scopes}
        value={scope}
        set={setScope}
      />
      <RoleField scope={scope} role={role} choose={setRole} />
      <label>
        E-mail address
        <input
          className="input"
          type="email"
          maxLength={128}
          placeholder="empty: for whoever has the link"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
      </label>
      <NumberField
        label="Days that the link works"
        value={days}
        set={setDays}
        required
        min={1}
        max={90}
        step={1}
      />
    </Form>
  )
}

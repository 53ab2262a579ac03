/** Roles and what they may: the built-in ones, and those that entities make of permissions. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteRole, type Role, rolesQuery } from '../../api/people'
import { sessionQuery, useIsAdmin } from '../../api/session'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { TableOf } from '../../ui/table'
import { AREA, useChange, Wrong } from './parts'
import { RoleForm } from './role-form'
import { EVERYWHERE } from './roles'

/** `*:read` as a person says it. */
const permissionText = (permission: string): string =>
  permission.startsWith(`${EVERYWHERE}:`) ? `everything:${permission.slice(2)}` : permission

const keyOf = ({ entity, name }: Role): string => `${entity ?? ''} ${name}`

export function Roles() {
  const query = useQuery(rolesQuery)
  const { data: session } = useQuery(sessionQuery)
  const isAdmin = useIsAdmin(AREA)
  /** null: a new one */
  const [changed, setChanged] = useState<string | null>()
  const [ending, setEnding] = useState<Role>()
  const removal = useChange(
    ({ entity, name }: Role) => deleteRole(entity!, name),
    () => setEnding(undefined),
  )
  const mayChange = ({ entity }: Role) =>
    entity !== null &&
    (session?.grants ?? []).some(
      ({ scope, right, area = AREA }) => right === 'admin' && area === AREA && ['*', entity].includes(scope),
    )
  const change = query.data?.roles.find((one) => keyOf(one) === changed)
  return (
    <>
      <div className="row settings-bar">
        <span className="muted">A role is one over all that lies in its scope</span>
        <span className="grow" />
        {isAdmin && (
          <Button tone="primary" icon="plus" onClick={() => setChanged(null)}>
            Make a role
          </Button>
        )}
      </div>
      <TableOf
        label="Roles"
        query={query}
        rows={query.data?.roles}
        empty={null}
        keyOf={keyOf}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Of', isMuted: true, cell: ({ entity }) => (entity === null ? 'built in' : entity) },
          { title: 'Title', isWide: true, cell: ({ title }) => title },
          {
            title: 'May',
            cell: ({ name, entity, permissions }) => (
              <>
                {permissions.map((one) => (
                  <span key={one} className="chip">
                    {permissionText(one)}
                  </span>
                ))}
                {name === 'owner' && entity === null && <span className="chip">make and unmake owners</span>}
              </>
            ),
          },
          {
            title: <span className="unseen">Change</span>,
            isNumber: true,
            cell: (role) =>
              mayChange(role) && (
                <>
                  <Button aria-label={`Change ${role.name}`} onClick={() => setChanged(keyOf(role))}>
                    Change
                  </Button>{' '}
                  <Button tone="danger" aria-label={`Delete ${role.name}`} onClick={() => setEnding(role)}>
                    Delete
                  </Button>
                </>
              ),
          },
        ]}
      />
      <Dialog
        title={changed === null ? 'Make a role' : 'Change a role'}
        open={changed !== undefined}
        close={() => setChanged(undefined)}
      >
        {query.data && <RoleForm role={change} areas={query.data.areas} done={() => setChanged(undefined)} />}
      </Dialog>
      <Dialog title="Delete a role" open={ending !== undefined} close={() => setEnding(undefined)}>
        {ending && (
          <div className="settings-form">
            <p>Who has the role {ending.name} has nothing by it any more, within 10 seconds.</p>
            <Wrong error={removal.error} />
            <Button tone="danger" disabled={removal.isPending} onClick={() => removal.mutate(ending)}>
              Delete it
            </Button>
          </div>
        )}
      </Dialog>
    </>
  )
}

/** Teams: made, with who is in them, and deleted. Those of an identity provider are changed there. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  createTeam,
  deleteTeam,
  putIntoTeam,
  renameTeam,
  type Team,
  takeOutOfTeam,
  teamsQuery,
  userNamed,
  usersQuery,
} from '../../api/people'
import { Button, IconButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { NameField } from '../../ui/fields'
import { useSettled } from '../../ui/settled'
import { Empty } from '../../ui/states'
import { Table, TableOf } from '../../ui/table'
import { Form, useChange, useScopes, Wrong } from './parts'

export function Teams() {
  const query = useQuery(teamsQuery)
  const [isMaking, setMaking] = useState(false)
  const [opened, setOpened] = useState('')
  const open = query.data?.find(({ team_id: id }) => id === opened)
  return (
    <>
      <div className="row settings-bar">
        <span className="muted">Who is in a team has its roles</span>
        <span className="grow" />
        <Button tone="primary" icon="plus" onClick={() => setMaking(true)}>
          Make a team
        </Button>
      </div>
      <TableOf
        label="Teams"
        query={query}
        rows={query.data}
        empty={<Empty title="There is no team" />}
        keyOf={({ team_id: id }) => id}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Of', isMuted: true, cell: ({ entity }) => (entity === '*' ? 'everybody' : entity) },
          { title: 'Members', isNumber: true, cell: ({ members }) => members.length },
          { title: 'Kept', isMuted: true, isWide: true, cell: ({ source }) => source || 'by hand' },
          {
            title: <span className="unseen">Open</span>,
            isNumber: true,
            cell: ({ team_id: id, name }) => (
              <Button aria-label={`Open the team ${name}`} onClick={() => setOpened(id)}>
                Open
              </Button>
            ),
          },
        ]}
      />
      <Dialog title="Make a team" open={isMaking} close={() => setMaking(false)}>
        <NewTeam done={() => setMaking(false)} />
      </Dialog>
      <Dialog title={`Team ${open?.name ?? ''}`} open={open !== undefined} close={() => setOpened('')}>
        {open && <OpenTeam team={open} done={() => setOpened('')} />}
      </Dialog>
    </>
  )
}

function NewTeam({ done }: { done: () => void }) {
  const entities = useScopes().filter((scope) => !scope.includes('/'))
  const [entity, setEntity] = useState(entities[0] ?? '')
  const [name, setName] = useState('')
  const making = useChange(() => createTeam({ entity: entity.trim(), name }), done)
  return (
    <Form of={making} send={() => making.mutate(undefined)} does="Make it">
      <NameField label="Everybody (*), or an entity" names={entities} value={entity} set={setEntity} />
      <TeamNameField name={name} set={setName} />
    </Form>
  )
}

function OpenTeam({ team, done }: { team: Team; done: () => void }) {
  const { team_id: id, members, source, name: teamName } = team
  const [name, setName] = useState('')
  const users = useInfiniteQuery(usersQuery(useSettled(name.trim()))).data?.pages[0]?.users ?? []
  const adding = useChange(
    async () => putIntoTeam(id, (await userNamed(name)).user_id),
    () => setName(''),
  )
  const removal = useChange((user: string) => takeOutOfTeam(id, user))
  const [renamed, setRenamed] = useState(teamName)
  const renaming = useChange(() => renameTeam(id, renamed))
  const ending = useChange(() => deleteTeam(id), done)
  const isOwn = source === ''
  return (
    <div className="settings-form">
      {members.length === 0 ? (
        <p className="muted">Nobody is in it.</p>
      ) : (
        <Table
          label={`Members of ${teamName}`}
          rows={members}
          keyOf={({ user_id: user }) => user}
          columns={[
            { title: 'User', cell: ({ username }) => username },
            {
              title: <span className="unseen">Take out</span>,
              isNumber: true,
              cell: ({ user_id: user, username }) =>
                isOwn && (
                  <IconButton
                    icon="close"
                    label={`Take ${username} out`}
                    disabled={removal.isPending}
                    onClick={() => removal.mutate(user)}
                  />
                ),
            },
          ]}
        />
      )}
      <Wrong error={removal.error ?? ending.error} />
      {isOwn ? (
        <>
          <Form of={renaming} send={() => renaming.mutate(undefined)} does="Rename">
            <TeamNameField name={renamed} set={setRenamed} />
          </Form>
          <Form of={adding} send={() => adding.mutate(undefined)} does="Put in">
            <NameField label="User" names={users.map((one) => one.username)} value={name} set={setName} />
          </Form>
          <Button tone="danger" disabled={ending.isPending} onClick={() => ending.mutate(undefined)}>
            Delete the team, with its roles
          </Button>
        </>
      ) : (
        <p className="muted">It comes from {source}, where it is changed.</p>
      )}
    </div>
  )
}

function TeamNameField({ name, set }: { name: string; set: (name: string) => void }) {
  return (
    <label>
      Name
      <input
        className="input"
        required
        maxLength={200}
        value={name}
        onChange={({ target }) => set(target.value)}
      />
    </label>
  )
}

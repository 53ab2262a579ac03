/** The form of a role: its name, and a right for each area that it has one in. */
import { useState } from 'react'
import { ApiError } from '../../api/client'
import { type Role, saveRole } from '../../api/people'
import { Button } from '../../ui/button'
import { NameField } from '../../ui/fields'
import { Form, useChange, useScopes } from './parts'
import { chosenOf, EVERYWHERE, permissionsOf, RIGHTS } from './roles'

interface Props {
  /** undefined: a new one; as it is now, which may be another one than the form began with */
  role: Role | undefined
  areas: readonly string[]
  done: () => void
}

export function RoleForm({ role, areas, done }: Props) {
  const entities = useScopes().filter((scope) => !scope.includes('/'))
  const [begun, setBegun] = useState(role)
  const [entity, setEntity] = useState(role?.entity ?? entities[0] ?? '')
  const [name, setName] = useState(role?.name ?? '')
  const [title, setTitle] = useState(role?.title ?? '')
  const [chosen, setChosen] = useState(() => chosenOf(role?.permissions ?? ['*:read']))
  const saving = useChange(
    () =>
      saveRole(entity.trim(), name, {
        title,
        permissions: permissionsOf(chosen),
        version: begun?.version ?? 0,
      }),
    done,
  )
  const startOver = () => {
    setBegun(role)
    setTitle(role?.title ?? '')
    setChosen(chosenOf(role?.permissions ?? []))
    saving.reset()
  }
  const isOutdated = saving.error instanceof ApiError && saving.error.code === 'CHANGED_MEANWHILE'
  return (
    <Form of={saving} send={() => saving.mutate(undefined)} does="Save it">
      {begun === undefined ? (
        <>
          <NameField label="Everybody (*), or an entity" names={entities} value={entity} set={setEntity} />
          <label>
            Name
            <input
              className="input"
              required
              maxLength={64}
              pattern="[a-z][a-z0-9\-]*"
              title="Small letters, digits and -"
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          </label>
        </>
      ) : (
        <p>
          {name} of {entity === '*' ? 'everybody' : entity}
        </p>
      )}
      <label>
        Title
        <input
          className="input"
          maxLength={200}
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
      </label>
      <fieldset className="people-permissions">
        <legend>It may</legend>
        {[EVERYWHERE, ...areas].map((area) => (
          <label key={area}>
            {area === EVERYWHERE ? 'Everything' : area}
            <select
              className="select"
              value={chosen[area] ?? ''}
              onChange={({ target }) => setChosen({ ...chosen, [area]: target.value })}
            >
              <option value="">–</option>
              {RIGHTS.map((right) => (
                <option key={right}>{right}</option>
              ))}
            </select>
          </label>
        ))}
      </fieldset>
      {isOutdated && <Button onClick={startOver}>Start over from what it is now</Button>}
    </Form>
  )
}

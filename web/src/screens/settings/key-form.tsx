/** What a new key is for: its user, a note, its rights, and what it is limited to. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Grant, makeKey, makeOwnKey } from '../../api/keys'
import { rolesQuery } from '../../api/people'
import { projectsQuery } from '../../api/projects'
import { sessionQuery } from '../../api/session'
import { Button, IconButton } from '../../ui/button'
import { commaList } from '../../ui/comma-list'
import { RIGHTS } from '../people/roles'

const DAY_MS = 86_400_000
/** Personal keys end, others need not. */
const PERSONAL_DAYS = 90

interface Props {
  /** a key of who is signed in, which may at most what they may */
  isPersonal?: boolean
  /** gets the key */
  done: (key: string) => void
}

export function KeyForm({ isPersonal = false, done }: Props) {
  const client = useQueryClient()
  const { data: session } = useQuery(sessionQuery)
  const { data: projects = [] } = useQuery(projectsQuery)
  const { data: { areas } = { areas: [] } } = useQuery(rolesQuery)
  const [grants, setGrants] = useState<readonly Grant[]>(isPersonal ? [] : [{ scope: '', right: 'write' }])
  const making = useMutation({
    mutationFn: (form: FormData) => {
      const text = (name: string) => String(form.get(name) ?? '').trim()
      const [traces, days] = [text('traces'), text('days')]
      const [models, addresses] = [commaList(text('models')), commaList(text('addresses'))]
      const asked = {
        label: text('label'),
        grants: grants.map(({ scope, right, area }) => ({
          ...{ scope: scope.trim(), right },
          ...(area && { area }),
        })),
        ...(traces !== '' && { trace_project: traces }),
        ...(days !== '' && { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
        ...(models.length > 0 && { models }),
        ...(addresses.length > 0 && { addresses }),
      }
      return isPersonal ? makeOwnKey(asked) : makeKey({ ...asked, username: text('user') })
    },
    onSuccess: async ({ key }) => {
      done(key)
      await client.invalidateQueries({ queryKey: ['keys'] })
    },
  })
  const change = (at: number, more: Partial<Grant>) =>
    setGrants(grants.map((grant, i) => (i === at ? { ...grant, ...more } : grant)))
  const ids = projects.map(({ project_id: id }) => id)
  const scopes = [...new Set(ids.flatMap((id) => [id.split('/')[0]!, id]))].sort()
  return (
    <form
      className="settings-form"
      onSubmit={(event) => {
        event.preventDefault()
        making.mutate(new FormData(event.currentTarget))
      }}
    >
      {!isPersonal && (
        <label>
          User
          <input className="input" name="user" defaultValue={session?.username} required maxLength={128} />
        </label>
      )}
      <label>
        Label
        <input className="input" name="label" placeholder="what it is for" maxLength={200} />
      </label>
      <fieldset>
        <legend>Rights</legend>
        {grants.length === 0 && <p className="muted">All of yours, as you have them at the time.</p>}
        {grants.map((grant, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a right is its place
          <div key={at} className="row">
            <input
              className="input grow"
              aria-label="Entity or project"
              placeholder="an entity, or entity/project"
              list="settings-scopes"
              required
              value={grant.scope}
              onChange={({ target }) => change(at, { scope: target.value })}
            />
            <select
              className="select"
              aria-label="Area"
              value={grant.area ?? ''}
              onChange={({ target }) => change(at, { area: target.value })}
            >
              <option value="">everything</option>
              {areas.map((area) => (
                <option key={area}>{area}</option>
              ))}
            </select>
            <select
              className="select"
              aria-label="Right"
              value={grant.right}
              onChange={({ target }) => change(at, { right: target.value as Grant['right'] })}
            >
              {RIGHTS.map((right) => (
                <option key={right}>{right}</option>
              ))}
            </select>
            {grants.length > (isPersonal ? 0 : 1) && (
              <IconButton
                icon="close"
                label="Remove this right"
                onClick={() => setGrants(grants.toSpliced(at, 1))}
              />
            )}
          </div>
        ))}
        <datalist id="settings-scopes">
          {scopes.map((scope) => (
            <option key={scope} value={scope} />
          ))}
        </datalist>
        <Button icon="plus" onClick={() => setGrants([...grants, { scope: '', right: 'read' }])}>
          {grants.length === 0 ? 'Only this right' : 'Another right'}
        </Button>
      </fieldset>
      <label>
        Days until it ends
        <input
          className="input"
          name="days"
          type="number"
          min={1}
          max={36_500}
          required={isPersonal}
          defaultValue={isPersonal ? PERSONAL_DAYS : ''}
          placeholder="it does not end"
        />
      </label>
      <label>
        Models that it may ask
        <input className="input" name="models" placeholder="all, or names with commas between" />
      </label>
      <label>
        Addresses that it works from
        <input className="input" name="addresses" placeholder="all, or networks such as 10.0.0.0/8" />
      </label>
      <label>
        Log its chats to
        <input className="input" name="traces" placeholder="entity/project, or nothing" />
      </label>
      {making.error && (
        <p className="bad" role="alert">
          {making.error.message}
        </p>
      )}
      <Button tone="primary" type="submit" disabled={making.isPending}>
        Make it
      </Button>
    </form>
  )
}

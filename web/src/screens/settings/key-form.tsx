/** What a key is for: its user, a note, its rights, and what it is limited to; of a new one, or one that is changed. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiKey, type Grant, makeKey, makeOwnKey, updateKey } from '../../api/keys'
import { rolesQuery } from '../../api/people'
import { projectsQuery } from '../../api/projects'
import { sessionQuery } from '../../api/session'
import { Button, IconButton } from '../../ui/button'
import { commaList } from '../../ui/comma-list'
import { RIGHTS } from '../people/roles'

const DAY_MS = 86_400_000
/** Personal keys end, others need not. */
const PERSONAL_DAYS = 90

/** The day on which a key ends; empty: it does not. */
const dayOf = ({ expires_at: at }: ApiKey): string => at?.slice(0, 10) ?? ''
/** The end of that day. */
const endOf = (day: string): string | null => (day === '' ? null : `${day}T23:59:59Z`)

interface Props {
  /** a key of who is signed in, which may at most what they may */
  isPersonal?: boolean
  /** the key that is changed; default: a new one is made */
  of?: ApiKey
  /** gets the new key, or nothing */
  done: (key: string) => void
}

export function KeyForm({ isPersonal = false, of, done }: Props) {
  const client = useQueryClient()
  const { data: session } = useQuery(sessionQuery)
  const { data: projects = [] } = useQuery(projectsQuery)
  const { data: { areas } = { areas: [] } } = useQuery(rolesQuery)
  const [grants, setGrants] = useState<readonly Grant[]>(
    of?.grants ?? (isPersonal ? [] : [{ scope: '', right: 'write' }]),
  )
  const making = useMutation({
    mutationFn: async (form: FormData) => {
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
      if (of !== undefined) {
        await updateKey(of, {
          ...{ label: asked.label, grants: asked.grants, trace_project: traces || null },
          ...(text('ends') !== dayOf(of) && { expires_at: endOf(text('ends')) }),
          models: models.length > 0 ? models : null,
          addresses: addresses.length > 0 ? addresses : null,
        })
        return { key: '' }
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
      {!isPersonal && of === undefined && (
        <label>
          User
          <input className="input" name="user" defaultValue={session?.username} required maxLength={128} />
        </label>
      )}
      <label>
        Label
        <input
          className="input"
          name="label"
          placeholder="what it is for"
          maxLength={200}
          defaultValue={of?.label}
        />
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
      {of === undefined ? (
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
      ) : (
        <label>
          Last day (UTC), or none
          <input className="input" name="ends" type="date" required={isPersonal} defaultValue={dayOf(of)} />
        </label>
      )}
      <label>
        Models that it may ask
        <input
          className="input"
          name="models"
          placeholder="all, or names with commas between"
          defaultValue={of?.models?.join(', ')}
        />
      </label>
      <label>
        Addresses that it works from
        <input
          className="input"
          name="addresses"
          placeholder="all, or networks such as 10.0.0.0/8"
          defaultValue={of?.addresses?.join(', ')}
        />
      </label>
      <label>
        Log its chats to
        <input
          className="input"
          name="traces"
          placeholder="entity/project, or nothing"
          defaultValue={of?.trace_project ?? ''}
        />
      </label>
      {making.error && (
        <p className="bad" role="alert">
          {making.error.message}
        </p>
      )}
      <Button tone="primary" type="submit" disabled={making.isPending}>
        {of === undefined ? 'Make it' : 'Change it'}
      </Button>
    </form>
  )
}

/** What a new key is for: its user, a note, its rights. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Grant, makeKey } from '../../api/keys'
import { projectsQuery } from '../../api/projects'
import { sessionQuery } from '../../api/session'
import { Button, IconButton } from '../../ui/button'

const RIGHTS = ['read', 'write', 'admin'] as const

/** @param props.done gets the key */
export function KeyForm({ done }: { done: (key: string) => void }) {
  const client = useQueryClient()
  const { data: session } = useQuery(sessionQuery)
  const { data: projects = [] } = useQuery(projectsQuery)
  const [grants, setGrants] = useState<readonly Grant[]>([{ scope: '', right: 'write' }])
  const making = useMutation({
    mutationFn: (form: FormData) => {
      const text = (name: string) => String(form.get(name) ?? '').trim()
      const traces = text('traces')
      return makeKey({
        username: text('user'),
        label: text('label'),
        grants: grants.map(({ scope, right }) => ({ scope: scope.trim(), right })),
        ...(traces !== '' && { trace_project: traces }),
      })
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
      <label>
        User
        <input className="input" name="user" defaultValue={session?.username} required maxLength={128} />
      </label>
      <label>
        Label
        <input className="input" name="label" placeholder="what it is for" maxLength={200} />
      </label>
      <fieldset>
        <legend>Rights</legend>
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
              aria-label="Right"
              value={grant.right}
              onChange={({ target }) => change(at, { right: target.value as Grant['right'] })}
            >
              {RIGHTS.map((right) => (
                <option key={right}>{right}</option>
              ))}
            </select>
            {grants.length > 1 && (
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
          Another right
        </Button>
      </fieldset>
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

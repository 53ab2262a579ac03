/** The tags and aliases of a version: shown, added and removed. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { changeLabels, LATEST, type Label, type Obj } from '../../api/objects'
import { Button, IconButton } from '../../ui/button'
import { emptyAfter, textIn } from '../../ui/form-text'
import { Popover } from '../../ui/menu'

export function Labels({ object }: { object: Obj }) {
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (asked: { label: Label; isAdded: boolean }) =>
      changeLabels(object, asked.label, asked.isAdded),
    onSuccess: () => client.invalidateQueries({ queryKey: ['objects', object.project_id] }),
  })
  const labels: Label[] = [
    ...(object.aliases ?? []).map((name) => ({ kind: 'alias' as const, name })),
    ...(object.tags ?? []).map((name) => ({ kind: 'tag' as const, name })),
  ]
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const name = textIn(form, 'name')
    const kind = textIn(form, 'kind') === 'alias' ? 'alias' : 'tag'
    const onSuccess = () => emptyAfter(form, 'name', name)
    if (name !== '') change.mutate({ label: { kind, name }, isAdded: true }, { onSuccess })
  }
  return (
    <Popover label="Tags and aliases" trigger={<Button>Tags and aliases</Button>}>
      <div className="objects-labels">
        <ul>
          {labels.map(({ kind, name }) => (
            <li key={`${kind} ${name}`} className="row">
              <span className="chip accent">{name}</span>
              <span className="muted grow">{kind}</span>
              {name !== LATEST && (
                <IconButton
                  icon="close"
                  label={`Remove the ${kind} ${name}`}
                  onClick={() => change.mutate({ label: { kind, name }, isAdded: false })}
                />
              )}
            </li>
          ))}
        </ul>
        <form className="row" onSubmit={add}>
          <input className="input" name="name" aria-label="Tag or alias" placeholder="production" required />
          <select className="select" name="kind" aria-label="Kind">
            <option value="tag">tag</option>
            <option value="alias">alias</option>
          </select>
          <Button type="submit" disabled={change.isPending}>
            Add
          </Button>
        </form>
        <p className="muted">An alias names one version: it moves here from another. Versions share tags.</p>
        {change.error && (
          <p className="bad" role="alert">
            {change.error.message}
          </p>
        )}
      </div>
    </Popover>
  )
}

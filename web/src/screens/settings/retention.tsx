/** How many days a project keeps its calls. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMay } from '../../api/session'
import { keepFor } from '../../api/settings'
import { Button } from '../../ui/button'

export function Retention({ project, days }: { project: string; days: number | null }) {
  const client = useQueryClient()
  const mayChange = useMay('write', project, 'Projects')
  const change = useMutation({
    mutationFn: (next: number | null) => keepFor(project, next),
    onSuccess: () => client.invalidateQueries({ queryKey: ['settings', project] }),
  })
  return (
    <form
      className="settings-form"
      onSubmit={(event) => {
        event.preventDefault()
        const given = String(new FormData(event.currentTarget).get('days') ?? '')
        change.mutate(given === '' ? null : Number(given))
      }}
    >
      <label>
        Days that calls are kept
        <span className="row">
          <input
            className="input settings-days"
            type="number"
            name="days"
            disabled={!mayChange}
            min={1}
            max={36_500}
            defaultValue={days ?? ''}
            placeholder="for ever"
          />
          <Button type="submit" disabled={!mayChange || change.isPending}>
            Save
          </Button>
        </span>
      </label>
      <p className="muted" role="status">
        {change.isSuccess ? 'Saved. ' : ''}
        Older calls are deleted within the hour, for good. An empty field keeps them for ever.
      </p>
      {change.error && (
        <p className="bad" role="alert">
          {change.error.message}
        </p>
      )}
    </form>
  )
}

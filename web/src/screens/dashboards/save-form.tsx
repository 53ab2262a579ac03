/** The name under which a dashboard is saved; one that is saved can be deleted. */
import { Button } from '../../ui/button'

interface Props {
  name: string
  save: (name: string) => void
  remove: (() => void) | undefined
  isBusy: boolean
  error: Error | null
}

export function SaveForm({ name, save, remove, isBusy, error }: Props) {
  return (
    <form
      className="dashboards-form"
      onSubmit={(event) => {
        event.preventDefault()
        const given = String(new FormData(event.currentTarget).get('name') ?? '').trim()
        if (given !== '') save(given)
      }}
    >
      <label>
        Name
        <input className="input" name="name" defaultValue={name} required maxLength={100} pattern=".*\w.*" />
      </label>
      {error && (
        <p className="bad" role="alert">
          {error.message}
        </p>
      )}
      <div className="row">
        <Button tone="primary" type="submit" disabled={isBusy}>
          Save
        </Button>
        {remove && (
          <Button tone="danger" icon="trash" disabled={isBusy} onClick={remove}>
            Delete the dashboard
          </Button>
        )}
      </div>
    </form>
  )
}

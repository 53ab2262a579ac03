/** The name under which something is saved; what is saved can be deleted. */
import { NAME_PATTERN } from '../api/object-id'
import { Button } from './button'

interface Props {
  /** what is saved, such as "dashboard" */
  what: string
  name: string
  save: (name: string) => void
  remove?: (() => void) | undefined
  isBusy: boolean
  error: Error | null
}

export function SaveForm({ what, name, save, remove, isBusy, error }: Props) {
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        save(String(new FormData(event.currentTarget).get('name')).trim())
      }}
    >
      <label className="row">
        Name
        <input
          className="input grow"
          name="name"
          defaultValue={name}
          required
          maxLength={100}
          pattern={NAME_PATTERN}
        />
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
            Delete the {what}
          </Button>
        )}
      </div>
    </form>
  )
}

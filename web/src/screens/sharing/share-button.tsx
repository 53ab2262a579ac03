/** Shares one thing with people without a key: makes links to it, and shows those that there are. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { makeShare, revokeShare, type ShareKind, sharesQuery } from '../../api/shares'
import { Button } from '../../ui/button'
import { Snippet } from '../../ui/copy'
import { Dialog } from '../../ui/dialog'
import { counted } from '../../ui/format'
import { Failed, Loading } from '../../ui/states'
import { Time } from '../../ui/time'
import './sharing.css'

const DAY_S = 86_400
const USUAL = 7
const DAYS = [1, USUAL, 30, 90, 365]

interface Props {
  project: string
  kind: ShareKind
  /** as requests name it */
  target: string
}

const SHOWS: Record<ShareKind, string> = {
  trace: 'this trace with its comments',
  evaluation_run: 'the results of this run',
  dashboard: 'the charts that this dashboard has now',
}

export function ShareButton(props: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon="link" onClick={() => setOpen(true)}>
        Share…
      </Button>
      <Dialog title="Share" open={isOpen} close={() => setOpen(false)}>
        <Links {...props} />
      </Dialog>
    </>
  )
}

function Links({ project, kind, target }: Props) {
  const client = useQueryClient()
  const query = sharesQuery(project, kind, target)
  const { data, error, refetch } = useQuery(query)
  const again = () => client.invalidateQueries({ queryKey: query.queryKey })
  const making = useMutation({
    mutationFn: (given: { seconds: number; note: string }) => makeShare(project, { kind, target, ...given }),
    onSuccess: again,
  })
  const revoking = useMutation({ mutationFn: (id: string) => revokeShare(project, id), onSuccess: again })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const most = data.days_most
  if (most === 0) return <p>This server makes no links for people without a key.</p>
  const make = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    making.mutate({ seconds: Number(form.get('days')) * DAY_S, note: String(form.get('note') ?? '').trim() })
  }
  const days = DAYS.filter((one) => one <= most)
  const wrong = making.error ?? revoking.error
  return (
    <div className="sharing">
      <p>Whoever has a link sees {SHOWS[kind]}, without a key, and nothing else of the project.</p>
      <form className="sharing-form" onSubmit={make}>
        <label>
          Good for
          <select className="select" name="days" defaultValue={Math.min(USUAL, most)}>
            {(days.length > 0 ? days : [most]).map((one) => (
              <option key={one} value={one}>
                {counted(one, 'day')}
              </option>
            ))}
          </select>
        </label>
        <label>
          Note, for you
          <input className="input" name="note" maxLength={500} placeholder="Who it is for" />
        </label>
        <Button tone="primary" type="submit" disabled={making.isPending}>
          Make a link
        </Button>
      </form>
      {wrong && (
        <p className="bad" role="alert">
          {wrong.message}
        </p>
      )}
      {making.data && (
        <div role="status">
          <p>Copy it now: it is not shown again.</p>
          <Snippet text={`${location.origin}/share/${making.data.token}`} />
        </div>
      )}
      {data.shares.length > 0 && (
        <ul className="sharing-links" aria-label="Links">
          {data.shares.map(({ id, note, state, expires_at: until, views, created_by: by }) => (
            <li key={id} className="row">
              <span className="grow">
                {note || 'A link'} <span className="muted">by {by}</span>
              </span>
              <span className="muted">{counted(views, 'view')}</span>
              {state === 'live' ? (
                <>
                  <span className="muted">
                    until <Time at={until} />
                  </span>
                  <Button tone="danger" disabled={revoking.isPending} onClick={() => revoking.mutate(id)}>
                    Revoke
                  </Button>
                </>
              ) : (
                <span className="chip">{state}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/**
 * What an invitation's link opens (`/invitation#TOKEN`): who follows it gets the role, as who is signed in or as a new user.
 * The token stays behind the hash, which no server gets, until it is used.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { acceptInvitation } from '../../api/people'
import { sessionQuery } from '../../api/session'
import { Button } from '../../ui/button'
import icon from '../../ui/icon.svg'
import { Failed, Loading } from '../../ui/states'
import '../signin/sign-in.css'

export function Invitation() {
  const token = useLocation().hash
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data: session, error, refetch } = useQuery(sessionQuery)
  const accepting = useMutation({
    mutationFn: (asked: { username: string; name: string }) => acceptInvitation({ token, ...asked }),
    onSuccess: async () => {
      client.clear()
      await navigate({ to: '/', replace: true })
    },
  })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (session === undefined) return <Loading />
  if (token === '')
    return (
      <Panel>
        <p>The link is not whole: copy all of it, with what is behind the #.</p>
      </Panel>
    )
  const failure = accepting.error && (
    <p className="bad" role="alert">
      {accepting.error.message}
    </p>
  )
  if (session !== null && session.user_id !== null)
    return (
      <Panel>
        <p>
          You are signed in as <b>{session.username}</b>, who gets the role.
        </p>
        {failure}
        <Button
          tone="primary"
          disabled={accepting.isPending}
          onClick={() => accepting.mutate({ username: '', name: '' })}
        >
          Accept the invitation
        </Button>
      </Panel>
    )
  return (
    <Panel>
      <p>
        You become a user here, and are signed in
        {session !== null && `, instead of with the key of ${session.username}`}.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const text = (name: string) => String(form.get(name) ?? '').trim()
          accepting.mutate({ username: text('username'), name: text('name') })
        }}
      >
        <label>
          Your e-mail address, or a user name
          <input className="input" name="username" autoComplete="username" maxLength={128} />
        </label>
        <p className="muted">Leave it empty if the invitation was made for your address.</p>
        <label>
          Your name
          <input className="input" name="name" autoComplete="name" maxLength={200} />
        </label>
        {failure}
        <Button tone="primary" type="submit" disabled={accepting.isPending}>
          Accept the invitation
        </Button>
      </form>
      <p className="muted">
        If you have a user already, <Link to="/signin">sign in</Link> first, and open this link again.
      </p>
    </Panel>
  )
}

function Panel({ children }: { children: ReactNode }) {
  return (
    <main className="sign-in">
      <section className="panel">
        <img src={icon} alt="" />
        <h1>You are invited to Heddle</h1>
        {children}
      </section>
    </main>
  )
}

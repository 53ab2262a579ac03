/**
 * Signs in: by a provider, by a link that is sent by mail (`/signin#link=…`, which it takes when a button is pressed), with a
 * key, or with the one-time code of a link (`/signin#code`).
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { type Signing, sendLink, sessionQuery, signIn, signings, waysQuery } from '../../api/session'
import { Button } from '../../ui/button'
import icon from '../../ui/icon.svg'
import { Failed, Loading } from '../../ui/states'
import './sign-in.css'

const LINK = 'link='

export function SignIn() {
  const { next = '/', error: told } = useSearch({ from: '/signin' })
  const client = useQueryClient()
  const navigate = useNavigate()
  const ways = useQuery(waysQuery(told))
  const [error, setError] = useState('')
  const [hash] = useState(() => location.hash.slice(1))
  const [link, setLink] = useState(hash.startsWith(LINK) ? hash.slice(LINK.length) : '')
  const code = link === '' && !hash.startsWith(LINK) ? hash : ''
  const [isBusy, setBusy] = useState(code !== '')
  const redeemed = useRef(false)

  // An address of this service, and no other site's.
  const goOn = (to = next) =>
    navigate({ to: to.startsWith('/') && !to.startsWith('//') ? to : '/', replace: true })
  const enter = async (by: Signing) => {
    setBusy(true)
    setError('')
    try {
      const { session, next: to } = await signIn(by)
      client.clear()
      client.setQueryData(sessionQuery.queryKey, session)
      await goOn(to)
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure))
      setLink('')
      setBusy(false)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a code works once
  useEffect(() => {
    if (hash !== '') history.replaceState(null, '', location.pathname + location.search)
    if (code === '' || redeemed.current) return
    redeemed.current = true
    void enter({ code })
  }, [])

  // A link that is opened where this page is already.
  useEffect(() => {
    const take = () => {
      const opened = location.hash.slice(1)
      if (!opened.startsWith(LINK)) return
      history.replaceState(null, '', location.pathname + location.search)
      setError('')
      setLink(opened.slice(LINK.length))
    }
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])

  // Who signs in on one tab is signed in on all.
  useEffect(() => {
    const follow = async () => {
      client.clear()
      if ((await client.fetchQuery(sessionQuery)) !== null) await goOn()
    }
    signings.addEventListener('message', follow)
    return () => signings.removeEventListener('message', follow)
  })

  if (code !== '' && isBusy) return <Loading what="Signing in" />
  if (link !== '')
    return (
      <Panel error={error}>
        <p>You opened the link of a mail. It works once.</p>
        <Button tone="primary" disabled={isBusy} onClick={() => void enter({ link })}>
          Sign in
        </Button>
      </Panel>
    )
  if (ways.error) return <Failed error={ways.error} retry={() => void ways.refetch()} />
  if (ways.data === undefined) return <Loading />
  const { providers, email, error: sentence = '' } = ways.data
  const isKeyAlone = providers.length === 0 && !email
  const byKey = <KeyForm isBusy={isBusy} enter={(key) => void enter({ key })} />
  return (
    <Panel error={error === '' ? sentence : error}>
      {providers.map(({ name, title }) => (
        <a
          key={name}
          className="button primary"
          href={`/sign-in/start/${name}?next=${encodeURIComponent(next)}`}
        >
          Sign in with {title}
        </a>
      ))}
      {email && <MailForm next={next} />}
      {isKeyAlone ? (
        byKey
      ) : (
        <details>
          <summary>Sign in with a key</summary>
          {byKey}
        </details>
      )}
    </Panel>
  )
}

function Panel({ error, children }: { error: string; children: ReactNode }) {
  return (
    <main className="sign-in">
      <section className="panel">
        <img src={icon} alt="" />
        <h1>Sign in to Heddle</h1>
        {error !== '' && (
          <p className="bad" role="alert">
            {error}
          </p>
        )}
        {children}
      </section>
    </main>
  )
}

/** The text of a form's field. */
function textOf(event: FormEvent<HTMLFormElement>, name: string): string {
  event.preventDefault()
  return String(new FormData(event.currentTarget).get(name) ?? '').trim()
}

function KeyForm({ isBusy, enter }: { isBusy: boolean; enter: (key: string) => void }) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const key = textOf(event, 'key')
    if (key !== '') enter(key)
  }
  return (
    <form onSubmit={submit}>
      <label>
        API key
        <input
          className="input"
          name="key"
          type="password"
          autoComplete="current-password"
          placeholder="hk_…"
          required
        />
      </label>
      <Button tone="primary" type="submit" disabled={isBusy}>
        Sign in
      </Button>
      <p className="muted">
        Heddle prints a link that signs you in, and a key, when it starts in a terminal.{' '}
        <code>heddle keys create</code> makes more keys.
      </p>
    </form>
  )
}

function MailForm({ next }: { next: string }) {
  const send = useMutation({ mutationFn: (email: string) => sendLink(email, next) })
  if (send.isSuccess)
    return (
      <p role="status">
        If this address may sign in here, a mail with a link is on its way. The link works for a quarter of an
        hour.
      </p>
    )
  return (
    <form onSubmit={(event) => send.mutate(textOf(event, 'email'))}>
      <label>
        E-mail address
        <input className="input" name="email" type="email" autoComplete="email" maxLength={254} required />
      </label>
      {send.error && (
        <p className="bad" role="alert">
          {send.error.message}
        </p>
      )}
      <Button type="submit" disabled={send.isPending}>
        Send me a link
      </Button>
    </form>
  )
}

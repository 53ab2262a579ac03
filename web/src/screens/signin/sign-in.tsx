/** Signs in with a key, or with the one-time code of a link: `/signin#code`. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { sessionQuery, signIn, signings } from '../../api/session'
import { Button } from '../../ui/button'
import icon from '../../ui/icon.svg'
import { Loading } from '../../ui/states'
import './sign-in.css'

export function SignIn() {
  const { next = '/' } = useSearch({ from: '/signin' })
  const client = useQueryClient()
  const navigate = useNavigate()
  const [error, setError] = useState('')
  const [code] = useState(() => location.hash.slice(1))
  const [isBusy, setBusy] = useState(code !== '')
  const redeemed = useRef(false)

  // An address of this service, and no other site's.
  const goOn = () =>
    navigate({ to: next.startsWith('/') && !next.startsWith('//') ? next : '/', replace: true })
  const enter = async (by: { key: string } | { code: string }) => {
    setBusy(true)
    setError('')
    try {
      const session = await signIn(by)
      client.clear()
      client.setQueryData(sessionQuery.queryKey, session)
      await goOn()
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure))
      setBusy(false)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a code works once
  useEffect(() => {
    if (code === '' || redeemed.current) return
    redeemed.current = true
    history.replaceState(null, '', location.pathname)
    void enter({ code })
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

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const key = String(new FormData(event.currentTarget).get('key') ?? '').trim()
    if (key !== '') void enter({ key })
  }
  if (code !== '' && isBusy) return <Loading what="Signing in" />
  return (
    <main className="sign-in">
      <form className="panel" onSubmit={submit}>
        <img src={icon} alt="" />
        <h1>Sign in to Heddle</h1>
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
        {error !== '' && (
          <p className="bad" role="alert">
            {error}
          </p>
        )}
        <Button tone="primary" type="submit" disabled={isBusy}>
          Sign in
        </Button>
        <p className="muted">
          Heddle prints a link that signs you in, and a key, when it starts in a terminal.{' '}
          <code>heddle keys create</code> makes more keys.
        </p>
      </form>
    </main>
  )
}

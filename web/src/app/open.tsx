/** What is around a screen that anybody may read: the shell for who is signed in, else a way to sign in. */
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { sessionQuery } from '../api/session'
import icon from '../ui/icon.svg'
import { Shell, ThemeButton } from './shell'

export function Open() {
  const { data: session } = useQuery(sessionQuery)
  const { href } = useLocation()
  if (session) return <Shell />
  return (
    <div className="open">
      <header className="shell-top">
        <Link to="/" className="brand">
          <img src={icon} alt="" />
          Heddle
        </Link>
        <span className="grow" />
        <ThemeButton />
        <Link to="/signin" search={{ next: href }} className="button">
          Sign in
        </Link>
      </header>
      <main className="shell-main">
        <Outlet />
      </main>
    </div>
  )
}

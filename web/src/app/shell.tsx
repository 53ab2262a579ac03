/** What is around every screen: navigation, the project, theme, keys, who is signed in. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { Fragment, lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { mentionsQuery } from '../api/mentions'
import { sessionQuery, signings, signOut } from '../api/session'
import { Button, IconButton } from '../ui/button'
import { Dialog } from '../ui/dialog'
import icon from '../ui/icon.svg'
import { Icon } from '../ui/icons'
import { Menu, MenuItem, Popover } from '../ui/menu'
import { useZone } from '../ui/time'
import { weavePath } from './address'
import { loaded } from './connection'
import { useActiveShortcuts, useShortcuts } from './keys'
import { forgetVisits, keepVisit } from './palette/recent'
import { useProject } from './project'
import { GROUPS, screens } from './screens'
import './shell.css'
import { useShownScreen } from './shown-screen'
import { useTheme } from './theme'
import { useTitle } from './title'
import { useProjects } from './use-projects'

const HEARTBEAT_MS = 15_000
const NONE = {}

const Palette = lazy(() => loaded(async () => ({ default: (await import('./palette/palette')).Palette })))

export function Shell() {
  const { entity, id } = useProject()
  const shown = useShownScreen()
  const navigate = useNavigate()
  const isHome = useLocation().pathname === '/'
  const [help, setHelp] = useState(false)
  const [isFinding, setFinding] = useState(false)
  useSession()
  useVisits()
  const side = useShownLink()
  useTitle()
  usePaletteKey(() => setFinding((was) => !was))
  const goTo = (to: string) => void navigate({ to })
  const pathOf = entity === '' ? undefined : (screen: string) => weavePath(id, screen)
  useShortcuts([
    { keys: '?', what: 'Show keyboard shortcuts', run: () => setHelp(true) },
    { keys: 'g h', what: 'Go to the projects', run: () => goTo('/') },
    { keys: 'g k', what: 'Go to API keys', run: () => goTo('/settings') },
    ...(pathOf === undefined
      ? []
      : screens.map(({ key, title, path }) => ({
          keys: `g ${key}`,
          what: `Go to ${title === title.toUpperCase() ? title : title.toLowerCase()}`,
          run: () => goTo(pathOf(path)),
        }))),
  ])
  return (
    <div className="shell">
      <nav ref={side} className="shell-side" aria-label="Screens">
        <Link to="/" className="brand">
          <img src={icon} alt="" />
          Heddle
        </Link>
        <Link to="/" className="nav-link" activeOptions={{ exact: true }}>
          <Icon name="home" />
          Projects
        </Link>
        {pathOf !== undefined &&
          GROUPS.map((group) => (
            <Fragment key={group}>
              <div className="nav-label">{group}</div>
              {screens
                .filter((one) => one.group === group)
                .map(({ title, icon: name, path }) => (
                  <Link
                    key={path}
                    to={pathOf(path)}
                    className={`nav-link${path === shown ? ' active' : ''}`}
                    activeProps={NONE}
                    aria-current={path === shown ? 'page' : undefined}
                    // By its address alone a page may be below another list than the one that has it.
                    activeOptions={{ exact: true }}
                  >
                    <Icon name={name} />
                    {title}
                  </Link>
                ))}
            </Fragment>
          ))}
        {pathOf === undefined && <div className="nav-label">Service</div>}
        {pathOf === undefined && (
          <Link to="/training" className="nav-link">
            <Icon name="training" />
            Training
          </Link>
        )}
        <Link to="/settings" className="nav-link">
          <Icon name="key" />
          Keys
        </Link>
        <Link to="/docs" className="nav-link">
          <Icon name="link" />
          Docs
        </Link>
      </nav>
      <header className="shell-top">
        {entity !== '' ? <ProjectSwitcher current={id} /> : isHome && <h1>Projects</h1>}
        <span className="grow" />
        <IconButton icon="search" label="Go to anything (Ctrl K)" onClick={() => setFinding(true)} />
        <IconButton
          icon="keyboard"
          label="Keyboard shortcuts (?)"
          className="only-wide"
          onClick={() => setHelp(true)}
        />
        <UserMenu />
      </header>
      <main className="shell-main">
        <Outlet />
      </main>
      <Help open={help} close={() => setHelp(false)} />
      {isFinding && (
        <Suspense>
          <Palette close={() => setFinding(false)} showKeys={() => setHelp(true)} />
        </Suspense>
      )}
    </div>
  )
}

/** Where screens do not fit beside each other, the one that is shown is in sight. */
function useShownLink() {
  const side = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address says which link is active
  useEffect(() => {
    const link = side.current?.querySelector('.nav-link.active')
    link?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [pathname])
  return side
}

/** Ctrl-K, or Command-K: also while somebody types, but not over another dialog. */
function usePaletteKey(toggle: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event
      if (key.toLowerCase() !== 'k' || !(ctrlKey || metaKey) || altKey || shiftKey) return
      event.preventDefault()
      if (document.querySelector('dialog[open]:not(.palette)') === null) toggle()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}

/** Keeps which pages of projects were seen, each when it is left: by then its title is known. */
function useVisits(): void {
  const { pathname, searchStr } = useLocation()
  const { data: session } = useQuery(sessionQuery)
  const user = session?.username
  useLayoutEffect(() => {
    if (user === undefined || pathname === '/') return
    return () => keepVisit(user, { path: pathname + searchStr, title: document.title })
  }, [user, pathname, searchStr])
}

/** Asks again and again who is signed in: a page that asks for nothing else learns of the end of the session, too. */
function useSession(): void {
  const client = useQueryClient()
  useQuery({ ...sessionQuery, refetchInterval: HEARTBEAT_MS, refetchOnWindowFocus: 'always' })
  useEffect(() => {
    const ask = () => void client.invalidateQueries(sessionQuery)
    signings.addEventListener('message', ask)
    return () => signings.removeEventListener('message', ask)
  }, [client])
}

function ProjectSwitcher({ current }: { current: string }) {
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  const shown = useProjects(text, open).found.slice(0, 200)
  return (
    <Popover
      label="Projects"
      open={open}
      setOpen={setOpen}
      trigger={
        <Button tone="quiet" className="switcher" aria-label={`Project ${current}; choose another`}>
          <span className="cut">{current}</span>
          <Icon name="down" />
        </Button>
      }
    >
      <div className="switcher-list">
        <input
          className="input"
          placeholder="Find a project"
          aria-label="Find a project"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <ul>
          {shown.map((id) => (
            <li key={id}>
              <Link
                to={weavePath(id, 'traces')}
                className={id === current ? 'active' : ''}
                onClick={() => setOpen(false)}
              >
                {id}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </Popover>
  )
}

/** Changes between light and dark. */
export function ThemeButton() {
  const [theme, setTheme] = useTheme()
  return (
    <IconButton
      icon={theme === 'dark' ? 'sun' : 'moon'}
      label={theme === 'dark' ? 'Light' : 'Dark'}
      onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}
    />
  )
}

function UserMenu() {
  const { data: session } = useQuery(sessionQuery)
  const { data: mentions } = useQuery(mentionsQuery)
  const navigate = useNavigate()
  const client = useQueryClient()
  const [zone, setZone] = useZone()
  const leave = async () => {
    const to = await signOut().catch(() => '/signin')
    if (session) forgetVisits(session.username)
    client.clear()
    location.assign(to)
  }
  return (
    <>
      <ThemeButton />
      <Menu trigger={<IconButton icon="user" label={`Signed in as ${session?.username ?? ''}`} />}>
        <div className="menu-label">Signed in as {session?.username}</div>
        <MenuItem choose={() => void navigate({ to: '/mentions' })}>
          Mentions{mentions?.new ? ` (${mentions.new} new)` : ''}
        </MenuItem>
        <MenuItem choose={() => setZone(zone === 'utc' ? 'local' : 'utc')}>
          Times in {zone === 'utc' ? 'local time' : 'UTC'}
        </MenuItem>
        <MenuItem choose={() => void leave()}>Sign out</MenuItem>
      </Menu>
    </>
  )
}

function Help({ open, close }: { open: boolean; close: () => void }) {
  const shortcuts = useActiveShortcuts()
  return (
    <Dialog title="Keyboard shortcuts" open={open} close={close}>
      <div className="keys-list">
        {shortcuts.map(({ keys, what }) => (
          <div key={keys}>
            <span>{what}</span>
            <span>
              {keys.split(' ').map((key, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the same key may come twice
                <kbd key={i}>{key}</kbd>
              ))}
            </span>
          </div>
        ))}
      </div>
    </Dialog>
  )
}

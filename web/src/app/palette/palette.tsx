/** A field that leads anywhere: screens, projects, views, objects, ids, what was seen last, and what can be done. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { sessionQuery } from '../../api/session'
import { guides } from '../../screens/docs/guides'
import { useSettled } from '../../ui/settled'
import { useZone } from '../../ui/time'
import { weavePath } from '../address'
import { useProject } from '../project'
import { screens } from '../screens'
import { useTheme } from '../theme'
import { useProjects } from '../use-projects'
import { type Item, idItemsQuery, objectItemsQuery, viewItemsQuery } from './items'
import { ranked } from './match'
import './palette.css'
import { visitsOf } from './recent'

/** Shown of what fits, and of what was seen last. */
const [MOST, RECENT] = [50, 6]

export function Palette({ close, showKeys }: { close: () => void; showKeys: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [chosen, choose] = useState(0)
  const navigate = useNavigate()
  const items = useItems(text, showKeys)
  const shown = useMemo(() => {
    const byName = new Set(ranked(text, items.all, ({ name }) => name))
    const others = items.all.filter((item) => !byName.has(item))
    // `order prompt` finds prompts; what has the text in its name comes first.
    const byKind = ranked(text, others, ({ name, kind }) => `${name} ${kind}`)
    const found = [...byName, ...byKind].slice(0, MOST)
    // What has exactly this id was meant.
    return [...items.byId, ...found.filter(({ id }) => items.byId.every((one) => one.id !== id))]
  }, [text, items])
  const at = Math.min(chosen, shown.length - 1)
  useEffect(() => {
    const element = dialog.current!
    if (!element.open) element.showModal()
  }, [])
  useEffect(() => {
    document.getElementById(optionId(at))?.scrollIntoView({ block: 'nearest' })
  }, [at])
  const take = (item: Item | undefined) => {
    if (item === undefined) return
    close()
    if (item.run) item.run()
    else void navigate({ to: item.to!, search: item.search ?? searchIn(item.to!) })
  }
  const press = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + 10,
      PageUp: at - 10,
    }
    const next = steps[event.key]
    if (next !== undefined) {
      event.preventDefault()
      const last = shown.length - 1
      // Past the end comes the beginning, but not by a page.
      const wrapped = event.key.startsWith('Arrow') ? (next + shown.length) % Math.max(1, shown.length) : next
      choose(Math.min(last, Math.max(0, wrapped)))
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      take(shown[at])
    }
  }
  return (
    <dialog
      ref={dialog}
      className="dialog palette"
      aria-label="Go to anything"
      onClose={close}
      // At once: the event of closing comes later, when Ctrl-K may have been pressed again.
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      // A click beside it is one on the dialog itself.
      onClick={({ target }) => target === dialog.current && close()}
    >
      <input
        className="palette-input"
        role="combobox"
        aria-label="Where to, or what to do"
        aria-expanded={shown.length > 0}
        aria-controls="palette-list"
        aria-autocomplete="list"
        {...(shown.length > 0 && { 'aria-activedescendant': optionId(at) })}
        placeholder="Where to? A screen, a name, an id, …"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          choose(0)
        }}
        onKeyDown={press}
      />
      <div id="palette-list" role="listbox" aria-label="What fits" className="palette-list">
        {shown.map((item, i) => (
          <div
            key={item.id}
            id={optionId(i)}
            role="option"
            aria-selected={i === at}
            className="palette-item"
            onMouseMove={() => i !== at && choose(i)}
            onClick={() => take(item)}
          >
            <span className="cut">{item.name}</span>
            <span className="grow" />
            {item.keys?.split(' ').map((key) => (
              <kbd key={key} className="only-wide">
                {key}
              </kbd>
            ))}
            <span className="muted">{item.kind}</span>
          </div>
        ))}
      </div>
      <p className="palette-none muted" role="status">
        {shown.length === 0 ? 'Nothing fits.' : ''}
      </p>
    </dialog>
  )
}

const GUIDES: readonly Item[] = guides.map(({ path, title }) => ({
  ...{ id: `guide ${path}`, name: title, kind: 'Guide', to: '/docs', search: { page: path } },
}))

const optionId = (index: number) => `palette-option-${index}`

const searchIn = (path: string): Record<string, unknown> =>
  Object.fromEntries(new URL(path, location.origin).searchParams)

/** Everything that may be chosen, the likeliest first, and what has the id that was typed. */
function useItems(text: string, showKeys: () => void): { all: Item[]; byId: readonly Item[] } {
  const { entity, id } = useProject()
  const project = entity === '' ? '' : id
  const inProject = { enabled: project !== '' }
  const navigate = useNavigate()
  const { data: session } = useQuery(sessionQuery)
  const { known: projects } = useProjects(text)
  const { data: objects } = useQuery({ ...objectItemsQuery(project), ...inProject })
  const { data: views } = useQuery({ ...viewItemsQuery(project), ...inProject })
  const { data: byId } = useQuery(idItemsQuery(project, useSettled(text.trim())))
  const [theme, setTheme] = useTheme()
  const [zone, setZone] = useZone()
  const user = session?.username ?? ''
  const all = useMemo(() => {
    const here = location.pathname
    const recent = visitsOf(user)
      .filter(({ path }) => path.split('?')[0] !== here)
      .slice(0, RECENT)
      .map(({ path, title }) => ({
        ...{ id: `recent ${path}`, kind: 'Seen lately', to: path },
        name: title.replace(/ · Heddle$/, ''),
      }))
    const own = (path: string) => weavePath(project, ...path.split('/'))
    const ofProject: Item[] =
      project === ''
        ? []
        : [
            ...screens.map(({ title, path, key }) => ({
              ...{ id: `screen ${path}`, name: title, kind: 'Screen', to: own(path), keys: `g ${key}` },
            })),
            { id: 'leaderboards', name: 'Leaderboards', kind: 'Screen', to: own('leaderboards') },
            {
              id: 'conversations',
              name: 'Conversations of agents',
              kind: 'Screen',
              to: own('agents/conversations'),
            },
            { id: 'new prompt', name: 'New prompt', kind: 'Action', to: own('playground') },
            { id: 'new evaluation', name: 'Run an evaluation', kind: 'Action', to: own('evaluations') },
            { id: 'new training', name: 'Train a model', kind: 'Action', to: own('training/new') },
            {
              ...{ id: 'failed threads', name: 'Threads with errors', kind: 'Action' },
              run: () => void navigate({ to: own('threads'), search: { failed: true } }),
            },
          ]
    const ofAll: Item[] = [
      { id: 'home', name: 'Projects', kind: 'Screen', to: '/', keys: 'g h' },
      { id: 'keys', name: 'Keys', kind: 'Screen', to: '/settings', keys: 'g k' },
      { id: 'mentions', name: 'Mentions', kind: 'Screen', to: '/mentions' },
      { id: 'docs', name: 'Documentation of the API', kind: 'Screen', to: '/docs' },
      {
        ...{ id: 'theme', kind: 'Action', name: theme === 'dark' ? 'Light theme' : 'Dark theme' },
        run: () => setTheme(theme === 'dark' ? 'light' : 'dark'),
      },
      {
        ...{ id: 'zone', kind: 'Action', name: zone === 'utc' ? 'Times in local time' : 'Times in UTC' },
        run: () => setZone(zone === 'utc' ? 'local' : 'utc'),
      },
      { id: 'shortcuts', kind: 'Action', name: 'Show keyboard shortcuts', keys: '?', run: showKeys },
    ]
    const others = (projects ?? [])
      .filter((one) => one !== project)
      .map((one) => ({
        ...{ id: `project ${one}`, name: one, kind: 'Project', to: weavePath(one, 'traces') },
      }))
    return [...recent, ...ofProject, ...ofAll, ...(views ?? []), ...others, ...(objects ?? []), ...GUIDES]
  }, [user, project, projects, objects, views, theme, zone, navigate, setTheme, setZone, showKeys])
  return useMemo(() => ({ all, byId: byId ?? [] }), [all, byId])
}

/** The calls of a trace with their times beside the content of one of them, wherever they come from. */
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useMemo, useRef, useState } from 'react'
import { nameOf, type Usage } from '../../api/calls'
import { loaded } from '../../app/connection'
import { useShortcuts } from '../../app/keys'
import { useTitleOf } from '../../app/title'
import { Button, IconButton } from '../../ui/button'
import { count, counted, duration, money } from '../../ui/format'
import { Panes } from '../../ui/panes'
import { SearchInput } from '../../ui/search-input'
import { useSettled } from '../../ui/settled'
import { Loading } from '../../ui/states'
import { contentQuery, LEAST_FOUND } from './data'
import type { FactsById } from './facts'
import { Minimap, type Window } from './minimap'
import { VIEWS, type View } from './search'
import './trace.css'
import { criticalPath, logRows, type Tree, visibleRows } from './tree'
import { Waterfall } from './waterfall'

const GraphView = lazy(() =>
  loaded(() => import('./graph-view')).then(({ GraphView: component }) => ({ default: component })),
)

interface ViewProps {
  tree: Tree
  callId: string
  select: (id: string) => void
  total?: Usage | undefined
  /** before its name */
  before?: ReactNode
  /** after its name */
  actions?: ReactNode
  reload?: () => void
  view: View
  setView: (view: View) => void
  /** what rows say beside times */
  facts?: FactsById | undefined
  /** whose content can be searched; absent: names only */
  searched?: { project: string; traceId: string }
  /** the call's content */
  children: ReactNode
}

const NO_FACTS: FactsById = new Map()

/** The calls of a trace beside the content of one of them. */
export function TraceView(props: ViewProps) {
  const { tree, callId, select, total, before, actions, reload, children, view, setView, searched } = props
  const { facts = NO_FACTS } = props
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set())
  const [text, setText] = useState('')
  const [errorsOnly, setErrorsOnly] = useState(false)
  const [isCritical, setCritical] = useState(false)
  const [zoomed, setZoomed] = useState<Window>()
  const shown = zoomed ?? { from: tree.start, to: tree.end }
  const input = useRef<HTMLInputElement>(null)
  const find = text.trim().toLowerCase()
  const settled = useSettled(find)
  const { project = '', traceId = '' } = searched ?? {}
  const content = contentQuery(project, traceId, settled)
  const { data: inside, isFetching } = useQuery({
    ...content,
    enabled: searched !== undefined && settled.length >= LEAST_FOUND,
  })
  const rows = useMemo(() => {
    const shown = { collapsed, text: find, errorsOnly, inside: find === settled ? inside : undefined }
    return view === 'log' ? logRows(tree, shown) : visibleRows(tree, shown)
  }, [tree, collapsed, find, settled, errorsOnly, inside, view])
  const critical = useMemo(() => (isCritical ? criticalPath(tree) : undefined), [tree, isCritical])
  const errors = useMemo(() => tree.spans.filter(({ failed }) => failed).length, [tree])
  const root = tree.spans[0]

  const toggle = (id: string) =>
    setCollapsed((old) => {
      const next = new Set(old)
      if (!next.delete(id)) next.add(id)
      return next
    })
  const step = (by: number) => {
    const at = rows.indexOf(tree.places.get(callId) ?? -1)
    const next = tree.spans[rows[Math.max(0, Math.min(rows.length - 1, at + by))] ?? 0]
    if (next) select(next.id)
  }
  useShortcuts([
    { keys: 'j', what: 'Next call', run: () => step(1) },
    { keys: 'k', what: 'Previous call', run: () => step(-1) },
    { keys: 'ArrowDown', what: 'Next call', run: () => step(1) },
    { keys: 'ArrowUp', what: 'Previous call', run: () => step(-1) },
    { keys: 'h', what: 'Close or open what is below', run: () => toggle(callId) },
    { keys: 'e', what: 'Only errors', run: () => setErrorsOnly((old) => !old) },
    { keys: '/', what: 'Search in the trace', run: () => input.current?.focus() },
  ])
  useTitleOf(root?.name)
  const isAllClosed = collapsed.size > 0
  return (
    <Panes name="trace.split" label="Width of the list of calls" className="trace">
      <div className="trace-tree">
        <div className="page-head">
          {before}
          <h1 className="cut grow">
            {root === undefined ? '' : nameOf({ display_name: root.name, op_name: '' })}
          </h1>
          {reload && <IconButton icon="reload" label="Reload" onClick={reload} className="only-wide" />}
          {actions}
          <span className="muted trace-sums">
            {tree.isPart
              ? 'Reading all its calls…'
              : `${counted(tree.spans.length, 'call')} · ${duration(tree.end - tree.start)}`}
            {total && total.tokens > 0 && ` · ${count(total.tokens)} tokens`}
            {total?.cost !== undefined && ` · ${money(total.cost)}`}
          </span>
        </div>
        <div className="trace-tools">
          <div className="trace-views" role="group" aria-label="View">
            {Object.entries(VIEWS).map(([name, title]) => (
              <Button
                key={name}
                className="trace-view"
                aria-pressed={name === view}
                onClick={() => setView(name as View)}
              >
                {title}
              </Button>
            ))}
          </div>
          {view !== 'graph' && (
            <>
              <SearchInput
                ref={input}
                className="input grow"
                label="Search in the trace"
                placeholder={searched ? 'Search names and content' : 'Search names'}
                text={text}
                setText={setText}
              />
              <Button
                aria-pressed={errorsOnly}
                disabled={errors === 0}
                onClick={() => setErrorsOnly(!errorsOnly)}
              >
                {counted(errors, 'error')}
              </Button>
            </>
          )}
          {view === 'timeline' && (
            <Button aria-pressed={isCritical} onClick={() => setCritical(!isCritical)} className="only-wide">
              Critical path
            </Button>
          )}
          {(view === 'timeline' || view === 'tree') && (
            <IconButton
              icon={isAllClosed ? 'expand' : 'collapse'}
              label={isAllClosed ? 'Expand all' : 'Collapse all'}
              onClick={() =>
                setCollapsed(
                  isAllClosed
                    ? new Set()
                    : new Set(
                        tree.spans
                          .filter((_, i) => tree.below[i]! > 0 && tree.depth[i]! > 0)
                          .map(({ id }) => id),
                      ),
                )
              }
            />
          )}
        </div>
        {view === 'timeline' && <Minimap tree={tree} shown={shown} show={setZoomed} />}
        {view === 'graph' && searched !== undefined && props.facts === undefined ? (
          <Loading />
        ) : view === 'graph' ? (
          <Suspense fallback={<Loading />}>
            <GraphView {...{ tree, facts, select }} selected={callId} />
          </Suspense>
        ) : rows.length === 0 ? (
          <p className="state">{isFetching ? 'Searching…' : 'Nothing here matches.'}</p>
        ) : (
          <Waterfall
            {...{ tree, rows, collapsed, toggle, select, critical, shown, facts, view }}
            inside={find === settled ? inside : undefined}
            text={find}
            selected={callId}
          />
        )}
      </div>
      {children}
    </Panes>
  )
}

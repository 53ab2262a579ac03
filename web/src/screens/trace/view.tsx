/** The calls of a trace with their times beside the content of one of them, wherever they come from. */
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { nameOf, type Usage } from '../../api/calls'
import { useShortcuts } from '../../app/keys'
import { useTitleOf } from '../../app/title'
import { Button } from '../../ui/button'
import { count, counted, duration, money } from '../../ui/format'
import { SearchInput } from '../../ui/search-input'
import { Minimap, type Window } from './minimap'
import './trace.css'
import { criticalPath, type Tree, visibleRows } from './tree'
import { Waterfall } from './waterfall'

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
  /** the call's content */
  children: ReactNode
}

/** The calls of a trace beside the content of one of them. */
export function TraceView({ tree, callId, select, total, before, actions, reload, children }: ViewProps) {
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set())
  const [text, setText] = useState('')
  const [errorsOnly, setErrorsOnly] = useState(false)
  const [isCritical, setCritical] = useState(false)
  const [shown, setShown] = useState<Window>({ from: tree.start, to: tree.end })
  const input = useRef<HTMLInputElement>(null)
  const rows = useMemo(
    () => visibleRows(tree, { collapsed, text: text.trim().toLowerCase(), errorsOnly }),
    [tree, collapsed, text, errorsOnly],
  )
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
    <div className="trace">
      <div className="trace-tree">
        <div className="page-head">
          {before}
          <h1 className="cut">
            {root === undefined ? '' : nameOf({ display_name: root.name, op_name: '' })}
          </h1>
          <span className="muted">
            {counted(tree.spans.length, 'call')} · {duration(tree.end - tree.start)}
            {total && total.tokens > 0 && ` · ${count(total.tokens)} tokens`}
            {total?.cost !== undefined && ` · ${money(total.cost)}`}
          </span>
          {actions}
        </div>
        <div className="trace-tools">
          <SearchInput
            ref={input}
            className="input grow"
            label="Search in the trace"
            placeholder="Search by name or id"
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
          <Button aria-pressed={isCritical} onClick={() => setCritical(!isCritical)} className="only-wide">
            Critical path
          </Button>
          <Button
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
          >
            {isAllClosed ? 'Expand all' : 'Collapse all'}
          </Button>
          {reload && (
            <Button onClick={reload} className="only-wide">
              Reload
            </Button>
          )}
        </div>
        <Minimap tree={tree} shown={shown} show={setShown} />
        {rows.length === 0 ? (
          <p className="state">Nothing here matches.</p>
        ) : (
          <Waterfall {...{ tree, rows, collapsed, toggle, select, critical, shown }} selected={callId} />
        )}
      </div>
      {children}
    </div>
  )
}

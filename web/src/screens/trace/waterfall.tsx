/** The spans of a trace, as a tree with their times beside it. Only rows that are seen are in the page. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import { count, duration, money } from '../../ui/format'
import { Icon } from '../../ui/icons'
import { Marked } from '../../ui/marked'
import { type Facts, type FactsById, kindByName } from './facts'
import { KindIcon } from './kind-icon'
import type { Window } from './minimap'
import { type Tree, ticksOf } from './tree'

const ROW = 26
const MINUTE = 60_000

interface Props {
  tree: Tree
  rows: Int32Array
  collapsed: ReadonlySet<string>
  toggle: (id: string) => void
  selected: string
  select: (id: string) => void
  critical: ReadonlySet<number> | undefined
  shown: Window
  facts: FactsById
  /** of rows whose content has what is searched for */
  inside: ReadonlySet<string> | undefined
  /** lower case: marked in names */
  text: string
  /** the times of calls as bars, or what is known of them as text; a log is flat */
  view: 'timeline' | 'tree' | 'log'
}

export function Waterfall(props: Props) {
  const { tree, rows, collapsed, toggle, selected, select, critical, shown, facts, inside, text, view } =
    props
  const isLog = view === 'log'

  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 10,
  })
  const at = useMemo(() => rows.indexOf(tree.places.get(selected) ?? -1), [rows, tree, selected])
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' })
  }, [at, virtual])
  const length = shown.to - shown.from
  const percent = (time: number) => (100 * (time - shown.from)) / length
  // `1 min 30 s` takes the place of two of `30 s`, or of `30 min`.
  const most = length < MINUTE || length > 5 * MINUTE ? 5 : 3
  const ticks = ticksOf(shown.from - tree.start, shown.to - tree.start, most)
  return (
    <div
      ref={scroller}
      className={`trace-scroll ${view}`}
      role="tree"
      aria-label="Calls of the trace"
      tabIndex={0}
    >
      {view === 'timeline' && (
        <div className="trace-axis" aria-hidden>
          <span />
          <div>
            {ticks.map((tick) => (
              <i key={tick} style={{ left: `${percent(tree.start + tick)}%` }}>
                {duration(tick).replace(/ 0 (s|min|h)$/, '')}
              </i>
            ))}
          </div>
          <span />
        </div>
      )}
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const place = rows[index]!
          const span = tree.spans[place]!
          const end = span.end ?? tree.end
          const left = Math.max(0, percent(span.start))
          const right = Math.min(100, percent(end))
          const isInside = !isLog && tree.below[place]! > 0
          const known = facts.get(span.id)
          const kind = known?.kind ?? kindByName(span.name) ?? 'step'
          const isClosed = collapsed.has(span.id)
          return (
            <div
              key={span.id}
              className={`trace-row${span.id === selected ? ' selected' : ''}${span.failed ? ' failed' : ''}${critical?.has(place) ? ' critical' : ''}`}
              style={{ transform: `translateY(${start}px)` }}
              role="treeitem"
              aria-level={isLog ? 1 : tree.depth[place]! + 1}
              aria-selected={span.id === selected}
              {...(isInside && { 'aria-expanded': !isClosed })}
              onClick={() => select(span.id)}
            >
              <span
                className="trace-name"
                // Half of its width is the name's, however deep it lies.
                style={{ paddingLeft: isLog ? 0 : `min(${tree.depth[place]! * 14}px, 50%)` }}
              >
                {isLog ? (
                  <span className="trace-at">{duration(span.start - tree.start)}</span>
                ) : isInside ? (
                  <button
                    type="button"
                    tabIndex={-1}
                    className="trace-toggle"
                    aria-label={isClosed ? 'Open' : 'Close'}
                    onClick={(event) => {
                      event.stopPropagation()
                      toggle(span.id)
                    }}
                  >
                    <Icon name={isClosed ? 'right' : 'down'} />
                  </button>
                ) : (
                  <i className="trace-toggle" />
                )}
                <KindIcon kind={kind} />
                <span className="cut">
                  <Marked text={span.name} find={text} />
                </span>
                {isClosed && isInside && <small>{tree.below[place]}</small>}
                {inside?.has(span.id) && (
                  <span className="trace-hit" title="Its content has the text">
                    <Icon name="search" label="Its content has the text" />
                  </span>
                )}
              </span>
              {view === 'timeline' ? (
                <span className="trace-times">
                  {right >= 0 && left <= 100 && (
                    <i
                      className={`trace-bar ${kind}`}
                      style={{ left: `${left}%`, width: `max(2px, ${Math.max(0, right - left)}%)` }}
                    />
                  )}
                </span>
              ) : (
                <FactsOf facts={known} />
              )}
              <span className="trace-took">
                {span.end === undefined ? 'running' : duration(span.end - span.start)}
              </span>
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** What a row says beside its times. */
function FactsOf({ facts }: { facts: Facts | undefined }) {
  if (facts === undefined) return <span />
  const { model, tokens, cost, firstToken, scores } = facts
  return (
    <span className="trace-facts">
      {model !== undefined && <span className="cut trace-model">{model}</span>}
      {tokens !== undefined && <span>{count(tokens)} tokens</span>}
      {cost !== undefined && <span>{money(cost)}</span>}
      {firstToken !== undefined && <span title="until the first token">first {duration(firstToken)}</span>}
      {scores.map((score, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a score is its place
        <span key={i} className="chip accent">
          {score}
        </span>
      ))}
    </span>
  )
}

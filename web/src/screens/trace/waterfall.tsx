/** The spans of a trace, as a tree with their times beside it. Only rows that are seen are in the page. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import { duration } from '../../ui/format'
import { Icon } from '../../ui/icons'
import type { Window } from './minimap'
import { type Tree, ticksOf } from './tree'

const ROW = 26

interface Props {
  tree: Tree
  rows: Int32Array
  collapsed: ReadonlySet<string>
  toggle: (id: string) => void
  selected: string
  select: (id: string) => void
  critical: ReadonlySet<number> | undefined
  shown: Window
}

export function Waterfall({ tree, rows, collapsed, toggle, selected, select, critical, shown }: Props) {
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
  const ticks = ticksOf(shown.from - tree.start, shown.to - tree.start, 5)
  return (
    <div ref={scroller} className="trace-scroll" role="tree" aria-label="Calls of the trace" tabIndex={0}>
      <div className="trace-axis" aria-hidden>
        <span />
        <div>
          {ticks.map((tick) => (
            <i key={tick} style={{ left: `${percent(tree.start + tick)}%` }}>
              {duration(tick)}
            </i>
          ))}
        </div>
        <span />
      </div>
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const place = rows[index]!
          const span = tree.spans[place]!
          const end = span.end ?? tree.end
          const left = Math.max(0, percent(span.start))
          const right = Math.min(100, percent(end))
          const isInside = tree.below[place]! > 0
          const isClosed = collapsed.has(span.id)
          return (
            <div
              key={span.id}
              className={`trace-row${span.id === selected ? ' selected' : ''}${span.failed ? ' failed' : ''}${critical?.has(place) ? ' critical' : ''}`}
              style={{ transform: `translateY(${start}px)` }}
              role="treeitem"
              aria-level={tree.depth[place]! + 1}
              aria-selected={span.id === selected}
              {...(isInside && { 'aria-expanded': !isClosed })}
              onClick={() => select(span.id)}
            >
              <span className="trace-name" style={{ paddingLeft: Math.min(tree.depth[place]!, 24) * 14 }}>
                {isInside ? (
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
                <span className="cut">{span.name}</span>
                {isClosed && <small>{tree.below[place]}</small>}
              </span>
              <span className="trace-times">
                {right >= 0 && left <= 100 && (
                  <i
                    className="trace-bar"
                    style={{ left: `${left}%`, width: `max(2px, ${Math.max(0, right - left)}%)` }}
                  />
                )}
              </span>
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

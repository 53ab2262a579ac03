/** The rows of the traces table: only those that are seen are in the page. */
import { columnResizingFeature, columnSizingFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useEffect, useRef, useState } from 'react'
import type { Usage } from '../../api/calls'
import type { Call } from '../../api/client'
import { Icon } from '../../ui/icons'
import { useKept } from '../../ui/kept'
import { Cell } from './cell'
import type { Column } from './columns'
import { useTall } from './tall'

const ROW = 32
/** Of three lines. */
const TALL = 70
const CHECK = 34
/** Wider columns on the left would leave too little for the others. */
const MOST_PINNED = 420
const features = tableFeatures({ columnSizingFeature, columnResizingFeature })

interface Props {
  calls: readonly Call[]
  columns: readonly Column[]
  usage: ReadonlyMap<string, Usage>
  sort: string
  setSort: (sort: string) => void
  selected: ReadonlySet<string>
  select: (ids: ReadonlySet<string>) => void
  /** the row of the keyboard */
  cursor: number
  open: (call: Call) => void
  hrefOf: (call: Call) => string
  /** called when the last rows come into sight */
  more: () => void
  scrolled: (top: number) => void
}

export function TracesTable({
  calls,
  columns,
  usage,
  sort,
  setSort,
  selected,
  select,
  cursor,
  open,
  hrefOf,
  more,
  scrolled,
}: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [kept, keep] = useKept('traces.widths', '{}')
  const table = useTable({
    features,
    data: calls as Call[],
    columns: columns.map(({ id, title, width }) => ({ id, header: title, size: width, minSize: 48 })),
    columnResizeMode: 'onChange',
    state: { columnSizing: JSON.parse(kept) as Record<string, number> },
    onColumnSizingChange: (update) =>
      keep(JSON.stringify(typeof update === 'function' ? update(JSON.parse(kept)) : update)),
  })
  const headers = table.getFlatHeaders()
  const [isTall] = useTall()
  /** Scrolled to the right: only then does what stays in sight cost anything. */
  const [isShifted, setShifted] = useState(false)
  const height = isTall ? TALL : ROW
  const rows = useVirtualizer({
    count: calls.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that were seen have the height of before
  useEffect(() => rows.measure(), [height, rows])
  const items = rows.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (calls.length > 0 && last >= calls.length - 30) more()
  }, [last, calls.length, more])
  useEffect(() => {
    if (cursor >= 0) rows.scrollToIndex(cursor)
  }, [cursor, rows])
  const widths = headers.map((header) => header.getSize())
  const style = {
    '--columns': [CHECK, ...widths].map((width) => `${width}px`).join(' '),
    width: CHECK + widths.reduce((sum, width) => sum + width, 0),
    minWidth: '100%',
  } as CSSProperties
  /** The columns up to the name stay in sight, each at its place. */
  const named = columns.findIndex(({ id }) => id === 'name')
  const left = (place: number) =>
    place === 0 ? 0 : widths.slice(0, place - 1).reduce((sum, width) => sum + width, CHECK)
  const isPinned = named >= 0 && left(named + 2) <= MOST_PINNED
  const pinned = (place: number) =>
    isPinned && place <= named + 1
      ? { className: 'traces-cell pinned', style: { '--left': `${left(place)}px` } as CSSProperties }
      : { className: 'traces-cell' }
  const cell = (column: Column, i: number) => {
    const { className, ...style } = pinned(i + 1)
    return { className: column.isNumber ? `${className} number` : className, ...style }
  }
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    select(next)
  }
  const isAll = calls.length > 0 && selected.size >= calls.length
  return (
    <div
      ref={scroller}
      className={`traces-scroll${isTall ? ' tall' : ''}${isShifted ? ' shifted' : ''}`}
      onScroll={({ currentTarget: { scrollTop, scrollLeft } }) => {
        scrolled(scrollTop)
        setShifted(scrollLeft > 0)
      }}
      role="table"
      aria-label="Traces"
      aria-rowcount={calls.length}
    >
      <div className="traces-row traces-head" style={style} role="row">
        <span role="columnheader" {...pinned(0)}>
          <input
            type="checkbox"
            aria-label="Select all"
            checked={isAll}
            onChange={() => select(isAll ? new Set() : new Set(calls.map(({ id }) => id)))}
          />
        </span>
        {headers.map((header, i) => {
          const column = columns[i]!
          const direction =
            sort === column.sort ? 'ascending' : sort === `-${column.sort}` ? 'descending' : 'none'
          return (
            <span key={column.id} role="columnheader" aria-sort={direction} {...cell(column, i)}>
              {column.sort === undefined ? (
                <span className="cut">{column.title}</span>
              ) : (
                <button
                  type="button"
                  className="traces-sort cut"
                  onClick={() => setSort(direction === 'descending' ? column.sort! : `-${column.sort}`)}
                >
                  {column.title}
                  {direction !== 'none' && <Icon name={direction === 'descending' ? 'down' : 'up'} />}
                </button>
              )}
              {/* biome-ignore lint/a11y/noStaticElementInteractions: for the pointer; the width matters to nobody else */}
              <i
                className="traces-resize"
                onMouseDown={header.getResizeHandler()}
                onTouchStart={header.getResizeHandler()}
              />
            </span>
          )
        })}
      </div>
      <div className="traces-rows" style={{ ...style, height: rows.getTotalSize() }} role="rowgroup">
        {items.map(({ index, start }) => {
          const call = calls[index]!
          const isSelected = selected.has(call.id)
          return (
            <div
              key={call.id}
              role="row"
              aria-rowindex={index + 1}
              aria-selected={isSelected}
              className={`traces-row${isSelected ? ' selected' : ''}${index === cursor ? ' cursor' : ''}`}
              style={{ transform: `translateY(${start}px)` }}
              onClick={(event) => {
                if ((event.target as HTMLElement).closest('a, input') === null) open(call)
              }}
            >
              <span role="cell" {...pinned(0)}>
                <input
                  type="checkbox"
                  aria-label="Select"
                  checked={isSelected}
                  onChange={() => toggle(call.id)}
                />
              </span>
              {columns.map((column, i) => (
                <span key={column.id} role="cell" {...cell(column, i)}>
                  {column.id === 'name' ? (
                    <a
                      href={hrefOf(call)}
                      onClick={(event) => {
                        if (event.ctrlKey || event.metaKey || event.shiftKey) return
                        event.preventDefault()
                        open(call)
                      }}
                    >
                      <Cell call={call} column={column.id} usage={usage.get(call.id)} />
                    </a>
                  ) : (
                    <Cell call={call} column={column.id} usage={usage.get(call.id)} />
                  )}
                </span>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}

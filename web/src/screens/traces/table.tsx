/** The traces as a table: its head, whose columns are sorted by and made wider, over its rows. */
import { columnResizingFeature, columnSizingFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { type CSSProperties, useMemo, useRef, useState } from 'react'
import type { Usage } from '../../api/calls'
import type { Call } from '../../api/client'
import { Icon } from '../../ui/icons'
import { useKept } from '../../ui/kept'
import type { Column } from './columns'
import { type Place, TracesRows } from './rows'
import { useTall } from './tall'

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
    columns: useMemo(
      () => columns.map(({ id, title, width }) => ({ id, header: title, size: width, minSize: 48 })),
      [columns],
    ),
    columnResizeMode: 'onChange',
    state: { columnSizing: JSON.parse(kept) as Record<string, number> },
    onColumnSizingChange: (update) =>
      keep(JSON.stringify(typeof update === 'function' ? update(JSON.parse(kept)) : update)),
  })
  const headers = table.getFlatHeaders()
  const [isTall] = useTall()
  /** Scrolled to the right: only then does what stays in sight cost anything. */
  const [isShifted, setShifted] = useState(false)
  const widths = headers.map((header) => header.getSize())
  const style = {
    '--columns': [CHECK, ...widths].map((width) => `${width}px`).join(' '),
    width: CHECK + widths.reduce((sum, width) => sum + width, 0),
    minWidth: '100%',
  } as CSSProperties
  // biome-ignore lint/correctness/useExhaustiveDependencies: widths are made anew, and mostly the same
  const places = useMemo(() => placesOf(columns, widths), [columns, widths.join()])
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
        <span role="columnheader" {...places[0]}>
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
            <span key={column.id} role="columnheader" aria-sort={direction} {...places[i + 1]}>
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
      <TracesRows
        {...{ scroller, calls, columns, places, usage, selected, select, cursor, open, hrefOf, more }}
        {...{ isTall, style }}
      />
    </div>
  )
}

/** Of the box to tick and of each column. Those up to the name stay in sight, unless they are too wide. */
function placesOf(columns: readonly Column[], widths: readonly number[]): Place[] {
  const named = columns.findIndex(({ id }) => id === 'name')
  const lefts = [CHECK, ...widths].map((_, i, all) => all.slice(0, i).reduce((sum, width) => sum + width, 0))
  const isPinned = named >= 0 && lefts[named + 1]! + widths[named]! <= MOST_PINNED
  return lefts.map((at, i) => {
    const isKept = isPinned && i <= named + 1
    const kind = i === 0 ? ' tick' : columns[i - 1]!.isNumber ? ' number' : ''
    return {
      className: `traces-cell${kind}${isKept ? ' pinned' : ''}`,
      ...(isKept && { style: { '--left': `${at}px` } as CSSProperties }),
    }
  })
}

/** A long table: only the rows that are seen are in the page. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react'
import './grid.css'

export interface GridColumn {
  id: string
  title: ReactNode
  width: number
  isNumber?: boolean
}

interface Props {
  label: string
  columns: readonly GridColumn[]
  count: number
  rowHeight?: number
  cell: (index: number, column: string) => ReactNode
  /** what a click on a row, or the button at its beginning, does */
  open?: (index: number) => void
  /** the row that is open */
  chosen?: number
  /** called with the rows that are seen */
  seen?: (first: number, last: number) => void
}

const NUMBER = 72

export function Grid({ label, columns, count, rowHeight = 32, cell, open, chosen, seen }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  })
  const items = rows.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  useEffect(() => seen?.(first, last), [first, last, seen])
  const width = columns.reduce((sum, column) => sum + column.width, NUMBER)
  const style = {
    gridTemplateColumns: [`${NUMBER}px`, ...columns.map((column) => `minmax(${column.width}px, 1fr)`)].join(
      ' ',
    ),
    minWidth: width,
  } as CSSProperties
  return (
    <div
      ref={scroller}
      className="grid"
      role="table"
      aria-label={label}
      aria-rowcount={count + 1}
      tabIndex={0}
    >
      <div role="rowgroup" className="grid-heads">
        <div className="grid-row" style={style} role="row">
          <span role="columnheader" className="grid-cell number">
            #
          </span>
          {columns.map(({ id, title, isNumber }) => (
            <span key={id} role="columnheader" className={isNumber ? 'grid-cell number' : 'grid-cell'}>
              {title}
            </span>
          ))}
        </div>
      </div>
      <div
        className="grid-rows"
        style={{ height: rows.getTotalSize(), minWidth: width }}
        role="rowgroup"
        aria-label={`Rows of ${label}`}
      >
        {items.map(({ index, start }) => (
          <div
            key={index}
            role="row"
            aria-rowindex={index + 2}
            className={`grid-row${open ? ' opens' : ''}${index === chosen ? ' chosen' : ''}`}
            style={{ ...style, height: rowHeight, transform: `translateY(${start}px)` }}
            onClick={(event) => {
              if ((event.target as HTMLElement).closest('a, button, input') === null) open?.(index)
            }}
          >
            <span role="cell" className="grid-cell number">
              {open ? (
                <button
                  type="button"
                  className="grid-open"
                  aria-label={`Open row ${index + 1}`}
                  onClick={() => open(index)}
                >
                  {index + 1}
                </button>
              ) : (
                index + 1
              )}
            </span>
            {columns.map(({ id, isNumber }) => (
              <div key={id} role="cell" className={isNumber ? 'grid-cell number' : 'grid-cell'}>
                {cell(index, id)}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

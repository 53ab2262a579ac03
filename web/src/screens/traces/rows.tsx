/** The rows of the traces table: only those that are seen are in the page, and one that is the same is not made again. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, memo, type RefObject, useCallback, useEffect, useRef } from 'react'
import type { Usage } from '../../api/calls'
import type { Call } from '../../api/client'
import { Cell } from './cell'
import type { Column } from './columns'

const ROW = 32
/** Of three lines. */
const TALL = 70

/** What a cell has by its column: its class, and where it stays in sight. */
export interface Place {
  className: string
  style?: CSSProperties
}

interface OfAll {
  columns: readonly Column[]
  /** of the box to tick, then of each column */
  places: readonly Place[]
  open: (call: Call) => void
  hrefOf: (call: Call) => string
}

interface Props extends OfAll {
  scroller: RefObject<HTMLDivElement | null>
  calls: readonly Call[]
  usage: ReadonlyMap<string, Usage>
  selected: ReadonlySet<string>
  select: (ids: ReadonlySet<string>) => void
  /** the row of the keyboard */
  cursor: number
  isTall: boolean
  /** called when the last rows come into sight */
  more: () => void
  style: CSSProperties
}

export function TracesRows({
  scroller,
  calls,
  usage,
  selected,
  select,
  cursor,
  isTall,
  more,
  style,
  ...all
}: Props) {
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
  const chosen = useRef(selected)
  chosen.current = selected
  const toggle = useCallback(
    (id: string) => {
      const next = new Set(chosen.current)
      if (!next.delete(id)) next.add(id)
      select(next)
    },
    [select],
  )
  return (
    <div className="traces-rows" style={{ ...style, height: rows.getTotalSize() }} role="rowgroup">
      {items.map(({ index, start }) => {
        const call = calls[index]!
        return (
          <Row
            key={call.id}
            {...all}
            {...{ call, index, start, toggle }}
            usage={usage.get(call.id)}
            isSelected={selected.has(call.id)}
            isCursor={index === cursor}
          />
        )
      })}
    </div>
  )
}

interface RowProps extends OfAll {
  call: Call
  usage: Usage | undefined
  index: number
  start: number
  isSelected: boolean
  isCursor: boolean
  toggle: (id: string) => void
}

const Row = memo(function Row({
  call,
  usage,
  columns,
  places,
  index,
  start,
  isSelected,
  isCursor,
  toggle,
  open,
  hrefOf,
}: RowProps) {
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      className={`traces-row${isSelected ? ' selected' : ''}${isCursor ? ' cursor' : ''}`}
      style={{ transform: `translateY(${start}px)` }}
      onClick={(event) => {
        if ((event.target as HTMLElement).closest('a, input') === null) open(call)
      }}
    >
      <span role="cell" {...places[0]}>
        <input type="checkbox" aria-label="Select" checked={isSelected} onChange={() => toggle(call.id)} />
      </span>
      {columns.map(({ id }, i) => (
        <span key={id} role="cell" {...places[i + 1]}>
          {id === 'name' ? (
            <a
              href={hrefOf(call)}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return
                event.preventDefault()
                open(call)
              }}
            >
              <Cell call={call} column={id} usage={usage} />
            </a>
          ) : (
            <Cell call={call} column={id} usage={usage} />
          )}
        </span>
      ))}
    </div>
  )
})

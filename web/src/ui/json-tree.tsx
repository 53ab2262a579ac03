/** JSON as a tree: only the rows that are seen are in the page. Parts that were left out are read when they are opened. */

import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import { Copy } from './copy'
import { Icon } from './icons'
import { SearchInput } from './search-input'
import './json-tree.css'
import { OPEN_DEPTH, type Row, rowsOf } from './json-rows'

const ROW = 21
const MOST_HEIGHT = 520
const TEXT = 2_000

interface Props {
  value: unknown
  /** reads what stands for `cut`; absent: nothing is left out */
  read?: (cut: unknown) => Promise<unknown>
  isCut?: (value: unknown) => boolean
}

export function JsonTree({ value, read, isCut = () => false }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const [loaded, setLoaded] = useState<ReadonlyMap<string, unknown>>(new Map())
  const [text, setText] = useState('')
  const rows = useMemo(
    () => rowsOf(value, { toggled, loaded, isCut, text: text.toLowerCase() }),
    [value, toggled, loaded, isCut, text],
  )
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 20,
  })
  const toggle = async (row: Row) => {
    if (row.cut !== undefined && read !== undefined) {
      const found = await read(row.cut)
      setLoaded((old) => new Map(old).set(row.path, found))
      // What has come is open: near the root by itself.
      if (row.depth < OPEN_DEPTH) return
    }
    const next = new Set(toggled)
    if (!next.delete(row.path)) next.add(row.path)
    setToggled(next)
  }
  return (
    <div className="json">
      <div className="json-bar">
        <SearchInput label="Search in the JSON" placeholder="Search" text={text} setText={setText} />
        <Copy text={() => JSON.stringify(value, null, 2)} label="Copy all" />
      </div>
      <div
        ref={scroller}
        className="json-scroll"
        style={{ height: Math.min(MOST_HEIGHT, Math.max(1, rows.length) * ROW + 2) }}
        tabIndex={0}
      >
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]!
            return (
              <div
                key={row.path}
                className="json-row"
                style={{ transform: `translateY(${start}px)`, paddingLeft: row.depth * 16 }}
              >
                {row.opens ? (
                  <button
                    type="button"
                    className="json-toggle"
                    aria-expanded={row.isOpen}
                    onClick={() => void toggle(row)}
                  >
                    <Icon name={row.isOpen ? 'down' : 'right'} label={row.isOpen ? 'Close' : 'Open'} />
                  </button>
                ) : (
                  <span className="json-toggle" />
                )}
                {row.key !== undefined && <span className="json-key">{row.key}</span>}
                <Scalar value={row.shown} kind={row.kind} />
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

function Scalar({ value, kind }: { value: string; kind: Row['kind'] }) {
  return (
    <span className={`json-${kind}`} title={value.length > 60 ? value.slice(0, TEXT) : undefined}>
      {value.slice(0, TEXT)}
    </span>
  )
}

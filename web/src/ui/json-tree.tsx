/**
 * JSON as a tree: only the rows that are seen are in the page. Parts that were left out are read when they are opened.
 * What a ref points at stands in its place. Long texts open below their row.
 */

import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import { useRefs } from '../api/refs'
import { Button } from './button'
import { Copy } from './copy'
import { count } from './format'
import { Icon } from './icons'
import { Markdown } from './markdown'
import { indented, parsed } from './parsed'
import { RefChip } from './ref-chip'
import { SearchInput } from './search-input'
import './json-tree.css'
import { OPEN_DEPTH, type Row, rowsOf } from './json-rows'

const ROW = 21
const MOST_HEIGHT = 520
/** Of a string in one line. */
const TEXT = 2_000
/** Of an opened string at first. */
const OPENED = 100_000

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
  const refs = useRefs(value)
  const rows = useMemo(
    () => rowsOf(value, { toggled, loaded, refs, isCut, text: text.toLowerCase() }),
    [value, toggled, loaded, refs, isCut, text],
  )
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]!.path,
    estimateSize: () => ROW,
    overscan: 20,
  })
  const toggle = async (row: Row) => {
    if (row.cut !== undefined && read !== undefined) {
      const found = await read(row.cut)
      setLoaded((old) => new Map(old).set(row.path, found))
      // What has come is open: lists and objects near the root by themselves.
      if (typeof found !== 'string' && row.depth < OPEN_DEPTH) return
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
        style={{ height: Math.min(MOST_HEIGHT, Math.max(ROW, virtual.getTotalSize()) + 2) }}
        tabIndex={0}
      >
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index]!
            const transform = `translateY(${start}px)`
            if (row.kind === 'text')
              return (
                <div
                  key={row.path}
                  ref={virtual.measureElement}
                  data-index={index}
                  className="json-text"
                  style={{ transform, paddingLeft: row.depth * 16 }}
                >
                  <LongText text={row.shown} />
                </div>
              )
            return (
              <div key={row.path} className="json-row" style={{ transform, paddingLeft: row.depth * 16 }}>
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
                {row.ref !== undefined && <RefChip to={row.ref} />}
                {!(row.isOpen && row.kind === 'string') && <Scalar value={row.shown} kind={row.kind} />}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

function Scalar({ value, kind }: { value: string; kind: Row['kind'] }) {
  const line = value.slice(0, TEXT).replaceAll('\n', ' ')
  return (
    <span className={`json-${kind}`} title={value.length > 60 ? line : undefined}>
      {line}
    </span>
  )
}

type View = 'Text' | 'Markdown' | 'JSON'

/** All of a string, wrapped. */
function LongText({ text }: { text: string }) {
  const [view, setView] = useState<View>('Text')
  const [isWhole, setWhole] = useState(text.length <= OPENED)
  const inside = useMemo(() => parsed(text), [text])
  const views: View[] = ['Text', 'Markdown', ...(typeof inside === 'object' ? (['JSON'] as const) : [])]
  return (
    <>
      <div className="row">
        {views.map((one) => (
          <Button key={one} tone="quiet" aria-pressed={one === view} onClick={() => setView(one)}>
            {one}
          </Button>
        ))}
        <Copy text={text} label="Copy the text" />
      </div>
      {view === 'Markdown' ? (
        <Markdown text={text} />
      ) : (
        <pre>{view === 'JSON' ? indented(inside) : isWhole ? text : text.slice(0, OPENED)}</pre>
      )}
      {view === 'Text' && !isWhole && (
        <Button onClick={() => setWhole(true)}>Show all {count(text.length)} characters</Button>
      )}
    </>
  )
}

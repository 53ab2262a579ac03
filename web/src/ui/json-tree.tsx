/**
 * JSON as a tree: only the rows that are seen are in the page. Parts that were left out are read when they are opened.
 * What a ref points at stands in its place. Long texts open below their row.
 */

import { useVirtualizer } from '@tanstack/react-virtual'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useRefs } from '../api/refs'
import { IconButton } from './button'
import { Copy } from './copy'
import { count } from './format'
import { Icon } from './icons'
import { LongText } from './long-text'
import { Marked } from './marked'
import { indented } from './parsed'
import { RefChip } from './ref-chip'
import { SearchInput } from './search-input'
import './json-tree.css'
import { type Hits, hitsOf, MOST_HITS, OPEN_DEPTH, type Row, rowsOf } from './json-rows'

const ROW = 21
const MOST_HEIGHT = 520
/** Of a string in one line. */
const TEXT = 2_000
/** A hit further inside a string is shown with what is around it. */
const SEEN = 60

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
  const find = useDeferredValue(text.trim().toLowerCase())
  const hits = useMemo(() => hitsOf(value, find, { loaded, refs, isCut }), [value, find, loaded, refs, isCut])
  const isHit = useMemo(() => new Set(hits.paths), [hits])
  const [at, setAt] = useState(0)
  const current = hits.paths[Math.min(at, hits.paths.length - 1)]
  const rows = useMemo(
    () => rowsOf(value, { toggled, loaded, refs, isCut, hits }),
    [value, toggled, loaded, refs, isCut, hits],
  )
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]!.path,
    estimateSize: () => ROW,
    overscan: 20,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a hit is shown once, not whenever rows open or close
  useEffect(() => {
    const index = current === undefined ? -1 : rows.findIndex(({ path }) => path === current)
    if (index >= 0) virtual.scrollToIndex(index, { align: 'center' })
  }, [current, hits])
  const step = (by: number) =>
    setAt((old) => (Math.min(old, hits.paths.length - 1) + by + hits.paths.length) % hits.paths.length)
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
        <search
          className="row"
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || hits.paths.length === 0) return
            event.preventDefault()
            step(event.shiftKey ? -1 : 1)
          }}
        >
          <SearchInput
            label="Search in the JSON"
            placeholder="Search"
            text={text}
            setText={(next) => {
              setText(next)
              setAt(0)
            }}
          />
          {find !== '' && (
            <>
              <output className="muted">{said(at, hits)}</output>
              <IconButton
                icon="up"
                label="Previous hit"
                disabled={hits.paths.length === 0}
                onClick={() => step(-1)}
              />
              <IconButton
                icon="down"
                label="Next hit"
                disabled={hits.paths.length === 0}
                onClick={() => step(1)}
              />
            </>
          )}
        </search>
        <Copy text={() => indented(value)} label="Copy all" />
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
              <div
                key={row.path}
                className={`json-row${row.path === current ? ' current' : ''}`}
                style={{ transform, paddingLeft: row.depth * 16 }}
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
                {row.key !== undefined && (
                  <span className="json-key">
                    <Marked text={row.key === '' ? '""' : row.key} find={isHit.has(row.path) ? find : ''} />
                  </span>
                )}
                {row.ref !== undefined && <RefChip to={row.ref} />}
                {row.cut !== undefined && (
                  <button
                    type="button"
                    className="json-toggle json-more"
                    // The arrow before it is the stop of the Tab key.
                    tabIndex={-1}
                    onClick={() => void toggle(row)}
                  >
                    <Scalar value={row.shown} kind={row.kind} find="" />
                  </button>
                )}
                {row.cut === undefined && !(row.isOpen && row.kind === 'string') && (
                  <Scalar
                    value={row.shown}
                    kind={row.kind}
                    find={row.kind !== 'inside' && isHit.has(row.path) ? find : ''}
                  />
                )}
                {row.cut === undefined && (
                  <Copy
                    text={() => (typeof row.value === 'string' ? row.value : indented(row.value))}
                    label={`Copy ${row.key ?? 'all of it'}`}
                  />
                )}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

/** Which hit is looked at, of how many. */
function said(at: number, { paths, isPart }: Hits): string {
  const found = `${count(paths.length)}${paths.length >= MOST_HITS ? '+' : ''}`
  const which = paths.length === 0 ? 'no hits' : `${count(Math.min(at, paths.length - 1) + 1)} of ${found}`
  return isPart ? `${which} in what was read` : which
}

function Scalar({ value, kind, find }: { value: string; kind: Row['kind']; find: string }) {
  const at = find === '' ? -1 : value.toLowerCase().indexOf(find)
  const from = at > SEEN ? at - SEEN / 2 : 0
  const line = `${from > 0 ? '…' : ''}${value.slice(from, from + TEXT)}`.replaceAll('\n', ' ')
  if (kind === 'string' && value === '') return <span className="json-value muted">""</span>
  return (
    <span className={`json-value json-${kind}`} title={value.length > 60 ? line : undefined}>
      <Marked text={line} find={find} />
    </span>
  )
}

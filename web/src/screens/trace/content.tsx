/**
 * Any value that was sent: a text, JSON as a tree or a table, or a conversation. Every screen that shows what is in a call,
 * a row or an object shows it by this.
 */

import { useMemo, useState } from 'react'
import { isInside, jsonText } from '../../api/json'
import { useRefs } from '../../api/refs'
import { Button } from '../../ui/button'
import { Copy } from '../../ui/copy'
import { JsonTree } from '../../ui/json-tree'
import { LongText } from '../../ui/long-text'
import { indented, parsed } from '../../ui/parsed'
import { isMarkdown, tableOf } from '../../ui/table-of'
import { Conversation } from './conversation'
import { messagesOf } from './messages'
import './content.css'
import './trace.css'

interface Props {
  value: unknown
  /** what its parts are read by, where a large one comes without them */
  read?: (cut: unknown) => Promise<unknown>
  isCut?: (value: unknown) => boolean
  /** JSON first, even of a conversation that is shown elsewhere */
  isRaw?: boolean
}

type View = 'Chat' | 'JSON' | 'Table' | 'Raw'

/** @param props.value null and undefined are nothing */
export function Content({ value, read, isCut, isRaw = false }: Props) {
  const inside = useMemo(() => parsed(value), [value])
  if (value === null || value === undefined || value === '') return <p className="muted">nothing</p>
  if (typeof value === 'string' && isShort(value) && typeof inside !== 'object')
    return <pre className="content-text">{value}</pre>
  if (typeof value === 'string' && (isRaw || typeof inside !== 'object'))
    return (
      <div className="content-text">
        <LongText text={value} first={isMarkdown(value) ? 'Markdown' : 'Text'} />
      </div>
    )
  if (!isInside(inside)) return <pre>{String(value)}</pre>
  return <Inside value={inside} isRaw={isRaw} {...(read && { read })} {...(isCut && { isCut })} />
}

/** Nothing can be said of it in another way. */
const isShort = (text: string) => text.length <= 200 && !text.includes('\n') && !isMarkdown(text)

function Inside({ value, read, isCut, isRaw }: Props & { value: object }) {
  const isPart = useMemo(() => isCut !== undefined && hasCut(value, isCut), [value, isCut])
  const refs = useRefs(value)
  const messages = useMemo(
    () => (isRaw || isPart ? [] : messagesOf({ inputs: asked(value), output: null }, refs)),
    [value, refs, isRaw, isPart],
  )
  const table = useMemo(() => (isPart ? undefined : tableOf(value)), [value, isPart])
  const [chosen, setChosen] = useState<View>()
  const views: View[] = [
    ...(messages.length > 0 ? (['Chat'] as const) : []),
    'JSON',
    ...(table === undefined ? [] : (['Table'] as const)),
    ...(isPart ? [] : (['Raw'] as const)),
  ]
  const view = chosen ?? views[0]!
  return (
    <div className="content">
      {views.length > 1 && (
        <div className="row content-views">
          {views.map((one) => (
            <Button key={one} tone="quiet" aria-pressed={one === view} onClick={() => setChosen(one)}>
              {one}
            </Button>
          ))}
        </div>
      )}
      {view === 'Chat' && <Conversation messages={messages} />}
      {view === 'JSON' && <JsonTree value={value} {...(read && { read })} {...(isCut && { isCut })} />}
      {view === 'Table' && <Cells {...table!} />}
      {view === 'Raw' && <Raw value={value} />}
    </div>
  )
}

const asked = (value: object): Record<string, unknown> =>
  Array.isArray(value) ? { messages: value } : (value as Record<string, unknown>)

/** Whether something was left out; such a value has few members. */
function hasCut(value: unknown, isCut: (value: unknown) => boolean): boolean {
  if (!isInside(value)) return false
  return isCut(value) || Object.values(value).some((one) => hasCut(one, isCut))
}

/** Longer JSON is copied or downloaded rather than read. */
const MOST_RAW = 200_000

function Raw({ value }: { value: object }) {
  const text = useMemo(() => indented(value), [value])
  return (
    <div className="snippet">
      <pre tabIndex={0}>
        {text.slice(0, MOST_RAW)}
        {text.length > MOST_RAW && '…'}
      </pre>
      <Copy text={text} />
    </div>
  )
}

/** Of a cell. */
const MOST_CELL = 300

function Cells({ columns, rows, isPart }: ReturnType<typeof tableOf> & object) {
  return (
    <div className="content-table" tabIndex={0} role="region" aria-label="As a table">
      <table className="table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
            <tr key={i}>
              {row.map((cell, j) => (
                <td key={columns[j]}>{cellOf(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {isPart && <p className="muted">The rest is in the JSON.</p>}
    </div>
  )
}

function cellOf(value: unknown): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : (jsonText(value) ?? '')
  return text.length > MOST_CELL ? `${text.slice(0, MOST_CELL)}…` : text
}

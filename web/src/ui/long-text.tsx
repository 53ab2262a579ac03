/** All of a text, wrapped: as it is, as markdown, or as the JSON that it holds. */
import { useMemo, useState } from 'react'
import { typeOfData } from '../../../domain/calls/media'
import { Button } from './button'
import { Copy } from './copy'
import { count } from './format'
import { Markdown } from './markdown'
import { Medium } from './medium'
import { indented, parsed } from './parsed'

/** Shown at first. */
const OPENED = 100_000

type View = 'Text' | 'Markdown' | 'JSON'

/** @param props.first what it is shown as at first */
export function LongText({ text, first = 'Text' }: { text: string; first?: View }) {
  const [view, setView] = useState<View>(first)
  const [isWhole, setWhole] = useState(text.length <= OPENED)
  const inside = useMemo(() => parsed(text), [text])
  const views: View[] = ['Text', 'Markdown', ...(typeof inside === 'object' ? (['JSON'] as const) : [])]
  const media = typeOfData(text)
  return (
    <>
      {media !== undefined && <Medium url={text} type={media} />}
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

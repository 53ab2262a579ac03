/** Markdown of callers. What formats it is loaded with the first text; until then, and beyond a size, the text is shown as it is. */
import { lazy, Suspense, useDeferredValue } from 'react'
import { loaded } from '../app/connection'
import './markdown.css'

/** Longer texts are shown as they are: time and elements grow with the text. */
const MOST = 100_000

const Formatted = lazy(() => loaded(() => import('./formatted')))

/** `text` as elements, of which none comes from HTML in it. While a text grows, formatting it never holds up the page. */
export function Markdown({ text }: { text: string }) {
  const plain = <PlainText text={text} />
  const shown = useDeferredValue(text)
  if (text.length > MOST) return plain
  return (
    <Suspense fallback={plain}>
      <Formatted text={shown} fallback={plain} />
    </Suspense>
  )
}

/** A text as it is. */
export function PlainText({ text }: { text: string }) {
  return <pre className="markdown">{text}</pre>
}

/** A text with what was searched for marked in it. */
import type { ReactNode } from 'react'

const MOST_MARKS = 50

/** @param props.find lower case; empty: nothing is marked */
export function Marked({ text, find }: { text: string; find: string }) {
  if (find === '') return text
  const lower = text.toLowerCase()
  // Of a few letters, the lower case has another length: the places would be others.
  if (lower.length !== text.length) return text
  const parts: ReactNode[] = []
  let from = 0
  for (
    let at = lower.indexOf(find);
    at >= 0 && parts.length < 2 * MOST_MARKS;
    at = lower.indexOf(find, from)
  ) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + find.length)}</mark>)
    from = at + find.length
  }
  return [...parts, text.slice(from)]
}
